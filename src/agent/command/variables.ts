import type { Briefing } from '../agent.ts';
import type { Turn } from '../prompt-voice.ts';
import { turnPlaceholders } from './placeholder-names.ts';
import type { CommandSettings } from './settings.ts';

// The variables that every program is launched with, beside those of its target.

export interface Variables {
  readonly [name: string]: string;
}

export function runVariables({ endpoints, a2aCards }: Briefing, mcpConfig: string): Variables {
  const urls = Object.entries(endpoints).map(([actor, { url }]) => [
    `OATF_${actor.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_URL`,
    url,
  ]);
  // An empty list is said, too, lest one of an outer run be taken for it.
  return { ...Object.fromEntries(urls), OATF_MCP_CONFIG: mcpConfig, OATF_A2A_CARDS: a2aCards.join(',') };
}

/** Some systems take no longer ones. */
const longest = 100_000;

/** What to do about a prompt that cannot be handed on as it was meant. */
export const otherWays = 'give it by stdin (`stdin: prompt`) or as a file ({{prompt_file}})';

/** A prompt that is no value for a variable is left out where it goes another way, too. */
export function turnVariables({ prompt }: Turn, { stdin, uses }: CommandSettings): Variables {
  if (Buffer.byteLength(prompt) <= longest && !prompt.includes('\0')) return { OATF_PROMPT: prompt };
  if (stdin !== 'nothing' || turnPlaceholders.some((name) => uses.has(name))) return {};
  throw new Error(
    `the prompt cannot be the value of a variable, and OATF_PROMPT is all that has it; ${otherWays}`,
  );
}
