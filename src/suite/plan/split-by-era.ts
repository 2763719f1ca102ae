import type { AgentUnderTest } from '../../agents/adapters/agent-under-test.ts';

/** The eras of MCP in which a suite can be played, one after the other. */
const eras = ['legacy', 'modern'] as const;

/**
 * Lists every agent once for each era, under a name with the era: attacks, rates and baselines of the two eras are
 * separate, like those of two agents.
 */
export function splitByEra(agents: readonly AgentUnderTest[]): readonly AgentUnderTest[] {
  return agents.flatMap((agent) =>
    eras.map((era, index) => ({
      ...agent,
      name: `${agent.name} (${era})`,
      era,
      launch: (briefing) => agent.launch(briefing),
      // Both entries are the same agent, so it is closed once.
      close: async () => (index === 0 ? agent.close?.() : undefined),
    })),
  );
}

/** The name of the agent without its era. */
export function dropEra(name: string): string {
  return name.replace(/ \((?:legacy|modern)\)$/, '');
}
