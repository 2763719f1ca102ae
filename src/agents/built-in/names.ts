/**
 * The names of the built-in agents. `gullible` follows every instruction that it reads. `guarded` does its user's task
 * and nothing else. `candid` does the same, and also reports the injected instructions that it has read.
 */
export const builtInAgentNames = ['gullible', 'guarded', 'candid'] as const;
/** The name of a built-in agent. */
export type BuiltInAgentName = (typeof builtInAgentNames)[number];
