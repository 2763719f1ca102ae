import type { AgentHealth, ProgramFacts, Usage } from '../../agents/adapters/agent-under-test.ts';
import type { RunEnd } from '../../attack/engine/run-end.ts';
import { failUnreachable } from '../../format/model/value.ts';

// Tracks what happens around a run while it is played: its agent, its trace, its caller. A step decides when the run
// stops and how it has ended; the caller of the step performs the effects.

/** The facts that are known about an agent when it has ended. */
export interface AgentAtEnd {
  readonly usage?: Usage | undefined;
  /** Facts about its program before we stopped it. */
  readonly programBefore?: ProgramFacts | undefined;
  readonly program?: ProgramFacts | undefined;
  readonly health?: AgentHealth | undefined;
  /** What went wrong with its program before we stopped it. */
  readonly trouble?: string | undefined;
  /** The reason why it has missed its run. */
  readonly missed?: string | undefined;
  /** The steps of the plan that it could not make, and why. */
  readonly skipped?: readonly string[] | undefined;
  /** Why it could not act at all. */
  readonly absent?: string | undefined;
  /** What it left running. */
  readonly left?: string | undefined;
}

export type PlayEvent =
  /** An actor sent the agent a message. */
  | { readonly kind: 'spoken' }
  /** The run has begun; `isReachable` if it has an address for an agent. */
  | { readonly kind: 'begun'; readonly isReachable: boolean }
  /** A record was dropped, because the trace has no room left. */
  | { readonly kind: 'trace_full' }
  | { readonly kind: 'trace_failed'; readonly reason: string }
  /** The caller's own code threw. */
  | { readonly kind: 'caller_threw'; readonly thrown: unknown }
  /** The caller interrupts the run. */
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'ended'; readonly end: RunEnd }
  /** The agent has ended, so nothing more happens to it. */
  | { readonly kind: 'agent_left'; readonly agent: AgentAtEnd }
  /** All records are judged and handed to the trace. */
  | { readonly kind: 'drained' }
  /** All records are in the file of the trace, as far as it could be written. */
  | { readonly kind: 'flushed' };

export type PlayEffect =
  | { readonly kind: 'stop_run'; readonly reason: 'stopped' | 'flood' | 'finished' }
  /** Records what was observed of the agent. */
  | { readonly kind: 'record_observation'; readonly end: RunEnd; readonly agent: AgentAtEnd }
  /** Records the end, which is the last record. */
  | {
      readonly kind: 'record_end';
      readonly end: RunEnd;
      readonly agent: AgentAtEnd;
      readonly traceFault: string | undefined;
    };

export interface PlayState {
  /** Whether the run has begun, so that it can be stopped. */
  readonly hasBegun: boolean;
  /** The reason to stop the run once it has begun. */
  readonly stop: 'stopped' | 'flood' | undefined;
  readonly isSpokenTo: boolean;
  readonly isCut: boolean;
  readonly traceFault: string | undefined;
  readonly callersFault: { readonly thrown: unknown } | undefined;
  readonly end: RunEnd | undefined;
  /** Set once the agent has ended; what is reported later is not recorded. */
  readonly agent: AgentAtEnd | undefined;
}

export interface PlayStep {
  readonly state: PlayState;
  readonly effects: readonly PlayEffect[];
}

export const initialPlayState: PlayState = {
  hasBegun: false,
  stop: undefined,
  isSpokenTo: false,
  isCut: false,
  traceFault: undefined,
  callersFault: undefined,
  end: undefined,
  agent: undefined,
};

/** Applies an event to a run that is played. */
export function stepPlay(state: PlayState, event: PlayEvent): PlayStep {
  switch (event.kind) {
    case 'spoken':
      return { state: { ...state, isSpokenTo: true }, effects: [] };
    case 'begun':
      return begin(state, event.isReachable);
    case 'trace_full':
      return state.isCut ? { state, effects: [] } : stopRun({ ...state, isCut: true }, 'flood');
    case 'trace_failed':
      return stopRun({ ...state, traceFault: state.traceFault ?? event.reason }, 'stopped');
    case 'caller_threw':
      return { state: { ...state, callersFault: { thrown: event.thrown } }, effects: [] };
    case 'interrupted':
      return stopRun(state, 'stopped');
    case 'ended':
      return { state: { ...state, end: event.end }, effects: [] };
    case 'agent_left':
      return { state: { ...state, agent: event.agent }, effects: [] };
    case 'drained':
      return observe(state);
    case 'flushed':
      return conclude(state);
    default:
      return failUnreachable(event);
  }
}

function begin(state: PlayState, isReachable: boolean): PlayStep {
  const begun = { ...state, hasBegun: true };
  if (state.stop !== undefined) return { state: begun, effects: [{ kind: 'stop_run', reason: state.stop }] };
  // No agent can connect to a run without endpoints, and without traffic it would never end.
  return { state: begun, effects: isReachable ? [] : [{ kind: 'stop_run', reason: 'finished' }] };
}

function stopRun(state: PlayState, reason: 'stopped' | 'flood'): PlayStep {
  if (state.hasBegun) return { state, effects: [{ kind: 'stop_run', reason }] };
  return { state: { ...state, stop: state.stop ?? reason }, effects: [] };
}

/** For an agent that was stopped early, its own end is unknown. */
function observe(state: PlayState): PlayStep {
  const end = withReason(state.end, 'flood', state.isCut);
  const { agent } = state;
  const isObserved = end !== undefined && end.reason !== 'stopped' && end.reason !== 'failed';
  const effects: readonly PlayEffect[] =
    isObserved && agent !== undefined ? [{ kind: 'record_observation', end, agent }] : [];
  return { state: { ...state, end }, effects };
}

/** A run without its trace is stopped, so that it is played again. A short one has ended before this is known. */
function conclude(state: PlayState): PlayStep {
  const { agent, traceFault } = state;
  const end = withReason(state.end, 'stopped', traceFault !== undefined);
  const effects: readonly PlayEffect[] =
    end === undefined || agent === undefined ? [] : [{ kind: 'record_end', end, agent, traceFault }];
  return { state: { ...state, end }, effects };
}

/** A failed run keeps its reason. */
function withReason(end: RunEnd | undefined, reason: RunEnd['reason'], isMeant: boolean): RunEnd | undefined {
  return isMeant && end !== undefined && end.error === undefined ? { ...end, reason } : end;
}
