import type { ExpressionMatch } from '../../format/model/attack-document.ts';
import type { Looked } from '../../format/model/attack-verdict.ts';
import type { Projection } from '../../format/model/binding-views.ts';
import type { NormalizedIndicator } from '../../format/model/normalized.ts';
import type { MessageRecord } from '../../format/model/trace-record.ts';
import { messageValue } from '../../format/primitives/message-value.ts';
import { findNearest } from '../../format/registry/suggestions.ts';
import { describeExpectation, describeNamedValues } from './expectation.ts';
import type { IndicatorOutcome } from './indicator-outcome.ts';
import type { MessageView } from './message-view.ts';
import { findNearMiss, isNear, type SampleSource, type Samples } from './near-miss.ts';
import { suggestPath } from './suggest-path.ts';

// Explains why an indicator did not match. While the trace is read, only counters move. The rest is computed at the end,
// from the first and the last messages that the indicator looked at.

/** The number of messages that are kept from each end of the trace. */
const kept = 8;
/** Joined streams can be long. */
const keptJoined = 2;

/** Counts and samples of the messages that an indicator has looked at so far. */
export interface SearchTally {
  messages: number;
  withTarget: number;
  /** The number of evaluations that failed only for a field that the message lacks, and the first such error. */
  lacking: number;
  lackingMessage: string | undefined;
  readonly first: MessageRecord[];
  readonly last: MessageRecord[];
  /** Whether a stream was longer than the limit for joining. */
  isCut: boolean;
  /** The path of the projections that the indicator looked at, and their number. No message on the wire has that path. */
  viewPath: string | undefined;
  views: number;
  /** The last joined streams and projections without a match. */
  readonly joined: SampleSource[];
}

export function createTally(): SearchTally {
  return {
    messages: 0,
    withTarget: 0,
    lacking: 0,
    lackingMessage: undefined,
    first: [],
    last: [],
    isCut: false,
    viewPath: undefined,
    views: 0,
    joined: [],
  };
}

export function tallyOutcome(
  tally: SearchTally,
  outcome: IndicatorOutcome,
  view: MessageView,
  record: MessageRecord,
): void {
  const count = tally.messages++;
  if (outcome.result === 'not_matched') {
    if (outcome.isThere) tally.withTarget += 1;
    // The agent's echo of our own text is not a near miss of the agent.
    if (view.echoes.length > 0) return;
    if (tally.first.length < kept) tally.first.push(record);
    else tally.last[count % kept] = record;
  } else if (outcome.result === 'error' && outcome.error.missingField) {
    tally.lacking += 1;
    tally.lackingMessage ??= outcome.error.message;
  }
}

/** Keeps a joined stream or a projection in which nothing matched: its parts alone would say little. */
export function tallyProjection(
  { joined }: SearchTally,
  outcome: IndicatorOutcome,
  view: MessageView,
  { record, content }: Projection,
): void {
  if (outcome.result !== 'not_matched' || !outcome.isThere || view.isOurs || view.echoes.length > 0) return;
  joined.unshift({ seq: record, content, kind: 'event', mode: '' });
  if (joined.length > keptJoined) joined.pop();
}

/** The operations of the agent's messages, by protocol. */
interface SeenMethods {
  add(record: MessageRecord): void;
  of(protocol: string): ReadonlyMap<string, number>;
}

const mostMethods = 200;

export function createSeenMethods(): SeenMethods {
  const byProtocol = new Map<string, Map<string, number>>();
  return {
    add({ protocol, method }) {
      let methods = byProtocol.get(protocol);
      if (methods === undefined) {
        methods = new Map();
        byProtocol.set(protocol, methods);
      }
      const count = methods.get(method);
      if (count !== undefined || methods.size < mostMethods) methods.set(method, (count ?? 0) + 1);
    },
    of: (protocol) => byProtocol.get(protocol) ?? new Map(),
  };
}

/** Describes what the indicator looked at, as data and in a sentence. */
export function describeLooked(
  indicator: NormalizedIndicator,
  tally: SearchTally,
  outcome: IndicatorOutcome,
  seen: SeenMethods,
  samples: Samples,
): Looked {
  const { messages, views, isCut } = tally;
  const { actor, surface, protocol } = indicator;
  const scope = `${surface ?? protocol}${actor === undefined ? '' : ` with "${actor}"`}`;
  if (messages === 0 && views === 0) return describeUnseen(indicator, scope, seen);
  const { got, ...facts } = collectFindings(indicator, tally, outcome, { samples, scope });
  const cut = isCut ? ['a longer stream was looked at in parts'] : [];
  const parts = [`${describeExpectation(indicator)}, ${got}`, ...formatSuggestion(facts.suggestion), ...cut];
  return { messages, ...facts, sentence: parts.join('; ') };
}

function describeUnseen(indicator: NormalizedIndicator, scope: string, seen: SeenMethods): Looked {
  const { surface, protocol, direction } = indicator;
  const methods = seen.of(protocol);
  const named = [...methods].map(([method, count]) => (count === 1 ? method : `${method} (${count})`));
  const sent =
    direction !== undefined || named.length === 0
      ? []
      : [`the agent sent ${named.slice(0, mostNamed).join(', ')}${named.length > mostNamed ? ' and more' : ''}`];
  const suggestion = surface === undefined ? undefined : findNearest(surface, methods.keys());
  return {
    messages: 0,
    ...(suggestion !== undefined && { suggestion }),
    sentence: [
      `${describeExpectation(indicator)}, but no message of ${scope} came`,
      ...sent,
      ...formatSuggestion(suggestion),
    ].join('; '),
  };
}

const mostNamed = 5;

type SearchFindings = Pick<Looked, 'withTarget' | 'suggestion' | 'nearest'> & {
  /** What was there instead of what was expected. */
  readonly got: string;
};

interface SearchContext {
  readonly samples: Samples;
  /** The messages that the indicator looks at, in words. */
  readonly scope: string;
}

function collectFindings(
  { target, pattern, expression, semantic }: NormalizedIndicator,
  tally: SearchTally,
  outcome: IndicatorOutcome,
  { samples, scope }: SearchContext,
): SearchFindings {
  const { messages, withTarget, viewPath, views } = tally;
  const records = [...tally.joined, ...listLatestFirst(tally)];
  const all = formatCount(messages, scope);
  if (expression !== undefined) return { got: describeExpressionMiss(tally, expression, records, all) };
  const path = pattern?.target ?? semantic?.target ?? target;
  const isJoined = tally.joined.length > 0;
  if (withTarget === 0 && viewPath === undefined && !isJoined) {
    const suggestion = suggestPath(path, records.map(messageValue));
    const lack = messages === 1 ? `${all} lacks it` : `none of ${all} has it`;
    return { withTarget, ...(suggestion !== undefined && { suggestion }), got: `but ${lack}` };
  }
  const some = withTarget === messages || isJoined ? all : `${withTarget} of ${all}`;
  // No message has this path, but projections of messages do, and those were looked at.
  const isViewed = withTarget === 0 && viewPath !== undefined;
  const where = isViewed ? `${viewPath}, seen ${formatTimes(views)}` : some;
  if (pattern === undefined) return { withTarget, got: `got ${describeScore(outcome)} in ${where}` };
  const near = findNearMiss(pattern, records, samples);
  if (near === undefined) return { withTarget, got: `got no match in ${where}` };
  const how = isNear(near) ? `, which ${near.reason},` : '';
  const place = messages > 1 && !isViewed ? `in record ${near.record} (of ${where})` : `in ${where}`;
  return { withTarget, nearest: near, got: `got ${near.value}${how} ${place}` };
}

function formatTimes(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** The kept messages, the latest first. */
function listLatestFirst({ first, last }: SearchTally): readonly MessageRecord[] {
  const kept = [...first, ...last.filter((record) => record !== undefined)];
  return kept.sort((a, b) => b.seq - a.seq);
}

function formatCount(messages: number, scope: string): string {
  return `${messages === 1 ? 'the only message' : `${messages} messages`} of ${scope}`;
}

function describeExpressionMiss(
  { lacking, lackingMessage }: SearchTally,
  expression: ExpressionMatch,
  records: readonly SampleSource[],
  all: string,
): string {
  if (lacking > 0) return `but ${lacking} of ${all} ${lacking === 1 ? 'lacks' : 'lack'} a field: ${lackingMessage}`;
  const [latest] = records;
  const values = latest === undefined ? '' : describeNamedValues(expression, messageValue(latest));
  return `got ${values === '' ? 'false' : values} in ${all}`;
}

function describeScore(outcome: IndicatorOutcome): string {
  const score = outcome.result === 'not_matched' ? outcome.score : undefined;
  return score === undefined ? 'no score' : `${score}`;
}

function formatSuggestion(suggestion: string | undefined): readonly string[] {
  return suggestion === undefined ? [] : [`did you mean ${suggestion}?`];
}
