import type { AgentHealth, ProgramFacts, Usage } from '../../agents/adapters/agent-under-test.ts';
import type { RunEnd } from '../../attack/engine/run-end.ts';
import { type BindingViews, refusesFaulted } from '../../format/model/binding-views.ts';
import type { NormalizedIndicator } from '../../format/model/normalized.ts';
import { type AgentEnd, type Observation, observedProtocol } from '../../format/model/observation.ts';
import {
  isBesideFailure,
  isFaulted,
  isMessageRecord,
  type MarkerRecord,
  type MessageRecord,
  mayRefuseFaulted,
  type TraceRecord,
} from '../../format/model/trace-record.ts';
import { isValueMap } from '../../format/model/value.ts';
import { formatCompactJson } from '../../format/primitives/compact-json.ts';
import { isClientMode } from '../../format/registry/known-modes.ts';

// Watches what happens to the agent during a run. Memory is bounded, whatever the agent does.

/** The facts that only the agent's adapter knows, at the end of the run. */
export interface AgentObservations {
  readonly program?: ProgramFacts | undefined;
  readonly health?: AgentHealth | undefined;
  readonly usage?: Usage | undefined;
}

export interface RunObserver {
  add(record: TraceRecord): void;
  conclude(end: RunEnd, seen: AgentObservations): Observation;
}

/** Whether a document has indicators for what happens to its agent. */
export function isObserved(indicators: readonly NormalizedIndicator[]): boolean {
  return indicators.some(({ protocol }) => protocol === observedProtocol);
}

/** This many equal calls are a loop, if they lead to no answer. */
const loopsFrom = 10;
/** The highest number of different calls that are counted separately. */
const mostKinds = 10_000;

interface Owed {
  readonly since: number;
  last: number;
}

export function observeAgent(views: readonly BindingViews[], now: () => number): RunObserver {
  const began = now();
  const byProtocol = new Map(views.map((view) => [view.protocol, view]));
  const owed = new Map<string, Owed>();
  const made = new Map<string, number>();
  /** Requests of ours that the document broke on purpose, with whether each was still sent whole. */
  const faulted = new Map<string, boolean>();
  let [used, reported, repeats] = [0, 0, 0];
  let longest: number | undefined;
  let [wasAsked, hasAnswered] = [false, false];
  let trouble: string | undefined;
  let broke: string | undefined;

  const noteCall = ({ method, content }: MessageRecord): void => {
    used += 1;
    const key = `${method} ${formatCompactJson(withoutMeta(content), 'sorted').slice(0, 4_096)}`;
    const times = (made.get(key) ?? 0) + 1;
    if (made.has(key) || made.size < mostKinds) made.set(key, times);
    repeats = Math.max(repeats, times);
  };

  const settle = (key: string): void => {
    const open = owed.get(key);
    if (open !== undefined) longest = Math.max(longest ?? 0, open.last - open.since);
    owed.delete(key);
  };

  function addMessage(record: MessageRecord): void {
    const { actor, mode, origin, kind, session, id } = record;
    if (isBesideFailure(record)) return;
    const activity = byProtocol.get(record.protocol)?.activity(record) ?? {};
    const key = JSON.stringify([actor, id ?? session ?? null]);
    if (origin === 'attacker') {
      if (!isClientMode(mode) || kind !== 'request') return;
      // The agent owes no answer to a request that the document broke.
      if (isFaulted(record)) return void faulted.set(key, record.sent?.harm === undefined);
      owed.set(key, { since: now(), last: now() });
      wasAsked = true;
      return;
    }
    // Answers in parts name only their session.
    const open = owed.get(key) ?? owed.get(JSON.stringify([actor, session ?? null]));
    if (open !== undefined) open.last = now();
    if (isClientMode(mode) && kind === 'response') settle(key);
    const isWhole = faulted.get(key);
    if (isWhole !== undefined) wasAsked = true;
    const refusesFault = isWhole !== undefined && refusesFaulted(activity);
    const answersFault = isWhole === false && kind === 'response' && activity.trouble === undefined;
    if (isClientMode(mode) && (refusesFault || answersFault || (activity.alive && activity.trouble === undefined)))
      hasAnswered = true;
    if (!refusesFault) trouble ??= activity.trouble;
    if (kind === 'request' && activity.use) noteCall(record);
    // An agent may also report to the user a call that our server received, so the two are counted separately.
    if (record.method === 'tool_call_start') reported += 1;
  }

  /** A connection that ends an answer too early gives the reason; `absent` after an answer: it became unreachable. */
  function addConnection({ actor, event, id, session, reason, absent, status }: MarkerRecord): void {
    if (event === 'closed') settle(JSON.stringify([actor, session ?? null]));
    if (typeof reason !== 'string') return;
    const isOfFaulted = [id, session].some((name) => faulted.has(JSON.stringify([actor, name ?? null])));
    if (isOfFaulted && (typeof status !== 'number' || mayRefuseFaulted(status))) {
      if (typeof status === 'number') [wasAsked, hasAnswered] = [true, true];
      return;
    }
    if (absent === true && hasAnswered) broke ??= reason;
    else trouble ??= reason;
  }

  return {
    add(record) {
      if (isMessageRecord(record)) addMessage(record);
      else if (record.kind === 'connection') addConnection(record);
    },
    conclude(end, { program, health, usage }) {
      const isOwing = owed.size > 0;
      for (const [key, { since, last }] of owed) if (last > since) settle(key);
      const calls = Math.max(used, reported);
      const facts = { end, program, health, trouble, broke, repeats, hasAnswered, calls, wasAsked, isOwing };
      const [ended, reason] = classifyEnd(facts);
      return {
        ...(ended !== undefined && { ended }),
        ...(reason !== undefined && { reason }),
        duration_ms: Math.round(now() - began),
        ...(longest !== undefined && { answer_ms: Math.round(longest) }),
        owed: owed.size,
        calls,
        repeats,
        // A launched program always has both fields; null means that it had no such end.
        ...(program !== undefined && {
          exit_code: program.exitCode ?? null,
          signal: program.signal ?? null,
        }),
        ...(health?.memoryBytes !== undefined && { memory_bytes: health.memoryBytes }),
        ...(usage !== undefined && { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens }),
        ...(usage?.cost !== undefined && { cost: usage.cost }),
      };
    },
  };
}

interface EndFacts extends AgentObservations {
  readonly end: RunEnd;
  readonly trouble: string | undefined;
  /** The reason why an agent that had been there was no longer reachable. */
  readonly broke: string | undefined;
  readonly repeats: number;
  readonly calls: number;
  readonly hasAnswered: boolean;
  /** Whether the agent was asked for an answer that we would see. */
  readonly wasAsked: boolean;
  /** Whether the agent still owed an answer at the end. */
  readonly isOwing: boolean;
}

type Row = readonly [ended: AgentEnd, fits: (facts: EndFacts) => string | undefined];

const limits: { readonly [reason: string]: string } = {
  session_limit: 'the run’s time was over before it was done',
  terminal_limit: 'the time for the last phases was over before it was done',
};

/** The end of the agent is that of the first row that fits. */
const rows: readonly Row[] = [
  ['looped', ({ end }) => (end.reason === 'flood' ? 'it sent more messages than a run may have' : undefined)],
  [
    'looped',
    (facts) => {
      const cut = describeTimeout(facts) ?? facts.trouble;
      return facts.repeats >= loopsFrom && cut !== undefined && !hasCrashed(facts)
        ? `it made the same call ${facts.repeats} times: ${cut}`
        : undefined;
    },
  ],
  ['exhausted', ({ health }) => (health?.cut === 'memory' || health?.cut === 'output' ? health.why : undefined)],
  ['hung', describeTimeout],
  ['crashed', (facts) => hasCrashed(facts)],
  ['gave_up', ({ trouble }) => trouble],
  [
    'silent',
    ({ wasAsked, hasAnswered, calls }) =>
      !wasAsked || hasAnswered || calls > 0 ? undefined : 'it said and did nothing',
  ],
];

function classifyEnd(facts: EndFacts): readonly [AgentEnd?, string?] {
  for (const [ended, fits] of rows) {
    const reason = fits(facts);
    if (reason !== undefined) return [ended, reason];
  }
  return facts.wasAsked ? ['answered'] : [];
}

/** A client that stays connected when it is done owes no answer. */
function describeTimeout({ end, health, isOwing }: EndFacts): string | undefined {
  if (health?.cut === 'time') return health.why;
  return isOwing ? limits[end.reason] : undefined;
}

/** A program that we ended did not crash. */
function hasCrashed({ program, health, broke }: EndFacts): string | undefined {
  if (health?.cut !== undefined) return undefined;
  if (program?.signal !== undefined) return `its program was ended by ${program.signal}`;
  if (program?.exitCode !== undefined && program.exitCode !== 0)
    return `its program ended with code ${program.exitCode}`;
  return broke;
}

function withoutMeta(content: MessageRecord['content']): MessageRecord['content'] {
  if (!isValueMap(content)) return content;
  const { _meta: _, ...rest } = content;
  return rest;
}
