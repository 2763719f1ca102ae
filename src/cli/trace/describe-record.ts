import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { stringifyJson } from '../../format/model/json-text-values.ts';
import type { MarkerRecord } from '../../format/model/trace-record.ts';
import { isCollection, isValueMap, type Value } from '../../format/model/value.ts';
import { formatCompactJson } from '../../format/primitives/compact-json.ts';
import { cropEnd, measureWidth, pad } from '../../report/text-width.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import type { Sink } from '../io.ts';
import type { TraceViewMessage } from './trace-view-record.ts';

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

  function formatTime(timestamp: string): string {
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
    return `${first ? '' : '\n'}${colours.bold(`── ${escapeInvisible(actor)}: ${escapeInvisible(phase)} ──`)}\n`;
  }

  function line(left: string, plainLeft: string, content: Value): string {
    if (summarize !== undefined) {
      const words = cropEnd(
        escapeInvisible(redactor.text(summarize(content))),
        Math.max(columns - measureWidth(plainLeft), 12),
      );
      return `${`${left}${words}`.trimEnd()}\n`;
    }
    if (full) return `${left.trimEnd()}\n${indentText(redactor.text(formatPrettyJson(content)))}`;
    const room = columns - measureWidth(plainLeft);
    if (room < 12) return `${left.trimEnd()}\n${' '.repeat(8)}${compact(content, columns - 8)}\n`;
    return `${left}${compact(content, room)}\n`;
  }

  function compact(content: Value, room: number): string {
    const text = typeof content === 'string' ? content : formatCompactJson(content, 'own');
    // A secret may extend beyond the edge, so it is masked before the text is cut.
    return cropEnd(escapeInvisible(redactor.text(text.slice(0, 4 * room + longestSecret))), room);
  }

  return {
    /** Notes the time of a record; times count from the first one, even if it is not shown. */
    see: (timestamp: string): void => void formatTime(timestamp),
    message(message: TraceViewMessage): string {
      const { seq, timestamp, actor, phase, kind, method, era, fromAgent, content } = message;
      const above = phase === undefined ? '' : heading(actor, phase);
      // If actors take turns, the heading above may belong to another actor.
      const elsewhere = phase !== undefined && section !== `${actor} ${phase}`;
      const who = pad(`${fromAgent ? '→' : '←'} ${escapeInvisible(actor)}`, 12);
      const what = pad(escapeInvisible(redactor.text(method)), 16);
      const place =
        pad(escapeInvisible(kind), 8) +
        (era === undefined ? '' : ` ${escapeInvisible(era)}`) +
        (elsewhere ? ` [${escapeInvisible(phase)}]` : '');
      const number = `${String(seq).padStart(5)}  ${formatTime(timestamp).padStart(9)}`;
      const plain = `${number}  ${who}  ${what}  ${place}  `;
      const arrow = fromAgent ? colours.yellow : colours.cyan;
      const left = `${colours.dim(number)}  ${arrow(who)}  ${colours.bold(what)}  ${colours.dim(place)}  `;
      return above + line(left, plain, content);
    },
    marker(marker: MarkerRecord): string {
      const { seq, timestamp, kind, actor, phase } = marker;
      if (kind === 'phase' && actor !== undefined && phase !== undefined) return heading(actor, phase);
      const number = `${String(seq).padStart(5)}  ${formatTime(timestamp).padStart(9)}`;
      const plain = `${number}  ${pad(`· ${escapeInvisible(actor ?? '')}`, 12)}  ${pad(kind, 16)}  `;
      return line(colours.dim(plain), plain, selectMarkerDetails(marker));
    },
  };
}

const longestSecret = 20_000;

/** The fields of a marker apart from the columns that every record has. */
function selectMarkerDetails(marker: MarkerRecord): Value {
  const { seq, timestamp, actor, phase, session, kind, ...details } = marker;
  const given = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
  return typeof given.message === 'string' && Object.keys(given).length === 1 ? given.message : (given as Value);
}

function indentText(text: string): string {
  return `${escapeInvisible(text, '\n')
    .split('\n')
    .map((each) => `        ${each}`)
    .join('\n')}\n`;
}

const deepestPretty = 100;

function formatPrettyJson(content: Value): string {
  if (typeof content === 'string') return content;
  // JSON.stringify recurses, and hostile content may be deeper than the stack.
  return isDeeperThan(content, deepestPretty) ? formatCompactJson(content, 'own') : stringifyJson(content, 2);
}

function isDeeperThan(value: Value, most: number): boolean {
  if (!isCollection(value)) return false;
  if (most === 0) return true;
  const items = isValueMap(value) ? Object.values(value) : (value as readonly Value[]);
  return items.some((item) => isDeeperThan(item, most - 1));
}
