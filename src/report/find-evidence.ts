import type { Match } from '../format/model/attack-verdict.ts';
import type { IndicatorEntry, RunEntry } from '../format/model/results-file.ts';
import { isValueMap } from '../format/model/value.ts';
import type { Redactor } from '../secrets/redactor.ts';
import { rankTier } from './attack-rows.ts';
import type { IndicatorFacts, ReportContext } from './reporter.ts';

/** Evidence as reports may print it, and the position of the match in it. */
export interface EvidenceQuote {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** An indicator that matched in a run. */
export interface EvidenceFinding {
  readonly indicator: string;
  readonly facts?: IndicatorFacts;
  readonly match?: Match;
  readonly evidence?: EvidenceQuote;
}

/** The indicators whose matches count in a run, most severe first. */
export function findEvidence(run: RunEntry, context: ReportContext): readonly EvidenceFinding[] {
  const facts = new Map(context.indicators(run.document).map((each) => [each.id, each]));
  return run.verdict.indicator_verdicts
    .filter(({ result, indicator_id }) => result === 'matched' && !run.set_aside?.includes(indicator_id))
    .map((entry) => toFinding(entry, facts.get(entry.indicator_id), context))
    .sort((a, b) => rankTier(b.facts?.tier) - rankTier(a.facts?.tier));
}

function toFinding(
  { indicator_id, evidence: text, match: place }: IndicatorEntry,
  facts: IndicatorFacts | undefined,
  { redactor }: ReportContext,
): EvidenceFinding {
  const match = isMatch(place) ? place : undefined;
  const evidence = typeof text === 'string' ? locateQuote({ evidence: text, match }, redactor) : undefined;
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
export function formatMatchPlace({ record, path, projection }: Match): string {
  const seq = record === undefined ? '' : `record ${record}, `;
  const view = projection === undefined || projection === path ? '' : ` (seen as ${projection})`;
  return `${seq}${path === '' ? 'the whole message' : path}${view}`;
}

export interface EvidenceFields {
  readonly evidence?: string | undefined;
  readonly match?: Match | undefined;
}

/**
 * The evidence of a match, with its span located again: offsets count into the value, and the evidence may be a part of
 * it.
 */
export function locateQuote({ evidence, match }: EvidenceFields, redactor: Redactor): EvidenceQuote | undefined {
  if (evidence === undefined) return undefined;
  const label = match?.projection === undefined ? '' : `${match.projection}: `;
  const whole = evidence.startsWith(label) ? evidence.slice(label.length) : evidence;
  if (match === undefined) return { text: redactor.text(whole), from: 0, to: 0 };
  const { text, spans } = redactor.named(findLastKey(match.path), whole, [fitSpan(whole, match.from, match.to)]);
  const [from, to] = spans[0] ?? [0, 0];
  return { text, from, to };
}

/** The last key of a path: `arguments.login[0].password` ends in `password`. */
function findLastKey(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).replace(/(?:\[\d+\])+$/, '');
}

const longestEvidence = 500;

function fitSpan(text: string, from: number, to: number): readonly [from: number, to: number] {
  const margin = Math.max(0, Math.floor((longestEvidence - (to - from)) / 2));
  const start = Math.max(0, from - margin);
  const shift = start > 0 && text.startsWith('…') ? 1 - start : 0;
  return [Math.min(from + shift, text.length), Math.min(to + shift, text.length)];
}
