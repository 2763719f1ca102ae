import type { IndicatorEntry, RunEntry } from '../model/results.ts';
import { isValueMap } from '../model/value.ts';
import type { Match } from '../model/verdict.ts';
import type { Redactor } from '../secrets/redactor.ts';
import { tierRank } from './attacks.ts';
import type { IndicatorFacts, ReportContext } from './reporter.ts';

/** Evidence as it may be shown, and the position of the match in it. */
export interface Quote {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** An indicator that matched in a run. */
export interface Finding {
  readonly indicator: string;
  readonly facts?: IndicatorFacts;
  readonly match?: Match;
  readonly evidence?: Quote;
}

/** The indicators that matched in a run, gravest first. */
export function findingsIn(run: RunEntry, context: ReportContext): readonly Finding[] {
  const facts = new Map(context.indicators(run.document).map((each) => [each.id, each]));
  return run.verdict.indicator_verdicts
    .filter(({ result }) => result === 'matched')
    .map((entry) => toFinding(entry, facts.get(entry.indicator_id), context))
    .sort((a, b) => tierRank(b.facts?.tier) - tierRank(a.facts?.tier));
}

function toFinding(
  { indicator_id, evidence: text, match: place }: IndicatorEntry,
  facts: IndicatorFacts | undefined,
  { redactor }: ReportContext,
): Finding {
  const match = isMatch(place) ? place : undefined;
  const evidence = typeof text === 'string' ? evidenceOf({ evidence: text, match }, redactor) : undefined;
  return {
    indicator: indicator_id,
    ...(facts !== undefined && { facts }),
    ...(match !== undefined && { match }),
    ...(evidence !== undefined && { evidence }),
  };
}

function isMatch(value: unknown): value is Match {
  return (
    isValueMap(value) &&
    typeof value.path === 'string' &&
    typeof value.from === 'number' &&
    typeof value.to === 'number'
  );
}

/** The place of a match: `record 19, arguments`. */
export function placeOf({ record, path, projection }: Match): string {
  const seq = record === undefined ? '' : `record ${record}, `;
  const view = projection === undefined || projection === path ? '' : ` (seen as ${projection})`;
  return `${seq}${path === '' ? 'the whole message' : path}${view}`;
}

/** The evidence fields of a verdict. */
export interface Judged {
  readonly evidence?: string | undefined;
  readonly match?: Match | undefined;
}

/**
 * The evidence of a match, with its span located again: offsets count into the value, and the evidence may be a part of
 * it.
 */
export function evidenceOf({ evidence, match }: Judged, redactor: Redactor): Quote | undefined {
  if (evidence === undefined) return undefined;
  const label = match?.projection === undefined ? '' : `${match.projection}: `;
  const whole = evidence.startsWith(label) ? evidence.slice(label.length) : evidence;
  if (match === undefined) return { text: redactor.text(whole), from: 0, to: 0 };
  const { text, spans } = redactor.named(keyIn(match.path), whole, [spanWithin(whole, match.from, match.to)]);
  const [from, to] = spans[0] ?? [0, 0];
  return { text, from, to };
}

/** The last key of a path: `arguments.login[0].password` ends in `password`. */
function keyIn(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).replace(/(?:\[\d+\])+$/, '');
}

const longestEvidence = 500;

function spanWithin(text: string, from: number, to: number): readonly [from: number, to: number] {
  const margin = Math.max(0, Math.floor((longestEvidence - (to - from)) / 2));
  const start = Math.max(0, from - margin);
  const shift = start > 0 && text.startsWith('…') ? 1 - start : 0;
  return [Math.min(from + shift, text.length), Math.min(to + shift, text.length)];
}
