import type { AgentUnderTest } from '../../../agents/adapters/agent-under-test.ts';
import type { RunLimits } from '../../../attack/engine/run-end.ts';
import type { NormalizedActor, NormalizedDocument } from '../../../format/model/normalized.ts';
import type { SurfaceName } from '../../../format/registry/piece-kinds.ts';
import { type AgentContext, findNamedAgent, redactAgentSpec } from '../../../suite/config/named-agent.ts';
import { mostSeed } from '../../../suite/config/value-patterns.ts';
import type { ExaminedJudge } from '../../../suite/judging/examined-judge.ts';
import type { Shard } from '../../../suite/plan/shard.ts';
import { canListen } from '../../../suite/play/playable-modes.ts';
import type { Pace } from '../../../suite/play-suite.ts';
import type { Io } from '../../io.ts';
import { type PeerFinder, readConnect } from '../addresses/connect.ts';
import { type AddressFinder, readListen } from '../addresses/listen.ts';
import { readStdio, type StdioActor } from '../addresses/stdio-actor.ts';
import { readJudge } from './judge-flag.ts';
import type { RunValues } from './layers.ts';
import type { SettingSources } from './setting-sources.ts';
import {
  chooseConcurrency,
  type MaxRates,
  readDuration,
  readMaxRates,
  readMinUtility,
  readNumberFlag,
  readRate,
  readShard,
} from './suite-flags.ts';
import { refuseFlag, type WrongUsage } from './wrong-usage.ts';

/** The meaning of the values: agents, limits, addresses and the rest. */
export interface ResolvedSettings {
  readonly agents: readonly AgentUnderTest[];
  readonly limits: Partial<RunLimits>;
  /** The seed for chance in documents; not set if the user gives none. */
  readonly seed: number | undefined;
  readonly addresses: AddressFinder;
  readonly targets: PeerFinder;
  readonly a2a: A2aSettings;
  /** The actor that serves on standard input and output, if any. */
  readonly stdio: StdioActor | undefined;
  readonly suite: SuiteSettings;
  /** The judge that decides semantic indicators. */
  readonly judge: ExaminedJudge | undefined;
}

/** The addresses that documents and agents may use over A2A. */
export interface A2aSettings {
  readonly cardUrls: 'keep' | 'rewrite' | 'as-written';
  readonly allowedHosts: readonly string[];
}

/** How the runs of a suite are spread over time and machines. */
export interface SuiteSettings {
  readonly repeat: number;
  readonly pace: Pace;
  readonly shard: Shard | undefined;
  readonly maxRates: MaxRates;
  readonly minUtility: number | undefined;
}

export interface SettingsContext extends AgentContext, Pick<Io, 'pipes'> {
  readonly sources: SettingSources;
}

export async function resolveSettings(
  values: RunValues,
  documents: readonly NormalizedDocument[],
  io: SettingsContext,
): Promise<ResolvedSettings | WrongUsage> {
  const limits = readLimits(values);
  if ('message' in limits) return limits;
  const seed = readNumberFlag('seed', values.seed, 0, mostSeed);
  if ('message' in seed) return seed;
  if (values.canaries === 'fresh' && seed.value === undefined)
    return refuseFlag(
      'canaries',
      'fresh',
      'there is no seed to draw from',
      'add --seed N; the same seed draws the same canaries',
    );
  const agents = await readAgents(values.agent, io, values.without);
  if ('message' in agents) return agents;
  const addresses = readListen(values.listen, documents, values.expose);
  if ('message' in addresses) return addresses;
  const targets = readConnect(values, documents, io.environment);
  if ('message' in targets) return targets;
  const a2a = { cardUrls: values.cardUrl, allowedHosts: values.allowHost.map((host) => host.toLowerCase()) };
  const wrong = findUnreachableActor(agents, addresses, documents) ?? needsAgent(values);
  if (wrong !== undefined) return wrong;
  const stdio = readStdio(values, documents, addresses, io);
  if ('message' in stdio) return stdio;
  const suite = readSuiteSettings(values, agents, addresses, documents, io);
  if ('message' in suite) return suite;
  const judge = await readJudge(values, io);
  if ('message' in judge) return judge;
  return { agents, limits, seed: seed.value, addresses, targets, a2a, stdio: stdio.value, suite, judge: judge.value };
}

/** An agent that is already running cannot learn a port that was chosen just now. */
function findUnreachableActor(
  agents: readonly AgentUnderTest[],
  addresses: AddressFinder,
  documents: readonly NormalizedDocument[],
): WrongUsage | undefined {
  const remote = agents.find(({ isTold }) => !isTold);
  if (remote === undefined) return undefined;
  const listening = listActors(documents).filter((actor) => canListen(actor) && (addresses(actor)?.port ?? 0) === 0);
  const names = [...new Set(listening.map(({ name }) => name))];
  if (names.length === 0) return undefined;
  const flags = names.slice(0, mostAdvised).map((name, index) => `--listen ${name}=127.0.0.1:${8080 + index}`);
  const rest = names.length > mostAdvised ? ` and so on for ${names.length - mostAdvised} more` : '';
  const they = names.length === 1 ? `the actor "${names[0]}" listens` : `its ${names.length} servers listen`;
  return refuseFlag(
    'agent',
    remote.name,
    `it is already running and cannot learn where ${they}`,
    names.length === 1
      ? `give it a fixed place, ${flags.join(' ')}, and configure the agent to use it`
      : `give each a fixed place, ${flags.join(' ')}${rest}, and configure the agent to use them`,
  );
}

/** Enough examples to see the pattern. */
const mostAdvised = 4;

function listActors(documents: readonly NormalizedDocument[]): readonly NormalizedActor[] {
  return documents.flatMap(({ attack }) => attack.execution.actors);
}

/** Repeats need an agent: an operator does not connect one twenty times by hand. */
function needsAgent(values: RunValues): WrongUsage | undefined {
  if (values.agent.length > 0) return undefined;
  const { repeat, concurrency, rate, retries, shard } = values;
  const [flag] = Object.entries({ repeat, concurrency, rate, retries, shard }).find(
    ([, typed]) => typed !== undefined,
  ) ?? [values.maxRate.length > 0 ? 'max-rate' : undefined];
  if (flag === undefined) return undefined;
  return {
    message: `--${flag}: there is no agent to attack`,
    hint: 'name one with --agent; without it, a person has to connect one',
  };
}

function readSuiteSettings(
  values: RunValues,
  agents: readonly AgentUnderTest[],
  addresses: AddressFinder,
  documents: readonly NormalizedDocument[],
  io: SettingsContext,
): SuiteSettings | WrongUsage {
  const repeat = readNumberFlag('repeat', values.repeat, 1);
  if ('message' in repeat) return repeat;
  const concurrency = readNumberFlag('concurrency', values.concurrency, 1);
  if ('message' in concurrency) return concurrency;
  const retries = readNumberFlag('retries', values.retries, 0);
  if ('message' in retries) return retries;
  const rate = readRate(values.rate);
  if ('message' in rate) return rate;
  const budget = readDuration('budget', values.budget);
  if ('message' in budget) return budget;
  const shard = readShard(values.shard, io);
  if ('message' in shard) return shard;
  const maxRates = readMaxRates(values.maxRate, documents);
  if ('message' in maxRates) return maxRates;
  const minUtility = readMinUtility(values.minUtility);
  if ('message' in minUtility) return minUtility;
  const fixed = listActors(documents).find((actor) => (addresses(actor)?.port ?? 0) !== 0);
  // A concurrency from a file or a variable is an upper bound for many suites, so it is reduced silently.
  const isTyped = io.sources.concurrency?.kind === 'flag' && (concurrency.value ?? 1) > 1;
  if (fixed !== undefined && isTyped)
    return refuseFlag(
      'concurrency',
      `${concurrency.value}`,
      `the actor "${fixed.name}" listens at a fixed port, which only one run at a time can use`,
      'leave --concurrency out, or use port 0 if the agent can be told its address',
    );
  const lone = agents.find(({ isOneAtATime }) => isOneAtATime);
  if (lone !== undefined && isTyped)
    return refuseFlag(
      'concurrency',
      `${concurrency.value}`,
      `"${lone.name}" learns of each run from its \`configure\`, one run at a time`,
      'leave --concurrency out, or put {{run}} into `configure` and into its headers or body, so that it can tell runs apart',
    );
  const mostAtOnce = fixed !== undefined || lone !== undefined ? 1 : concurrency.value;
  // An agent that is already running may handle one run at a time. A flag can raise the number.
  const isAlone = fixed !== undefined || lone !== undefined || agents.some(({ isTold }) => !isTold);
  return {
    repeat: repeat.value ?? 1,
    pace: {
      concurrency: mostAtOnce ?? (isAlone || values.verbose ? 1 : chooseConcurrency()),
      retries: retries.value ?? 0,
      intervalMs: rate.value,
      budgetMs: budget.value,
    },
    shard: agents.length === 0 ? undefined : shard.value,
    maxRates,
    minUtility: minUtility.value,
  };
}

function readLimits({ timeout, terminalTimeout, gracePeriod }: RunValues): Partial<RunLimits> | WrongUsage {
  const session = readDuration('timeout', timeout);
  if ('message' in session) return session;
  if (session.value === 0)
    return refuseFlag('timeout', '', 'must be longer than zero', 'such as 30s or 5m; default: two minutes');
  const terminal = readDuration('terminal-timeout', terminalTimeout);
  if ('message' in terminal) return terminal;
  if (terminal.value === 0)
    return refuseFlag('terminal-timeout', '', 'must be longer than zero', 'such as 30s or 10m; default: five minutes');
  const grace = readDuration('grace-period', gracePeriod);
  if ('message' in grace) return grace;
  return {
    ...(session.value !== undefined && { sessionMs: session.value }),
    ...(terminal.value !== undefined && { terminalMs: terminal.value }),
    ...(grace.value !== undefined && { graceMs: grace.value }),
  };
}

export async function readAgents(
  typed: readonly string[],
  context: AgentContext,
  without: readonly SurfaceName[] = [],
): Promise<readonly AgentUnderTest[] | WrongUsage> {
  const agents: AgentUnderTest[] = [];
  for (const [index, text] of typed.entries()) {
    const agent = await findNamedAgent(text, context);
    if ('problem' in agent) return refuseFlag('agent', redactAgentSpec(text), agent.problem, agent.hint);
    if (typed.indexOf(text) < index)
      return refuseFlag('agent', redactAgentSpec(text), 'was given already', 'each agent is a column of the results');
    const lacking = [...new Set([...(agent.without ?? []), ...without])];
    agents.push({
      ...numberAgentName(agent, agents),
      // A target without a prompt gets the file's prompt.
      prompt: agent.prompt ?? context.config?.config.prompt,
      ...(lacking.length > 0 && { without: lacking }),
    });
  }
  return agents;
}

/** Two agents with the same name get numbers. */
function numberAgentName(agent: AgentUnderTest, others: readonly AgentUnderTest[]): AgentUnderTest {
  let { name } = agent;
  for (let count = 2; others.some((other) => other.name === name); count++) name = `${agent.name}-${count}`;
  return { ...agent, name };
}
