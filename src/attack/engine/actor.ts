import { type PhaseAwait, readAwaits } from '../../format/extensions/read-await.ts';
import type { WireRule } from '../../format/extensions/read-wire.ts';
import type { Action, Trigger } from '../../format/model/attack-document.ts';
import type { NormalizedActor, NormalizedExecution } from '../../format/model/normalized.ts';
import type { Value, ValueMap } from '../../format/model/value.ts';
import { computeEffectiveState } from '../../format/primitives/compute-effective-state.ts';
import { type CompiledExtractors, compileExtractors } from '../../format/primitives/evaluate-extractor.ts';
import {
  type CompiledTrigger,
  compileTrigger,
  type ProtocolEvent,
  type TriggerState,
} from '../../format/primitives/evaluate-trigger.ts';
import { parseDuration } from '../../format/primitives/parse-duration.ts';
import type { AnswerTrouble } from './answer-trouble.ts';
import type { Act, AnswerPlan, Binding, Reader } from './binding.ts';
import { compileWire, noWire, type WireState } from './match-wire-rules.ts';
import type { OpenAwait } from './phase-awaits.ts';

/** An actor's document, compiled once. */
export interface ActorProgram {
  readonly name: string;
  readonly mode: string;
  readonly phases: readonly PhaseProgram[];
}

export interface PhaseProgram {
  readonly name: string;
  /** The state in force: the phase's own, or the last one before it. */
  readonly state: Value | undefined;
  /** False for a phase that keeps an earlier state: it only watches. */
  readonly hasOwnState: boolean;
  /** Index of the phase that wrote the state in force. */
  readonly stateFrom: number;
  readonly extract: CompiledExtractors;
  readonly onEnter: readonly Action[];
  /** Values that must exist before the phase sends anything of its own accord. */
  readonly awaits: readonly PhaseAwait[];
  readonly trigger: CompiledTrigger | undefined;
  /** The `x-wire` rules for the phase's messages; undefined when they are sent unchanged. */
  readonly wire: readonly WireRule[] | undefined;
  /** The event that the trigger waits for. */
  readonly event: string | undefined;
  /** Milliseconds after which the phase ends in any case. */
  readonly afterMs: number | undefined;
}

/** The state of an actor. Every step returns a new one. */
export interface ActorState {
  readonly phase: number;
  /** In milliseconds of the run's clock. */
  readonly enteredAt: number;
  readonly trigger: TriggerState;
  /** The values that the actor's extractors have captured so far. */
  readonly values: ValueMap;
  /** Requests sent to peers, by key. An answer may come late, so they are kept, up to a limit. */
  readonly asked: ReadonlyMap<string, PendingRequest>;
  /** The number of requests sent so far; their keys are made from it. */
  readonly asks: number;
  /** The value that the binding stores between requests. */
  readonly memory: Value | undefined;
  /** Calls that a client has made, by key, until the stream of the answer is closed. */
  readonly calls: ReadonlyMap<string, OpenCall>;
  /** Work of the peer that outlasts its answer, by name. */
  readonly unfinished: ReadonlyMap<string, UnfinishedWork>;
  /** The acts that a client has still to perform, in order. */
  readonly agenda: readonly PlannedAct[];
  /** The number of calls made in answer to the agent in this phase. */
  readonly followUps: number;
  /** The values that the phase waits for before it sends anything of its own accord. */
  readonly awaiting: readonly OpenAwait[];
  readonly wire: WireState;
}

export interface OpenCall {
  readonly method: string;
  readonly params: Value | undefined;
  readonly phase: number;
  /** The time after which we no longer wait for the answer. */
  readonly deadline?: number;
  readonly isFollowUp: boolean;
  /** True when the phase goes on without the answer. */
  readonly isAside?: true;
  /** True when an `x-wire` rule applied to the call, so that later records of it carry its id. */
  readonly isRuled?: true;
  /** The unfinished work that this call polls. Nothing waits for the answer, and the answer is not an event. */
  readonly polls?: string;
  readonly reader: Reader;
  /** The time at which the last part of a complete answer came, while its stream is still open. */
  readonly overAt?: number;
  /** True once any part of the answer has come. */
  readonly hasBegun?: true;
  /** A problem with the answer that did not end it. */
  readonly trouble?: AnswerTrouble;
}

/** Work of the peer that a client waits for. */
export interface UnfinishedWork {
  /** The call that began it. */
  readonly begunBy: string;
  /** The number of times the work was polled. */
  readonly polls: number;
  /** The time of the next poll; undefined while the answer to a poll is awaited. */
  readonly notBefore?: number;
}

export interface PlannedAct {
  readonly act: Act;
  readonly phase: number;
  /** True for an act that answers the agent: it goes out even when the phase has been left. */
  readonly isFollowUp: boolean;
}

/** A request in the middle of its plan. It is answered from the phase in which it arrived, and counts there. */
export interface OpenExchange {
  readonly exchange: string;
  readonly session: string;
  readonly era?: string | undefined;
  readonly method: string;
  readonly id: Value;
  readonly params: Value | undefined;
  readonly phase: number;
  readonly plan: AnswerPlan;
  /** True for a repetition of a request that was counted before. */
  readonly isRepeated?: true;
  /** Events that count once the request is answered. */
  readonly within: readonly ProtocolEvent[];
  /** Names of templates in the answer that resolved to nothing. */
  readonly unresolved: string[];
  /** The next step of the plan. */
  readonly step: number;
}

export interface PendingRequest {
  readonly method: string;
  readonly params: Value | undefined;
  readonly phase: number;
  /** The request that waits for the answer; undefined once it stops waiting, or when an entry action asked. */
  readonly waiting?: { readonly exchange: OpenExchange; readonly deadline: number };
}

export function compileActor(
  actor: NormalizedActor,
  { operationName }: Pick<Binding, 'operationName'>,
  execution: NormalizedExecution,
): ActorProgram {
  return {
    name: actor.name,
    mode: actor.mode,
    phases: actor.phases.map((phase, index) => {
      const trigger = useOwnEventName(phase.trigger, operationName);
      const after = phase.trigger?.after === undefined ? undefined : parseDuration(phase.trigger.after);
      return {
        name: phase.name,
        state: computeEffectiveState(actor.phases, index),
        hasOwnState: phase.state !== undefined,
        stateFrom: actor.phases.findLastIndex((each, at) => at <= index && each.state !== undefined),
        extract: compileExtractors(phase.extractors ?? []),
        onEnter: phase.onEnter ?? [],
        awaits: readAwaits(actor.name, phase),
        trigger: trigger === undefined ? undefined : compileTrigger(trigger),
        wire: compileWire(execution, actor, index, operationName),
        event: trigger?.event,
        afterMs: typeof after === 'number' ? after * 1_000 : undefined,
      };
    }),
  };
}

function useOwnEventName(trigger: Trigger | undefined, findOperation: Binding['operationName']): Trigger | undefined {
  const event = trigger?.event;
  if (event === undefined || findOperation === undefined) return trigger;
  const own = findOperation(event);
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
