import type { AgentUnderTest } from '../../agent/agent.ts';
import type { RunLimits } from '../../engine/run-end.ts';
import type { NormalizedDocument } from '../../model/normalized.ts';
import { parseDuration } from '../../primitives/parse-duration.ts';
import type { Arguments } from '../commands.ts';
import { readAgents } from './agents.ts';
import { readConnect, type Targets } from './connect.ts';
import { type Addresses, readListen } from './listen.ts';
import type { WrongUsage } from './wrong-usage.ts';

/** What was meant by what was typed. */
export interface Meant {
  readonly agents: readonly AgentUnderTest[];
  readonly limits: Partial<RunLimits>;
  readonly addresses: Addresses;
  readonly targets: Targets;
}

export function meantBy(
  values: Arguments<'run'>,
  documents: readonly NormalizedDocument[],
): Meant | WrongUsage {
  const limits = limitsOf(values);
  if ('message' in limits) return limits;
  const agents = readAgents(values.agent);
  if ('message' in agents) return agents;
  const addresses = readListen(values.listen, documents);
  if ('message' in addresses) return addresses;
  const targets = readConnect(values.connect, documents);
  if ('message' in targets) return targets;
  return untold(agents, addresses, documents) ?? { agents, limits, addresses, targets };
}

/** An agent that is already running cannot learn a port that was chosen just now. */
function untold(
  agents: readonly AgentUnderTest[],
  addresses: Addresses,
  documents: readonly NormalizedDocument[],
): WrongUsage | undefined {
  const remote = agents.find(({ isTold }) => !isTold);
  if (remote === undefined) return undefined;
  const actor = documents
    .flatMap(({ attack }) => attack.execution.actors)
    .find((each) => each.mode.endsWith('_server') && (addresses(each)?.port ?? 0) === 0);
  if (actor === undefined) return undefined;
  const { name } = actor;
  return {
    message: `--agent ${remote.name}: it is running already and cannot learn where the actor "${name}" listens`,
    hint: `give the actor a fixed place, --listen ${name}=127.0.0.1:8080, and configure the agent to use http://127.0.0.1:8080/mcp`,
  };
}

function limitsOf({ timeout, gracePeriod }: Arguments<'run'>): Partial<RunLimits> | WrongUsage {
  const sessionMs = millisecondsOf('--timeout', timeout);
  const graceMs = millisecondsOf('--grace-period', gracePeriod);
  if (typeof sessionMs === 'object') return sessionMs;
  if (typeof graceMs === 'object') return graceMs;
  return { ...(sessionMs !== undefined && { sessionMs }), ...(graceMs !== undefined && { graceMs }) };
}

function millisecondsOf(flag: string, text: string | undefined): number | undefined | WrongUsage {
  if (text === undefined) return undefined;
  const seconds = parseDuration(text);
  if (typeof seconds === 'number') return seconds * 1_000;
  return { message: `${flag}: ${seconds.message}`, hint: seconds.hint ?? 'such as 30s, 5m or PT30S' };
}
