import type { Direction } from '../model/enumerations.ts';
import type { Diagnostic } from '../model/errors.ts';
import type { MessageRecord } from '../model/trace.ts';
import { setOwn, type Value, type ValueMap } from '../model/value.ts';
import { hasTemplate, interpolateValue } from '../primitives/interpolate-value.ts';
import type { ActorProgram, ActorState, Asked, OpenCall, PhaseProgram, Planned } from './actor.ts';
import type { Binding, Fill, Ids, PlanContext } from './binding.ts';
import type { Effect, Unstamped } from './messages.ts';
import type { Endpoint } from './ports.ts';

/** What a step sees of the world beside its actor. */
export interface StepContext {
  readonly program: ActorProgram;
  readonly binding: Binding;
  /** Values of all actors, as `actor.name`; asked for only where there is a template to fill in. */
  shared(): ValueMap;
  /** How long the peer has to answer what it is asked within a request. */
  readonly askMs: number;
  readonly ids: Ids;
  /** Where the actor listens, or what it is connected to. */
  endpoint(): Endpoint | undefined;
  timestamp(): string;
}

/** An actor in the middle of a step: copied from the state before, and turned into the state after. */
export interface Work {
  readonly context: StepContext;
  readonly now: number;
  readonly effects: Effect[];
  phase: number;
  enteredAt: number;
  trigger: { eventCount: number };
  values: ValueMap;
  asked: ReadonlyMap<string, Asked>;
  asks: number;
  memory: Value | undefined;
  calls: ReadonlyMap<string, OpenCall>;
  agenda: readonly Planned[];
  followUps: number;
}

export function beginWork(actor: ActorState, now: number, context: StepContext): Work {
  // The trigger's counter is advanced in place, so the step works on a copy.
  const trigger = { eventCount: actor.trigger.eventCount };
  const { phase, enteredAt, values, asked, asks, memory, calls, agenda, followUps } = actor;
  const state = { phase, enteredAt, trigger, values, asked, asks, memory, calls, agenda, followUps };
  return { context, now, effects: [], ...state };
}

export function endWork(work: Work): ActorState {
  const { phase, enteredAt, trigger, values, asked, asks, memory, calls, agenda, followUps } = work;
  return { phase, enteredAt, trigger, values, asked, asks, memory, calls, agenda, followUps };
}

const noPhase: PhaseProgram = {
  name: '',
  state: undefined,
  hasOwnState: false,
  stateFrom: -1,
  extractors: [],
  onEnter: [],
  trigger: undefined,
  afterMs: undefined,
};

export function phaseAt({ context }: Work, index: number): PhaseProgram {
  return context.program.phases[index] ?? noPhase;
}

export function planContext({ context, memory }: Work): PlanContext {
  const { ids, timestamp } = context;
  return { ids, memory, endpoint: context.endpoint(), timestamp };
}

/** A record of a message, in the phase that it belongs to. */
export function messageRecord(
  work: Work,
  phase: number,
  fields: Pick<MessageRecord, 'kind' | 'origin' | 'method' | 'content'> & Partial<MessageRecord>,
): Unstamped<MessageRecord> {
  const { program, binding } = work.context;
  const { name: actor, mode } = program;
  return { actor, protocol: binding.protocol, mode, phase: phaseAt(work, phase).name, ...fields };
}

export function extract(work: Work, phase: number, content: Value, direction: Direction): void {
  for (const { name, extract: run } of phaseAt(work, phase).extractors) {
    const value = run(content, direction);
    if (value === undefined) continue;
    const values: Record<string, Value> = { ...work.values };
    setOwn(values, name, value);
    work.values = values;
  }
}

/** Own values, bare and qualified, are as new as this very step; those of others as new as the last one. */
function visibleValues({ context, values }: Work): ValueMap {
  const { program } = context;
  const visible: Record<string, Value> = { ...context.shared() };
  for (const [name, value] of Object.entries(values)) {
    setOwn(visible, name, value);
    setOwn(visible, `${program.name}.${name}`, value);
  }
  return visible;
}

/** This many templates that resolve to nothing are told of a message. */
const mostUnresolved = 50;

/** What a record says of where its content stands in the document; `pieces` point into the state in force. */
export function placeOf(
  work: Work,
  phase: number,
  pieces: readonly string[] | undefined,
  unresolved: readonly string[],
): Pick<MessageRecord, 'pieces' | 'unresolved'> {
  if (pieces === undefined || pieces.length === 0) return {};
  const place = `/phases/${phaseAt(work, phase).stateFrom}/state`;
  return {
    pieces: pieces.map((piece) => place + piece),
    ...(unresolved.length > 0 && { unresolved: [...unresolved] }),
  };
}

/** Fills in templates against the request at hand; `{{response.…}}` looks into the value itself. */
export function fillFor(work: Work, phase: number, request?: Value, unresolved: string[] = []): Fill {
  return (value, other = request) => {
    if (!hasTemplate(value)) return value;
    const filled = interpolateValue(value, visibleValues(work), other, value);
    warn(work, phase, filled.diagnostics);
    for (const name of filled.unresolved) if (unresolved.length < mostUnresolved) unresolved.push(name);
    return filled.value;
  };
}

export function setAsked(work: Work, key: string, entry: Asked): Map<string, Asked> {
  const asked = new Map(work.asked).set(key, entry);
  work.asked = asked;
  return asked;
}

export function warn(work: Work, phase: number, diagnostics: readonly Diagnostic[]): void {
  const where = `${work.context.program.name}, ${phaseAt(work, phase).name}`;
  for (const diagnostic of diagnostics)
    work.effects.push({
      kind: 'warn',
      diagnostic: { ...diagnostic, message: `${where}: ${diagnostic.message}` },
    });
}
