import type { Briefing } from '../agent-under-test.ts';
import type { AgentTurn } from '../prompt-voice.ts';
import type { CommandSettings } from './command-settings.ts';
import { turnPlaceholders } from './placeholder-names.ts';

// The environment variables that every program gets, in addition to those of its target.

export interface Variables {
  readonly [name: string]: string;
}

export function listRunVariables({ endpoints, a2aCards }: Briefing, mcpConfig: string): Variables {
  const urls = Object.entries(endpoints).map(([actor, { url }]) => [
    `OATF_${actor.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_URL`,
    url,
  ]);
  // An empty list is set too, so that the list of an outer run is not inherited.
  return { ...Object.fromEntries(urls), OATF_MCP_CONFIG: mcpConfig, OATF_A2A_CARDS: a2aCards.join(',') };
}

/** Some systems accept no longer values. */
const longest = 100_000;

/** Advice for a prompt that cannot be passed on in the chosen way. */
export const otherWays = 'give it by stdin (`stdin: prompt`) or as a file ({{prompt_file}})';

/** The prompt as a variable. A prompt that cannot be a variable is left out if the program also gets it in another way. */
export function listTurnVariables({ prompt }: AgentTurn, { stdin, uses }: CommandSettings): Variables {
  if (Buffer.byteLength(prompt) <= longest && !prompt.includes('\0')) return { OATF_PROMPT: prompt };
  if (stdin !== 'nothing' || turnPlaceholders.some((name) => uses.has(name))) return {};
  throw new Error(
    `the variable OATF_PROMPT cannot hold the prompt, and the program gets it in no other way; ${otherWays}`,
  );
}
