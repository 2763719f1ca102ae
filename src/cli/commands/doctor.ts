import type { LoadedConfig } from '../../config/load-config.ts';
import { visible } from '../../report/visible.ts';
import type { Arguments, Command } from '../commands.ts';
import { lookAtConfig } from '../doctor/configuration.ts';
import { type Finding, sayOf } from '../doctor/finding.ts';
import { greeting } from '../doctor/greeting.ts';
import { lookAtMachine } from '../doctor/machine.ts';
import { lookAtSettings } from '../doctor/settings.ts';
import { lookAtSurfaces } from '../doctor/surfaces.ts';
import { findingsToText } from '../doctor/text.ts';
import { visit } from '../doctor/visit.ts';
import { complain, type Io } from '../io.ts';
import type { CommandOutcome } from '../outcome.ts';
import { withFilePlaces } from '../run/places/file-places.ts';
import { type Addresses, readListen } from '../run/places/listen.ts';
import { watchInterruption } from '../run/play/interruption.ts';
import { shownFile } from '../run/results/out-folder.ts';
import { readAgents } from '../run/settings/agents.ts';
import { readConfig } from '../run/settings/config-flag.ts';
import { readDuration } from '../run/settings/suite-flags.ts';
import { type WrongUsage, wrongFlag } from '../run/settings/wrong-usage.ts';

const usualTimeoutMs = 60_000;

export const doctor: Command<'doctor'> = async (values, io) => {
  const timeout = readTimeout(values.timeout);
  if ('message' in timeout) return complain(io, 'usage', `doctor: ${timeout.message}`, timeout.hint);
  const read = await readConfig(values.config, io);
  const config = read?.ok ? read : undefined;
  const addresses =
    values.listen.length > 0 ? readListen(values.listen, [greeting()], false) : placesIn(config, io);
  if (addresses !== undefined && 'message' in addresses)
    return complain(io, 'usage', `doctor: ${addresses.message}`, addresses.hint);
  const findings: Finding[] = [];
  const tell = async (found: readonly Finding[]): Promise<void> => {
    if (!values.json) await io.stdout.write(findingsToText(found, findings.at(-1)?.about, io.stdout));
    findings.push(...found);
  };
  // Problems of the file itself are reported with the configuration, below.
  const settings = read?.ok === false ? undefined : await lookAtSettings(config, io);
  await tell(await lookAtMachine(settings?.out, io));
  await tell([...lookAtConfig(read, io), ...(settings?.findings ?? [])]);
  const { signal, exit } = watchInterruption(io, 'the visit');
  const options = { timeoutMs: timeout.value, signal, addresses };
  for (const name of namesOf(values, config, settings?.agents ?? [])) {
    const found = signal.aborted ? [] : await lookAtAgent(name, config, io, options);
    // The findings of an interrupted visit say nothing about the agent.
    if (signal.aborted) break;
    await tell(found);
  }
  if (values.json) await io.stdout.write(`${JSON.stringify({ version: 1, findings }, null, 2)}\n`);
  return outcomeOf(findings, exit(), config);
};

function readTimeout(typed: string | undefined): { readonly value: number } | WrongUsage {
  const read = readDuration('timeout', typed);
  if ('message' in read) return read;
  return read.value === 0
    ? wrongFlag('timeout', '', 'must be longer than zero', 'such as 30s; default: 1m')
    : { value: read.value ?? usualTimeoutMs };
}

/** The named agents; by default, every target of the configuration and the agents that the settings select. */
function namesOf(
  { agents, talk }: Arguments<'doctor'>,
  config: LoadedConfig | undefined,
  attacked: readonly string[],
): readonly string[] {
  if (!talk) return [];
  return agents.length > 0
    ? [...new Set(agents)]
    : [...new Set([...Object.keys(config?.config.targets ?? {}), ...attacked])];
}

/** The addresses that the configuration gives to servers: an agent that is already running is configured with them. */
function placesIn(config: LoadedConfig | undefined, io: Io): Addresses | undefined {
  if (config === undefined) return undefined;
  const documents = [greeting()];
  const places = withFilePlaces({ listen: [], connect: [], header: [] }, documents, {
    config: { ...config.config, connect: {} },
    file: shownFile(config.path, io.cwd),
    environment: io.environment,
    isResumed: false,
  });
  if ('message' in places || places.listen.every((place) => place.endsWith(':0'))) return undefined;
  const addresses = readListen(places.listen, documents, false);
  return 'message' in addresses ? undefined : addresses;
}

async function lookAtAgent(
  name: string,
  config: LoadedConfig | undefined,
  io: Io,
  options: Parameters<typeof visit>[1],
): Promise<readonly Finding[]> {
  const agents = await readAgents([name], { ...io, config });
  if ('message' in agents) {
    const { about, message, hint } = agents;
    return [sayOf(visible(name))('wrong', about?.problem ?? message, hint)];
  }
  const [agent] = agents;
  if (agent === undefined) return [];
  try {
    const found = await visit(agent, options);
    // An agent that failed, or did not use this server, would show nothing more with a server that offers more.
    const isWell = found.every(({ status }) => status === 'ok');
    return isWell ? [...found, ...(await lookAtSurfaces(agent, options))] : found;
  } finally {
    await agent.close?.();
  }
}

function outcomeOf(
  findings: readonly Finding[],
  interrupted: CommandOutcome['exit'] | undefined,
  config: LoadedConfig | undefined,
): CommandOutcome {
  const isWell = findings.every(({ status }) => status !== 'wrong');
  return {
    exit: interrupted ?? (isWell ? 'ok' : 'unavailable'),
    ...(config?.isCode && { mayLinger: true }),
  };
}
