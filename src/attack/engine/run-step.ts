import type { Diagnostic } from '../../format/model/errors.ts';
import type { EndReason } from '../../format/model/trace-record.ts';
import { failUnreachable } from '../../format/model/value.ts';
import { decideRunEnd, type RunEnd, type RunLimits } from './run-end.ts';

// Decides how a run goes on: whether its agent has come, when it only waits, and how it ends. There is no clock, timer
// or wait inside: time comes in with each event, and what has to be done goes out as effects.

/** The facts about a run that never change. */
export interface RunRules {
  readonly limits: RunLimits;
  readonly graceMs: number | undefined;
  /** The names of the phases of each server actor. */
  readonly servers: ReadonlyMap<string, readonly string[]>;
  readonly hasClients: boolean;
}

/** The actors and the agent at one moment. */
export interface RunScene {
  readonly lastTraffic: number;
  /** Whether a peer is in the middle of a message. */
  readonly isReceiving: boolean;
  readonly areClientsDone: boolean;
  /** When the last actor entered its terminal phase; undefined until all have. */
  readonly terminalSince: number | undefined;
  /** Whether the agent guarantees that it does nothing more until it is spoken to. */
  readonly isAgentSettled: boolean;
  /** The servers with sessions, all of which have ended. */
  readonly leftServers: readonly string[];
  readonly openSessions: number;
  readonly isConnected: boolean;
}

export type RunStepEvent =
  /** A peer has done something; `isAgent` if that shows that an agent is there. */
  | {
      readonly kind: 'traffic';
      readonly actor?: string | undefined;
      readonly phase?: string | undefined;
      readonly isAgent: boolean;
    }
  /** The clients begin to speak. */
  | { readonly kind: 'clients_begin' }
  /** An actor or a connection has changed, so the run may be over. */
  | { readonly kind: 'moved' }
  /** The time of the last `wake` has come. */
  | { readonly kind: 'woken'; readonly scene: RunScene }
  | { readonly kind: 'warning'; readonly diagnostic: Diagnostic }
  /** The agent could not be launched. */
  | { readonly kind: 'not_launched'; readonly trouble?: string; readonly error?: string | undefined }
  /** Something outside ends the run; with `error`, it has failed. */
  | { readonly kind: 'end'; readonly reason: EndReason; readonly error?: string | undefined };

export type RunEffect =
  /** Asks for `woken` at this time; it replaces any earlier request. */
  | { readonly kind: 'wake'; readonly at: number }
  /** Everything is sent: from now on the run only waits to see whether the agent acts. */
  | { readonly kind: 'tell_waiting' }
  | { readonly kind: 'close'; readonly reason: EndReason };

export interface RunState {
  /** `grace`: a limit has ended the run, and the document's grace period follows. */
  readonly stage: 'playing' | 'grace' | 'closing';
  readonly firstTraffic: number | undefined;
  readonly lastTraffic: number;
  readonly hadAgent: boolean;
  /** Actors that a peer has sent something to. */
  readonly visited: ReadonlySet<string>;
  readonly clientsDoneSince: number | undefined;
  readonly isWaiting: boolean;
  readonly reason: EndReason | undefined;
  readonly failure: string | undefined;
  readonly trouble: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

interface RunStep {
  readonly state: RunState;
  readonly effects: readonly RunEffect[];
}

export const initialRunState: RunState = {
  stage: 'playing',
  firstTraffic: undefined,
  lastTraffic: 0,
  hadAgent: false,
  visited: new Set(),
  clientsDoneSince: undefined,
  isWaiting: false,
  reason: undefined,
  failure: undefined,
  trouble: undefined,
  diagnostics: [],
};

/** Sessions end without a message to us; this limits how late we notice. */
const lookEveryMs = 250;

const mostDiagnostics = 200;

export function stepRun(state: RunState, event: RunStepEvent, now: number, rules: RunRules): RunStep {
  switch (event.kind) {
    case 'traffic':
      return takeTraffic(state, event, now, rules);
    case 'clients_begin':
      return noticeFirst({ ...state, lastTraffic: now }, now);
    case 'moved':
      return lookAgain(state, now);
    case 'woken':
      return lookAt(state, event.scene, now, rules);
    case 'warning':
      return { state: addDiagnostic(state, event.diagnostic), effects: [] };
    case 'not_launched':
      return endRun({ ...state, trouble: state.trouble ?? event.trouble }, 'failed', event.error, now, rules);
    case 'end':
      return endRun(state, event.reason, event.error, now, rules);
    default:
      return failUnreachable(event);
  }
}

/** Whether traffic like this tells nothing new, so that no step is needed for it. */
export function isKnownTraffic(state: RunState, actor: string | undefined, isAgent: boolean): boolean {
  if (state.firstTraffic === undefined || (isAgent && !state.hadAgent)) return false;
  return actor === undefined || state.visited.has(actor);
}

function takeTraffic(
  state: RunState,
  { actor, phase, isAgent }: Extract<RunStepEvent, { kind: 'traffic' }>,
  now: number,
  rules: RunRules,
): RunStep {
  const noticed = noticeFirst(state, now);
  const seen = { ...noticed.state, hadAgent: state.hadAgent || isAgent };
  if (actor === undefined || state.visited.has(actor)) return { ...noticed, state: seen };
  const visited = { ...seen, visited: new Set([...state.visited, actor]) };
  const missed = findMissedPhases(rules.servers.get(actor) ?? [], actor, phase);
  return { ...noticed, state: missed === undefined ? visited : addDiagnostic(visited, missed) };
}

/** Without traffic there is no limit, so the run is looked at from the first on. */
function noticeFirst(state: RunState, now: number): RunStep {
  return state.firstTraffic === undefined ? lookAgain({ ...state, firstTraffic: now }, now) : { state, effects: [] };
}

function lookAgain(state: RunState, now: number): RunStep {
  return { state, effects: state.stage === 'playing' ? [{ kind: 'wake', at: now }] : [] };
}

/**
 * Warns of phases that ended before the agent came. Until then only `after` ends phases, and their messages reach no
 * agent.
 */
function findMissedPhases(
  phases: readonly string[],
  actor: string,
  arrivedIn: string | undefined,
): Diagnostic | undefined {
  const arrived = arrivedIn === undefined ? 0 : phases.indexOf(arrivedIn);
  const [first, ...others] = phases.slice(0, Math.max(0, arrived)).map((name) => `"${name}"`);
  if (first === undefined) return undefined;
  const which = others.length === 0 ? `phase ${first}` : `phases ${[first, ...others].join(', ')}`;
  const message = `${which} of "${actor}" ended by \`after\` before the agent came, which has seen nothing of it`;
  return { severity: 'warning', code: 'O-114', message };
}

/** Each warning is kept once: the same warning for every message of a flood would be a flood itself. */
function addDiagnostic(state: RunState, diagnostic: Diagnostic): RunState {
  const { diagnostics } = state;
  const isKnown = diagnostics.some(({ code, message }) => code === diagnostic.code && message === diagnostic.message);
  if (isKnown || diagnostics.length >= mostDiagnostics) return state;
  return { ...state, diagnostics: [...diagnostics, diagnostic] };
}

/** Checks whether the run is over, and when to check again. */
function lookAt(state: RunState, scene: RunScene, now: number, rules: RunRules): RunStep {
  const { firstTraffic, reason: ended } = state;
  if (state.stage === 'grace' && ended !== undefined) return closeRun(state, ended);
  if (state.stage !== 'playing' || firstTraffic === undefined) return { state, effects: [] };
  const { limits, graceMs, hasClients } = rules;
  const areDone = !scene.isReceiving && scene.areClientsDone;
  const looked: RunState = {
    ...state,
    // A peer in the middle of a message is not quiet, however slowly the message comes.
    lastTraffic: scene.isReceiving ? now : Math.max(state.lastTraffic, scene.lastTraffic),
    clientsDoneSince: areDone ? (state.clientsDoneSince ?? now) : undefined,
  };
  const [reason, at] = decideRunEnd({
    limits,
    graceMs,
    firstTraffic,
    lastTraffic: looked.lastTraffic,
    hadAgent: looked.hadAgent,
    terminalSince: scene.terminalSince,
    clientsDoneSince: hasClients ? looked.clientsDoneSince : 'none',
    isSettled: isAgentSettled(looked, scene, rules),
    openSessions: scene.openSessions,
    isConnected: scene.isConnected,
  });
  if (at <= now) return endRun(looked, reason, undefined, now, rules);
  const wake: RunEffect = { kind: 'wake', at: Math.min(at, now + lookEveryMs) };
  if (reason !== 'finished' || state.isWaiting) return { state: looked, effects: [wake] };
  return { state: { ...looked, isWaiting: true }, effects: [{ kind: 'tell_waiting' }, wake] };
}

/**
 * The agent is settled when there is no server for it to call, when it guarantees that it is done, or when it has ended
 * all its sessions.
 */
function isAgentSettled({ visited }: RunState, scene: RunScene, { servers }: RunRules): boolean {
  if (servers.size === 0 || scene.isAgentSettled) return true;
  const own = [...servers.keys()].filter((name) => visited.has(name));
  return own.length > 0 && own.every((name) => scene.leftServers.includes(name));
}

function endRun(
  before: RunState,
  reason: EndReason,
  error: string | undefined,
  now: number,
  { graceMs }: RunRules,
): RunStep {
  const state = { ...before, failure: before.failure ?? error };
  if (state.stage === 'closing') return { state, effects: [] };
  // A failure, or a caller that stops the run, ends the grace period, too.
  if (state.stage === 'grace') return closeRun(state, state.reason ?? reason);
  if (!isLimit(reason) || graceMs === undefined) return closeRun(state, reason);
  return { state: { ...state, stage: 'grace', reason }, effects: [{ kind: 'wake', at: now + graceMs }] };
}

function closeRun(state: RunState, reason: EndReason): RunStep {
  return { state: { ...state, stage: 'closing', reason }, effects: [{ kind: 'close', reason }] };
}

/** Whether the run ended because its time was over. */
export function isLimit(reason: EndReason): boolean {
  return reason === 'session_limit' || reason === 'terminal_limit';
}

/** How the run ended, once everything is closed. */
export function describeEnd(
  { reason = 'stopped', failure, trouble, diagnostics }: RunState,
  waiting: RunEnd['waiting'],
  skipped: readonly string[],
): RunEnd {
  return {
    reason: failure === undefined ? reason : 'failed',
    ...(failure !== undefined && { error: failure }),
    ...(trouble !== undefined && { trouble }),
    waiting,
    diagnostics,
    skipped,
  };
}
