import type { Direction } from '../../format/model/enumeration-types.ts';
import type { Diagnostic } from '../../format/model/errors.ts';
import type { MessageRecord } from '../../format/model/trace-record.ts';
import { setOwn, type Value, type ValueMap } from '../../format/model/value.ts';
import { isDeepEqual } from '../../format/primitives/deep-equals.ts';
import { hasTemplate, interpolateValue } from '../../format/primitives/interpolate-template.ts';
import type {
  ActorProgram,
  ActorState,
  OpenCall,
  PendingRequest,
  PhaseProgram,
  PlannedAct,
  UnfinishedWork,
} from './actor.ts';
import { type Effect, type Incoming, readAnswerContent, readFailedField, type Unstamped } from './actor-messages.ts';
import type { Binding, Fill, Ids, PlanContext } from './binding.ts';
import type { WireState } from './match-wire-rules.ts';
import { mostExtracted, overdueCode, oversizeCode, warnOfOverdue, warnOfOversize } from './overdue.ts';
import type { OpenAwait } from './phase-awaits.ts';
import type { Endpoint } from './ports.ts';

/** The context of a step, in addition to its actor. */
export interface StepContext {
  readonly program: ActorProgram;
  readonly binding: Binding;
  /** Values of all actors, as `actor.name`; called only when there is a template to fill in. */
  shared(): ValueMap;
  /** How long the peer has to answer a request that we send while one of its own is still open. */
  readonly askMs: number;
  readonly ids: Ids;
  /** The seed for random choices. */
  readonly seed: number;
  /** The endpoint at which the actor listens, or to which it is connected. */
  endpoint(): Endpoint | undefined;
  timestamp(): string;
}

/** An actor in the middle of a step: copied from the state before, and turned into the state after. */
export interface StepWork {
  readonly context: StepContext;
  readonly now: number;
  readonly effects: Effect[];
  phase: number;
  enteredAt: number;
  trigger: { eventCount: number };
  values: ValueMap;
  asked: ReadonlyMap<string, PendingRequest>;
  asks: number;
  memory: Value | undefined;
  calls: ReadonlyMap<string, OpenCall>;
  unfinished: ReadonlyMap<string, UnfinishedWork>;
  agenda: readonly PlannedAct[];
  followUps: number;
  awaiting: readonly OpenAwait[];
  wire: WireState;
}

// Both list every field: copying an object of this size field by field is ten times faster than spreading it.

export function beginWork(actor: ActorState, now: number, context: StepContext): StepWork {
  return {
    context,
    now,
    effects: [],
    phase: actor.phase,
    enteredAt: actor.enteredAt,
    // The counter is advanced in place, so the step works on a copy.
    trigger: { eventCount: actor.trigger.eventCount },
    values: actor.values,
    asked: actor.asked,
    asks: actor.asks,
    memory: actor.memory,
    calls: actor.calls,
    unfinished: actor.unfinished,
    agenda: actor.agenda,
    followUps: actor.followUps,
    awaiting: actor.awaiting,
    wire: actor.wire,
  };
}

export function finishStep(work: StepWork): ActorState {
  return {
    phase: work.phase,
    enteredAt: work.enteredAt,
    trigger: work.trigger,
    values: work.values,
    asked: work.asked,
    asks: work.asks,
    memory: work.memory,
    calls: work.calls,
    unfinished: work.unfinished,
    agenda: work.agenda,
    followUps: work.followUps,
    awaiting: work.awaiting,
    wire: work.wire,
  };
}

const noPhase: PhaseProgram = {
  name: '',
  state: undefined,
  hasOwnState: false,
  stateFrom: -1,
  extract: () => [],
  onEnter: [],
  awaits: [],
  trigger: undefined,
  wire: undefined,
  event: undefined,
  afterMs: undefined,
};

export function getPhase({ context }: StepWork, index: number): PhaseProgram {
  return context.program.phases[index] ?? noPhase;
}

export function createPlanContext({ context, memory }: StepWork): PlanContext {
  const { ids, timestamp } = context;
  return { ids, memory, endpoint: context.endpoint(), timestamp };
}

/** A record of a message, in the phase that it belongs to. */
export function createMessageRecord(
  work: StepWork,
  phase: number,
  fields: Pick<MessageRecord, 'kind' | 'origin' | 'method' | 'content'> & Partial<MessageRecord>,
): Unstamped<MessageRecord> {
  const { program, binding } = work.context;
  const { name: actor, mode } = program;
  return { actor, protocol: binding.protocol, mode, phase: getPhase(work, phase).name, ...fields };
}

/** The record of the agent's answer to a request of ours. An answer that we did not ask for has an unknown method. */
export function createAnswerRecord(
  work: StepWork,
  phase: number,
  { ask, answer, session, noted, era, wire, status }: Extract<Incoming, { kind: 'answer' }>,
  asked: Pick<PendingRequest, 'method' | 'params'> | undefined,
): Unstamped<MessageRecord> {
  return createMessageRecord(work, phase, {
    kind: 'response',
    origin: 'agent',
    method: asked?.method ?? 'unknown',
    id: ask,
    content: readAnswerContent(answer),
    session,
    ...createEraField(era, wire),
    ...(asked?.params !== undefined && { request: asked.params }),
    ...readFailedField(answer),
    ...(status !== undefined && { status }),
    ...(noted !== undefined && { noted }),
  });
}

/** The content of a request as recorded and matched: missing params are an empty object, and null stays null. */
export function readContent(params: Value | undefined): Value {
  return params === undefined ? {} : params;
}

/** The `era` and `wire` fields of a record. */
export function createEraField(era: string | undefined, wire?: Value): Pick<MessageRecord, 'era' | 'wire'> {
  if (wire !== undefined) return { ...(era !== undefined && { era }), wire };
  return era === undefined ? {} : { era };
}

export function extractValues(work: StepWork, phase: number, content: Value, direction: Direction): void {
  for (const extraction of getPhase(work, phase).extract(content, direction)) {
    const { name } = extraction;
    const found = 'failure' in extraction ? undefined : extraction.value;
    if (found === undefined && !('failure' in extraction)) continue;
    const { [name]: _before, ...values }: Record<string, Value> = work.values;
    work.values = values;
    const fits = found === undefined || hasRoomFor(work, found);
    if (found !== undefined && fits) setOwn(values, name, found);
    // The old value may be one that this message revokes, so it is dropped rather than sent.
    if ('failure' in extraction)
      recordWarnings(work, phase, [warnOfOverdue(`extractor "${name}"`, extraction.failure)]);
    else if (!fits) recordWarnings(work, phase, [warnOfOversize(name)]);
  }
}

/** Short values are always accepted: a document has too few extractors for them to fill the memory. */
const shortValue = 4 * 1024;

function hasRoomFor(work: StepWork, value: string): boolean {
  if (value.length <= shortValue) return true;
  const own = `${work.context.program.name}.`;
  const others = Object.entries(work.context.shared()).flatMap(([name, held]) => (name.startsWith(own) ? [] : [held]));
  const held = [...others, ...Object.values(work.values)];
  return (
    held.reduce<number>((sum, each) => sum + (typeof each === 'string' ? each.length : 0), value.length) <=
    mostExtracted
  );
}

/** Stores a value under a name, as an extractor does. */
export function keepValue(work: StepWork, name: string, value: Value): void {
  const values: Record<string, Value> = { ...work.values };
  setOwn(values, name, value);
  work.values = values;
}

/**
 * The actor's own values, bare and qualified, include those of this step; values of other actors are those of the last
 * step.
 */
function collectVisibleValues({ context, values }: StepWork): ValueMap {
  const { program } = context;
  const visible: Record<string, Value> = { ...context.shared() };
  for (const [name, value] of Object.entries(values)) {
    setOwn(visible, name, value);
    setOwn(visible, `${program.name}.${name}`, value);
  }
  return visible;
}

/** The most unresolved templates that are recorded for a message. */
const mostUnresolved = 50;

/** The fields that say where a message stands in the document; `pieces` point into the state in force. */
export function createPlaceFields(
  work: StepWork,
  phase: number,
  pieces: readonly string[] | undefined,
  unresolved: readonly string[],
): Pick<MessageRecord, 'pieces' | 'unresolved'> {
  if (pieces === undefined || pieces.length === 0) return {};
  const place = `/phases/${getPhase(work, phase).stateFrom}/state`;
  return {
    pieces: pieces.map((piece) => place + piece),
    ...(unresolved.length > 0 && { unresolved: [...unresolved] }),
  };
}

/** Fills in templates against the current request; `{{response.…}}` reads the outgoing value itself. */
export function fillFor(work: StepWork, phase: number, request?: Value, unresolved: string[] = []): Fill {
  return (value, other = request) => {
    if (!hasTemplate(value)) return value;
    const values = collectVisibleValues(work);
    const filled = interpolateValue(value, values, other, fillOutgoing(value, values, other));
    recordWarnings(work, phase, filled.diagnostics);
    for (const name of new Set(filled.unresolved))
      if (unresolved.length < mostUnresolved && !unresolved.includes(name)) unresolved.push(name);
    return filled.value;
  };
}

/** Values that refer to each other take one round each; a value that refers to itself would never settle. */
const mostRounds = 4;

/** Fills in a value that its own `{{response.…}}` templates read. */
function fillOutgoing(value: Value, values: ValueMap, request: Value | undefined): Value {
  if (!hasTemplate(value, '{{response.')) return value;
  let { value: filled } = interpolateValue(value, values, request);
  for (let round = 1; round < mostRounds; round++) {
    const { value: next } = interpolateValue(value, values, request, filled);
    if (isDeepEqual(next, filled)) break;
    filled = next;
  }
  return filled;
}

export function setAsked(work: StepWork, key: string, entry: PendingRequest): Map<string, PendingRequest> {
  const asked = new Map(work.asked).set(key, entry);
  work.asked = asked;
  return asked;
}

export function recordWarnings(work: StepWork, phase: number, diagnostics: readonly Diagnostic[]): void {
  const { name: actor } = work.context.program;
  const { name } = getPhase(work, phase);
  for (const diagnostic of diagnostics) {
    const { code, message } = diagnostic;
    work.effects.push({
      kind: 'warn',
      diagnostic: { ...diagnostic, message: `${actor}, ${name}: ${message}` },
    });
    // A trace is judged on its own, so it must say that the attack may have taken a different course.
    if (code === overdueCode || code === oversizeCode) {
      const record = { kind: 'log', actor, phase: name, level: 'warn', message, cause: 'unjudged' } as const;
      work.effects.push({ kind: 'record', record });
    }
  }
}
