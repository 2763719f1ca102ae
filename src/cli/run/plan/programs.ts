import { createHash } from 'node:crypto';
import { splitCommand } from '../../../agent/split-command.ts';
import type { LoadedConfig } from '../../../config/load-config.ts';
import { describedBy } from '../../../config/named-agent.ts';
import { ownValue } from '../../../model/value.ts';

/** Long enough to tell programs apart, too short to reveal their arguments. */
const length = 12;

/** A fingerprint of each agent that is a program, by agent name. `typed`: the agents as the user typed them. */
export function programsOf(
  agents: readonly { readonly name: string }[],
  typed: readonly string[],
  config: LoadedConfig | undefined,
): { readonly [agent: string]: string } {
  return Object.fromEntries(
    agents.flatMap(({ name }, index) => {
      const words = wordsOf(typed[index] ?? '', config);
      return words === undefined ? [] : [[name, markOf(words)]];
    }),
  );
}

function wordsOf(text: string, config: LoadedConfig | undefined): readonly string[] | undefined {
  const target = ownValue(config?.config.targets ?? {}, text) ?? describedBy(text);
  if ('problem' in target || target.command === undefined) return undefined;
  const { command } = target;
  if (typeof command !== 'string') return command;
  const split = splitCommand(command);
  return split.ok ? split.words : [command];
}

function markOf(words: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, length);
}
