import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import type { LoadedConfig } from '../../suite/config/load-config.ts';
import type { Arguments, Command } from '../commands.ts';
import { checkSurfaces } from '../doctor/check-surfaces.ts';
import { checkConfig, checkSettings } from '../doctor/configuration.ts';
import { createFindingMaker, type DoctorFinding, formatFindings } from '../doctor/doctor-finding.ts';
import { loadGreeting } from '../doctor/greeting.ts';
import { checkMachine } from '../doctor/machine.ts';
import { visitAgent } from '../doctor/visit.ts';
import { createRefusal, type Io } from '../io.ts';
import { addFileAddresses } from '../run/addresses/file-addresses.ts';
import { type AddressFinder, readListen } from '../run/addresses/listen.ts';
import { watchInterruption } from '../run/play/interruption.ts';
import { shortenFilePath } from '../run/results/out-folder.ts';
import { readConfig } from '../run/settings/config-flag.ts';
import { readAgents } from '../run/settings/read-settings.ts';
import { readDuration } from '../run/settings/suite-flags.ts';
import { refuseFlag, type WrongUsage } from '../run/settings/wrong-usage.ts';

const usualTimeoutMs = 60_000;

export const runDoctorCommand: Command<'doctor'> = async (values, io) => {
  const refuse = createRefusal('doctor', io);
  const timeout = readTimeout(values.timeout);
  if ('message' in timeout) return refuse(`${timeout.message}`, timeout.hint);
  const read = await readConfig(values.config, io);
  const config = read?.ok ? read : undefined;
  const addresses =
    values.listen.length > 0 ? readListen(values.listen, [loadGreeting()], false) : findConfiguredAddresses(config, io);
  if (addresses !== undefined && 'message' in addresses) return refuse(`${addresses.message}`, addresses.hint);
  const findings: DoctorFinding[] = [];
  const tell = async (found: readonly DoctorFinding[]): Promise<void> => {
    if (!values.json) await io.stdout.write(formatFindings(found, findings.at(-1)?.about, io.stdout));
    findings.push(...found);
  };
  // Problems of the file itself are reported with the configuration, below.
  const settings = read?.ok === false ? undefined : await checkSettings(config, io);
  await tell(await checkMachine(settings?.out, io));
  await tell([...checkConfig(read, io), ...(settings?.findings ?? [])]);
  const { signal, exit } = watchInterruption(io, 'the visit');
  const options = { timeoutMs: timeout.value, signal, addresses };
  for (const name of listAgentNames(values, config, settings?.agents ?? [])) {
    const found = signal.aborted ? [] : await checkAgent(name, config, io, options);
    // The findings of an interrupted visit say nothing about the agent.
    if (signal.aborted) break;
    await tell(found);
  }
  if (values.json) await io.stdout.write(`${JSON.stringify({ version: 1, findings }, null, 2)}\n`);
  const isWell = findings.every(({ status }) => status !== 'wrong');
  return { exit: exit() ?? (isWell ? 'ok' : 'unavailable') };
};

function readTimeout(typed: string | undefined): { readonly value: number } | WrongUsage {
  const read = readDuration('timeout', typed);
  if ('message' in read) return read;
  return read.value === 0
    ? refuseFlag('timeout', '', 'must be longer than zero', 'such as 30s; default: 1m')
    : { value: read.value ?? usualTimeoutMs };
}

/** The named agents; by default, every target of the configuration and the agents that the settings select. */
function listAgentNames(
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
function findConfiguredAddresses(config: LoadedConfig | undefined, io: Io): AddressFinder | undefined {
  if (config === undefined) return undefined;
  const documents = [loadGreeting()];
  const places = addFileAddresses({ listen: [], connect: [], header: [] }, documents, {
    config: { ...config.config, connect: {} },
    file: shortenFilePath(config.path, io.cwd),
    environment: io.environment,
    isResumed: false,
  });
  if ('message' in places || places.listen.every((place) => place.endsWith(':0'))) return undefined;
  const addresses = readListen(places.listen, documents, false);
  return 'message' in addresses ? undefined : addresses;
}

async function checkAgent(
  name: string,
  config: LoadedConfig | undefined,
  io: Io,
  options: Parameters<typeof visitAgent>[1],
): Promise<readonly DoctorFinding[]> {
  const agents = await readAgents([name], { ...io, config });
  if ('message' in agents) {
    const { about, message, hint } = agents;
    return [createFindingMaker(escapeInvisible(name))('wrong', about?.problem ?? message, hint)];
  }
  const [agent] = agents;
  if (agent === undefined) return [];
  try {
    const found = await visitAgent(agent, options);
    // An agent that failed, or did not use this server, would show nothing more with a server that offers more.
    const isWell = found.every(({ status }) => status === 'ok');
    return isWell ? [...found, ...(await checkSurfaces(agent, options))] : found;
  } finally {
    await agent.close?.();
  }
}
