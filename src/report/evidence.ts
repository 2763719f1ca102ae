import type { IndicatorEntry, RunEntry } from '../model/results.ts';
import { isValueMap } from '../model/value.ts';
import type { Match } from '../model/verdict.ts';
import { mask, maskSpan, type Span } from '../secrets/shapes.ts';
import { tierRank } from './attacks.ts';
import type { IndicatorFacts, ReportContext } from './reporter.ts';

/** An indicator that matched in a run. */
export interface Finding {
  readonly indicator: string;
  readonly facts?: IndicatorFacts;
  readonly match?: Match;
  readonly evidence?: Span;
}

/** What matched in a run, the gravest first. */
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
  { showSecrets }: ReportContext,
): Finding {
  const match = isMatch(place) ? place : undefined;
  const evidence = typeof text === 'string' ? evidenceOf({ evidence: text, match }, showSecrets) : undefined;
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

/** Where the match stands: `record 19, arguments`. */
export function placeOf({ record, path, projection }: Match): string {
  const seq = record === undefined ? '' : `record ${record}, `;
  const view = projection === undefined || projection === path ? '' : ` (seen as ${projection})`;
  return `${seq}${path === '' ? 'the whole message' : path}${view}`;
}

/** Evidence as verdicts carry it. */
export interface Judged {
  readonly evidence?: string | undefined;
  readonly match?: Match | undefined;
}

/** The evidence of a match, with its span found again: offsets are into the value, evidence may be a part of it. */
export function evidenceOf({ evidence, match }: Judged, showSecrets: boolean): Span | undefined {
  if (evidence === undefined) return undefined;
  const label = match?.projection === undefined ? '' : `${match.projection}: `;
  const text = evidence.startsWith(label) ? evidence.slice(label.length) : evidence;
  const { from, to } = match === undefined ? { from: 0, to: 0 } : spanWithin(text, match.from, match.to);
  if (showSecrets) return { text, from, to };
  const masked = maskSpan(text, from, to);
  return match === undefined || !isNamedSecret(text, match.path) ? masked : allMasked;
}

const allMasked: Span = { text: '****', from: 0, to: 4 };

/** Whether it is the name of the field that tells: nothing of `password`'s value may be shown then. */
function isNamedSecret(text: string, path: string): boolean {
  const name = `${JSON.stringify(path.slice(path.lastIndexOf('.') + 1).replace(/(?:\[\d+\])+$/, ''))}:`;
  return mask(`${name}${text}`) !== `${mask(name)}${mask(text)}`;
}

const longestEvidence = 500;

function spanWithin(text: string, from: number, to: number): { readonly from: number; readonly to: number } {
  const margin = Math.max(0, Math.floor((longestEvidence - (to - from)) / 2));
  const start = Math.max(0, from - margin);
  const shift = start > 0 && text.startsWith('…') ? 1 - start : 0;
  return { from: Math.min(from + shift, text.length), to: Math.min(to + shift, text.length) };
}
