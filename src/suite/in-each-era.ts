import type { AgentUnderTest } from '../agent/agent.ts';

/** The eras of MCP that a suite can be played in, one after the other. */
const eras = ['legacy', 'modern'] as const;

/**
 * Every agent once for each era, under a name that says which: attacks, rates and baselines of the two are told apart
 * like those of two agents.
 */
export function inEachEra(agents: readonly AgentUnderTest[]): readonly AgentUnderTest[] {
  return agents.flatMap((agent) =>
    eras.map((era, index) => ({
      ...agent,
      name: `${agent.name} (${era})`,
      era,
      launch: (briefing) => agent.launch(briefing),
      // Both are one agent, which is closed once.
      close: async () => (index === 0 ? agent.close?.() : undefined),
    })),
  );
}

/** What the agent is called wherever it is not told apart by eras. */
export function withoutEra(name: string): string {
  return name.replace(/ \((?:legacy|modern)\)$/, '');
}
