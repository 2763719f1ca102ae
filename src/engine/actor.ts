import type { Action, Trigger } from '../model/document.ts';
import type { ProtocolEvent, TriggerState } from '../model/execution.ts';
import type { NormalizedActor, NormalizedExecution } from '../model/normalized.ts';
import type { Value, ValueMap } from '../model/value.ts';
import { computeEffectiveState } from '../primitives/compute-effective-state.ts';
import { type CompiledExtractors, compileExtractors } from '../primitives/evaluate-extractor.ts';
import { type CompiledTrigger, compileTrigger } from '../primitives/evaluate-trigger.ts';
import { parseDuration } from '../primitives/parse-duration.ts';
import type { AnswerTrouble } from './answer-trouble.ts';
import { type Await, compileAwaits, type OpenAwait } from './awaits.ts';
import type { Act, Binding, Plan, Reader } from './binding.ts';
import { compileWire, noWire, type WireRule, type WireState } from './wire.ts';

/** An actor's document, compiled once. */
export interface ActorProgram {
  readonly name: string;
  readonly mode: string;
  readonly phases: readonly PhaseProgram[];
}

export interface PhaseProgram {
  readonly name: string;
  /** The state in force: its own, or the last one before it. */
  readonly state: Value | undefined;
  /** A phase that goes on with an earlier state only watches. */
  readonly hasOwnState: boolean;
  /** Index of the phase that wrote the state in force. */
  readonly stateFrom: number;
  readonly extract: CompiledExtractors;
  readonly onEnter: readonly Action[];
  /** What must be there before the phase says anything by itself. */
  readonly awaits: readonly Await[];
  readonly trigger: CompiledTrigger | undefined;
  /** How its messages are sent; nothing where they are sent as they are. */
  readonly wire: readonly WireRule[] | undefined;
  /** What the trigger waits for. */
  readonly event: string | undefined;
  /** Milliseconds after which the phase ends in any case. */
  readonly afterMs: number | undefined;
}

/** Where an actor is. Every step gives a new one. */
export interface ActorState {
  readonly phase: number;
  /** In milliseconds of the run's clock. */
  readonly enteredAt: number;
  readonly trigger: TriggerState;
  /** What its extractors have taken so far. */
  readonly values: ValueMap;
  /** What peers have been asked, by key. An answer may come late, so these stay, up to a bound. */
  readonly asked: ReadonlyMap<string, Asked>;
  /** Asks made so far, for their keys. */
  readonly asks: number;
  /** What the binding has left to remember. */
  readonly memory: Value | undefined;
  /** What a client has called, by key, until the answer's stream is closed. */
  readonly calls: ReadonlyMap<string, OpenCall>;
  /** Work of the peer's that outlasts its answer, by name. */
  readonly unfinished: ReadonlyMap<string, Unfinished>;
  /** What a client has yet to do, in order. */
  readonly agenda: readonly Planned[];
  /** Calls made in answer to the agent, in this phase. */
  readonly followUps: number;
  /** What the phase waits for before it says anything by itself. */
  readonly awaiting: readonly OpenAwait[];
  readonly wire: WireState;
}

export interface OpenCall {
  readonly method: string;
  readonly params: Value | undefined;
  readonly phase: number;
  /** When it is no longer waited for. */
  readonly deadline?: number;
  readonly isFollowUp: boolean;
  /** The phase goes on without its answer. */
  readonly isAside?: true;
  /** A rule of `x-wire` was for it, so that what became of it is told under its name. */
  readonly isRuled?: true;
  /** The unfinished work that it asks for. Nothing waits for its answer, which is no event. */
  readonly polls?: string;
  readonly reader: Reader;
  /** When the answer was complete and the last of it came, though its stream is still open. */
  readonly overAt?: number;
  /** Something of the answer has come. */
  readonly hasBegun?: true;
  /** What went wrong with the answer, though it went on. */
  readonly trouble?: AnswerTrouble;
}

/** Work of the peer's that a client waits for. */
export interface Unfinished {
  /** The call that began it. */
  readonly begunBy: string;
  /** How often it was asked for. */
  readonly polls: number;
  /** When it is asked for again; nothing while the answer is awaited. */
  readonly notBefore?: number;
}

export interface Planned {
  readonly act: Act;
  readonly phase: number;
  /** It answers the agent, so it goes out even when the phase has been left. */
  readonly isFollowUp: boolean;
}

/** A request in the middle of its plan. It is answered from the phase it arrived in, and counts there. */
export interface OpenExchange {
  readonly exchange: string;
  readonly session: string;
  readonly era?: string | undefined;
  readonly method: string;
  readonly id: Value;
  readonly params: Value | undefined;
  readonly phase: number;
  readonly plan: Plan;
  /** It repeats a request that was counted before. */
  readonly isRepeated?: true;
  /** Events that count once it is answered. */
  readonly within: readonly ProtocolEvent[];
  /** Names of templates that resolved to nothing in what answers it. */
  readonly unresolved: string[];
  /** The next step of the plan. */
  readonly step: number;
}

export interface Asked {
  readonly method: string;
  readonly params: Value | undefined;
  readonly phase: number;
  /** The request that waits for the answer; absent once it no longer does, or when an entry action asked. */
  readonly waiting?: { readonly exchange: OpenExchange; readonly deadline: number };
}

export function compileActor(
  actor: NormalizedActor,
  { operationName }: Pick<Binding, 'operationName'> = {},
  execution: NormalizedExecution = { actors: [actor] },
): ActorProgram {
  return {
    name: actor.name,
    mode: actor.mode,
    phases: actor.phases.map((phase, index) => {
      const trigger = underOwnName(phase.trigger, operationName);
      const after = phase.trigger?.after === undefined ? undefined : parseDuration(phase.trigger.after);
      return {
        name: phase.name,
        state: computeEffectiveState(actor.phases, index),
        hasOwnState: phase.state !== undefined,
        stateFrom: actor.phases.findLastIndex((each, at) => at <= index && each.state !== undefined),
        extract: compileExtractors(phase.extractors ?? []),
        onEnter: phase.onEnter ?? [],
        awaits: compileAwaits(actor.name, phase),
        trigger: trigger === undefined ? undefined : compileTrigger(trigger),
        wire: compileWire(execution, actor, index, operationName),
        event: trigger?.event,
        afterMs: typeof after === 'number' ? after * 1_000 : undefined,
      };
    }),
  };
}

function underOwnName(trigger: Trigger | undefined, nameOf: Binding['operationName']): Trigger | undefined {
  const event = trigger?.event;
  if (event === undefined || nameOf === undefined) return trigger;
  const own = nameOf(event);
  return own === event ? trigger : { ...trigger, event: own };
}

export const initialState: ActorState = {
  phase: -1,
  enteredAt: 0,
  trigger: { eventCount: 0 },
  values: {},
  asked: new Map(),
  asks: 0,
  memory: undefined,
  calls: new Map(),
  unfinished: new Map(),
  agenda: [],
  followUps: 0,
  awaiting: [],
  wire: noWire,
};
