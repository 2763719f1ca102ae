import { stringifyJson } from '../../model/json.ts';
import type { MarkerRecord } from '../../model/trace.ts';
import { isCollection, isValueMap, type Value } from '../../model/value.ts';
import { compactJson } from '../../primitives/compact-json.ts';
import { visible } from '../../report/visible.ts';
import { crop, pad, widthOf } from '../../report/width.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import type { Sink } from '../io.ts';
import type { ShownMessage } from './shown-record.ts';

export interface DescribeOptions {
  readonly sink: Sink;
  readonly full: boolean;
  readonly redactor: Redactor;
  /** Returns a short text that is shown instead of the content. */
  readonly summarize?: (content: Value) => string;
}

/** Turns records into lines, in order. Phases become headings, and times are relative to the first record. */
export function createDescriber({ sink, full, redactor, summarize }: DescribeOptions) {
  const { colours, columns } = sink;
  const phases = new Map<string, string>();
  let start: number | undefined;
  let section = '';

  function timeOf(timestamp: string): string {
    const time = Date.parse(timestamp);
    if (Number.isNaN(time)) return '?';
    start ??= time;
    return `${time < start ? '-' : '+'}${(Math.abs(time - start) / 1000).toFixed(3)}`;
  }

  function heading(actor: string, phase: string): string {
    if (phases.get(actor) === phase) return '';
    const first = phases.size === 0;
    phases.set(actor, phase);
    section = `${actor} ${phase}`;
    return `${first ? '' : '\n'}${colours.bold(`── ${visible(actor)}: ${visible(phase)} ──`)}\n`;
  }

  function line(left: string, plainLeft: string, content: Value): string {
    if (summarize !== undefined) {
      const words = crop(
        visible(redactor.text(summarize(content))),
        Math.max(columns - widthOf(plainLeft), 12),
      );
      return `${`${left}${words}`.trimEnd()}\n`;
    }
    if (full) return `${left.trimEnd()}\n${indented(redactor.text(prettyJson(content)))}`;
    const room = columns - widthOf(plainLeft);
    if (room < 12) return `${left.trimEnd()}\n${' '.repeat(8)}${compact(content, columns - 8)}\n`;
    return `${left}${compact(content, room)}\n`;
  }

  function compact(content: Value, room: number): string {
    const text = typeof content === 'string' ? content : compactJson(content, 'own');
    // A secret may extend beyond the edge, so it is masked before the text is cut.
    return crop(visible(redactor.text(text.slice(0, 4 * room + longestSecret))), room);
  }

  return {
    /** Notes the time of a record; times count from the first one, even if it is not shown. */
    see: (timestamp: string): void => void timeOf(timestamp),
    message(message: ShownMessage): string {
      const { seq, timestamp, actor, phase, kind, method, era, fromAgent, content } = message;
      const above = phase === undefined ? '' : heading(actor, phase);
      // If actors take turns, the heading above may belong to another actor.
      const elsewhere = phase !== undefined && section !== `${actor} ${phase}`;
      const who = pad(`${fromAgent ? '→' : '←'} ${visible(actor)}`, 12);
      const what = pad(visible(redactor.text(method)), 16);
      const place =
        pad(visible(kind), 8) +
        (era === undefined ? '' : ` ${visible(era)}`) +
        (elsewhere ? ` [${visible(phase)}]` : '');
      const number = `${String(seq).padStart(5)}  ${timeOf(timestamp).padStart(9)}`;
      const plain = `${number}  ${who}  ${what}  ${place}  `;
      const arrow = fromAgent ? colours.yellow : colours.cyan;
      const left = `${colours.dim(number)}  ${arrow(who)}  ${colours.bold(what)}  ${colours.dim(place)}  `;
      return above + line(left, plain, content);
    },
    marker(marker: MarkerRecord): string {
      const { seq, timestamp, kind, actor, phase } = marker;
      if (kind === 'phase' && actor !== undefined && phase !== undefined) return heading(actor, phase);
      const number = `${String(seq).padStart(5)}  ${timeOf(timestamp).padStart(9)}`;
      const plain = `${number}  ${pad(`· ${visible(actor ?? '')}`, 12)}  ${pad(kind, 16)}  `;
      return line(colours.dim(plain), plain, detailsOf(marker));
    },
  };
}

const longestSecret = 20_000;

/** The fields of a marker apart from the columns that every record has. */
function detailsOf(marker: MarkerRecord): Value {
  const { seq, timestamp, actor, phase, session, kind, ...details } = marker;
  const said = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
  return typeof said.message === 'string' && Object.keys(said).length === 1 ? said.message : (said as Value);
}

function indented(text: string): string {
  return `${visible(text, '\n')
    .split('\n')
    .map((each) => `        ${each}`)
    .join('\n')}\n`;
}

const deepestPretty = 100;

function prettyJson(content: Value): string {
  if (typeof content === 'string') return content;
  // JSON.stringify recurses, and hostile content may be deeper than the stack.
  return depthExceeds(content, deepestPretty) ? compactJson(content, 'own') : stringifyJson(content, 2);
}

function depthExceeds(value: Value, most: number): boolean {
  if (!isCollection(value)) return false;
  if (most === 0) return true;
  const items = isValueMap(value) ? Object.values(value) : (value as readonly Value[]);
  return items.some((item) => depthExceeds(item, most - 1));
}
