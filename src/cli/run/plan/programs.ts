import { createHash } from 'node:crypto';
import { splitCommand } from '../../../agents/adapters/split-command.ts';
import { getOwnValue } from '../../../format/model/value.ts';
import type { LoadedConfig } from '../../../suite/config/load-config.ts';
import { parseTargetSpec } from '../../../suite/config/named-agent.ts';

/** Long enough to differ between programs, too short to reveal their arguments. */
const length = 12;

/** A fingerprint of each agent that is a program, by agent name. `typed`: the agents as the user typed them. */
export function fingerprintPrograms(
  agents: readonly { readonly name: string }[],
  typed: readonly string[],
  config: LoadedConfig | undefined,
): { readonly [agent: string]: string } {
  return Object.fromEntries(
    agents.flatMap(({ name }, index) => {
      const words = findProgramWords(typed[index] ?? '', config);
      return words === undefined ? [] : [[name, hashWords(words)]];
    }),
  );
}

function findProgramWords(text: string, config: LoadedConfig | undefined): readonly string[] | undefined {
  const target = getOwnValue(config?.config.targets ?? {}, text) ?? parseTargetSpec(text);
  if ('problem' in target || target.command === undefined) return undefined;
  const { command } = target;
  if (typeof command !== 'string') return command;
  const split = splitCommand(command);
  return split.ok ? split.words : [command];
}

function hashWords(words: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, length);
}
