/**
 * The names of the built-in agents. `gullible` follows every order that it reads. `guarded` does its user's task and
 * nothing else. `candid` does the same, and also reports which other orders it was given.
 */
export const builtInAgentNames = ['gullible', 'guarded', 'candid'] as const;
/** The name of a built-in agent. */
export type BuiltInAgentName = (typeof builtInAgentNames)[number];
