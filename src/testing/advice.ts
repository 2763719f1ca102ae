import { escapeInvisible } from '../format/model/escape-invisible.ts';
import type { DocumentEntry } from '../format/model/results-file.ts';
import { isEndRecord } from '../format/model/trace-record.ts';
import { findNotice, isClientMode, type Notice } from '../format/registry/known-modes.ts';
import type { AttackOptions, AttackPace } from './attack-options.ts';
import type { AttackRun } from './result.ts';

// Advice for a result that is not a pass. Each row checks one condition; the advice of every row that holds is shown.

/** The facts about an agent that advice depends on. */
export interface AttackedAgent {
  readonly name: string;
  readonly kind: string;
  readonly isTold: boolean;
}

export interface Situation {
  readonly run: AttackRun;
  readonly document: DocumentEntry;
  readonly agent: AttackedAgent;
  readonly options: AttackOptions;
  readonly pace: AttackPace;
  readonly out: string | undefined;
}

type Advice = (situation: Situation) => string | undefined;

export function listAdvice(situation: Situation): readonly string[] {
  const { outcome } = situation.run;
  if (outcome === 'resisted') return [];
  const rows = outcome === 'exploited' || outcome === 'partial' ? [...succeeded, ...always] : [...unjudged, ...always];
  return rows.flatMap((row) => row(situation) ?? []);
}

const succeeded: readonly Advice[] = [
  ({ run: { coverage }, options: { twin, twins } }) =>
    twin || twins || coverage.inferred ? undefined : '`twins: true` shows whether the attack caused this',
  ({ document: { id } }) =>
    id === undefined ? undefined : `oatf explain ${escapeInvisible(id)} says what the attack is about`,
  ({ run: { evidence } }) => {
    const seq = evidence.find(({ record }) => record !== undefined)?.record;
    return seq === undefined ? undefined : `the message is in \`result.trace\`, where \`seq\` is ${seq}`;
  },
];

const unjudged: readonly Advice[] = [
  ({ run, pace: { timeoutMs } }) =>
    run.end === 'session_limit'
      ? `the run had ${timeoutMs / 1_000} s; \`timeout\` gives it more, and the test itself needs more than that`
      : undefined,
  ({ run }) => {
    const [first] = run.outcome === 'not_applicable' ? listUnservedClients(run) : [];
    if (first === undefined) return undefined;
    const [name, mode] = first;
    return (
      `"${escapeInvisible(name)}" is an ${mode} and calls the agent, which has no such door: say where it is with ` +
      '`connect`, or leave such attacks out by selecting a `mode`'
    );
  },
  ({ run, agent, options: { transport } }) => {
    const unreached = findUnreachedServer(run, 'mcp_config');
    if (unreached === undefined) return undefined;
    if (!agent.isTold)
      return 'an agent that is already running does not learn the servers of a run: set their ports with `listen`, and configure it to use them';
    if (agent.kind !== 'function') return undefined;
    return transport === 'memory'
      ? `connect an MCP client to \`endpoints[${JSON.stringify(unreached)}].connect()\`, and list what it offers`
      : 'connect an MCP client to each server of `mcpConfig`, and list what it offers';
  },
  ({ run, agent }) =>
    agent.kind === 'function' && hasMissed(run)
      ? 'the function did not read everything: `messages` is the conversation, and `input` is the whole run input'
      : undefined,
  ({ run, agent }) =>
    agent.kind === 'function' && findUnreachedServer(run, 'agent_card') !== undefined
      ? 'read the cards of `a2aCards`: they describe the other agents that yours can call'
      : undefined,
];

const always: readonly Advice[] = [
  ({ out }) =>
    out === undefined
      ? "`out: 'oatf-results'` stores the run; oatf report makes a page of it"
      : `the run is stored: oatf report ${escapeInvisible(out)}`,
];

/**
 * Finds a server of which nothing was delivered. Other causes are left out: an agent that failed or was still busy
 * might have reached the server later.
 */
function findUnreachedServer({ cause, delivery }: AttackRun, notice: Notice): string | undefined {
  if (cause !== 'not_delivered') return undefined;
  return Object.entries(delivery).find(([, facts]) => findNotice(facts.mode) === notice && !facts.delivered)?.[0];
}

/** Whether the function did not read everything that it was given. */
function hasMissed({ cause, trace }: AttackRun): boolean {
  return cause === 'not_delivered' && trace.find(isEndRecord)?.missed !== undefined;
}

/** Client actors that never entered a phase, so they were not played. */
function listUnservedClients({ delivery }: AttackRun): readonly (readonly [string, string])[] {
  return Object.entries(delivery).flatMap(([name, { mode, phases_entered }]) =>
    isClientMode(mode) && phases_entered.length === 0 ? [[name, mode] as const] : [],
  );
}
