import type { LoadedConfig } from '../../config/load-config.ts';
import { visible } from '../../report/visible.ts';
import type { Arguments, Command } from '../commands.ts';
import { lookAtConfig } from '../doctor/configuration.ts';
import { type Finding, sayOf } from '../doctor/finding.ts';
import { lookAtMachine } from '../doctor/machine.ts';
import { findingsToText } from '../doctor/text.ts';
import { visit } from '../doctor/visit.ts';
import { complain, type Io } from '../io.ts';
import type { Outcome } from '../outcome.ts';
import { readAgents } from '../run/agents.ts';
import { readConfig } from '../run/config-flag.ts';
import { watchInterruption } from '../run/interruption.ts';
import { readDuration } from '../run/suite-flags.ts';

const usualTimeoutMs = 60_000;

export const doctor: Command<'doctor'> = async (values, io) => {
  const timeout = readDuration('timeout', values.timeout);
  if ('message' in timeout) return complain(io, 'usage', `doctor: ${timeout.message}`, timeout.hint);
  const read = await readConfig(values.config, io);
  const config = read?.ok ? read : undefined;
  const findings: Finding[] = [];
  const tell = async (found: readonly Finding[]): Promise<void> => {
    if (!values.json) await io.stdout.write(findingsToText(found, findings.at(-1)?.about, io.stdout));
    findings.push(...found);
  };
  await tell(await lookAtMachine(io));
  await tell(lookAtConfig(read, io));
  const { signal, exit } = watchInterruption(io);
  for (const name of namesOf(values, config)) {
    if (signal.aborted) break;
    await tell(await lookAtAgent(name, config, io, { timeoutMs: timeout.value ?? usualTimeoutMs, signal }));
  }
  if (values.json) await io.stdout.write(`${JSON.stringify({ version: 1, findings }, null, 2)}\n`);
  return outcomeOf(findings, exit(), config);
};

/** Those that are named, or every target of the configuration. */
function namesOf({ agents, talk }: Arguments<'doctor'>, config: LoadedConfig | undefined): readonly string[] {
  if (!talk) return [];
  return agents.length > 0 ? agents : Object.keys(config?.config.targets ?? {});
}

async function lookAtAgent(
  name: string,
  config: LoadedConfig | undefined,
  io: Io,
  options: Parameters<typeof visit>[1],
): Promise<readonly Finding[]> {
  const agents = readAgents([name], { ...io, config });
  if ('message' in agents) {
    const { about, message, hint } = agents;
    return [sayOf(visible(name))('wrong', about?.problem ?? message, hint)];
  }
  const [agent] = agents;
  if (agent === undefined) return [];
  try {
    return await visit(agent, options);
  } finally {
    await agent.close?.();
  }
}

function outcomeOf(
  findings: readonly Finding[],
  interrupted: Outcome['exit'] | undefined,
  config: LoadedConfig | undefined,
): Outcome {
  const isWell = findings.every(({ status }) => status !== 'wrong');
  return {
    exit: interrupted ?? (isWell ? 'ok' : 'unavailable'),
    ...(config?.isCode && { mayLinger: true }),
  };
}
