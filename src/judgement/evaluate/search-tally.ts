import type { Looked, NearMiss } from '../../format/model/attack-verdict.ts';
import type { NormalizedIndicator } from '../../format/model/normalized.ts';
import type { MessageRecord } from '../../format/model/trace-record.ts';
import { messageValue } from '../../format/primitives/message-value.ts';
import { findNearest } from '../../format/registry/suggestions.ts';
import type { IndicatorOutcome } from './indicator-outcome.ts';
import type { MessageView } from './message-view.ts';
import { findNearMiss, type Samples } from './near-miss.ts';
import { defaultThreshold } from './semantic.ts';
import { suggestPath } from './suggest-path.ts';

// Explains why an indicator did not match. While the trace is read, only counters move. The rest is computed at the end,
// from the first and the last messages that the indicator looked at.

/** The number of messages that are kept from each end of the trace. */
const kept = 8;

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
  const { messages, views } = tally;
  const { actor, surface, protocol } = indicator;
  const scope = `${surface ?? protocol}${actor === undefined ? '' : ` with "${actor}"`}`;
  if (messages === 0 && views === 0) return describeUnseen(indicator, `no message of ${scope} was seen`, seen);
  const cut = tally.isCut ? ['a longer stream was looked at in parts'] : [];
  const { parts, ...facts } = collectFindings(indicator, tally, outcome, samples);
  const subject = `${messages === 1 ? '1 message' : `${messages} messages`} of ${scope}`;
  return { messages, ...facts, sentence: [subject, ...parts, ...cut].join('; ') };
}

function describeUnseen(
  { surface, protocol, direction }: NormalizedIndicator,
  subject: string,
  seen: SeenMethods,
): Looked {
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
    sentence: [subject, ...sent, ...formatSuggestion(suggestion)].join('; '),
  };
}

const mostNamed = 5;

type SearchFindings = Pick<Looked, 'withTarget' | 'suggestion' | 'nearest'> & {
  readonly parts: readonly string[];
};

function collectFindings(
  indicator: NormalizedIndicator,
  tally: SearchTally,
  outcome: IndicatorOutcome,
  samples: Samples,
): SearchFindings {
  const { pattern, expression, semantic } = indicator;
  if (expression !== undefined) return { parts: describeExpressionMisses(tally) };
  const target = pattern?.target ?? semantic?.target ?? '';
  const { messages, withTarget } = tally;
  const records = [...tally.last, ...tally.first].filter((record) => record !== undefined);
  // No message has this path, but projections of messages do, and those were looked at.
  if (withTarget === 0 && tally.viewPath !== undefined)
    return { withTarget, parts: [formatViews(tally.viewPath, tally.views)] };
  if (withTarget === 0) {
    const suggestion = suggestPath(target, records.map(messageValue));
    const where = messages === 1 ? 'is not in it' : 'is in none of them';
    return {
      withTarget,
      ...(suggestion !== undefined && { suggestion }),
      parts: [`the path ${target} ${where}`, ...formatSuggestion(suggestion)],
    };
  }
  const there =
    target === ''
      ? []
      : [
          withTarget === messages
            ? `${messages === 1 ? 'it' : 'each'} has ${target}`
            : `${withTarget} of them ${withTarget === 1 ? 'has' : 'have'} ${target}`,
        ];
  if (pattern === undefined) return { withTarget, parts: [...there, ...describeScore(outcome, semantic?.threshold)] };
  const near = findNearMiss(pattern, records, samples);
  return {
    withTarget,
    ...(near !== undefined && { nearest: near }),
    parts: [...there, ...(near === undefined ? [] : [formatNearMiss(near)])],
  };
}

function formatViews(path: string, views: number): string {
  return `seen as ${path} ${views === 1 ? 'once' : `${views} times`}, without a match`;
}

function describeExpressionMisses({ messages, lacking, lackingMessage }: SearchTally): readonly string[] {
  if (lacking === 0) return [`the expression is false for ${messages === 1 ? 'it' : 'each'}`];
  return [`for ${lacking} of ${messages} the expression lacks a field: ${lackingMessage}`];
}

function describeScore(outcome: IndicatorOutcome, threshold = defaultThreshold): readonly string[] {
  const score = outcome.result === 'not_matched' ? outcome.score : undefined;
  return score === undefined ? [] : [`the highest score is ${score}, ${threshold} would match`];
}

function formatNearMiss({ record, value, reason }: NearMiss): string {
  return `record ${record} ${reason}: ${value}`;
}

function formatSuggestion(suggestion: string | undefined): readonly string[] {
  return suggestion === undefined ? [] : [`did you mean ${suggestion}?`];
}
