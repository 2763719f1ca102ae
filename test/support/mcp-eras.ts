import type { RunEntry } from '../../src/format/model/results-file.ts';

/** Documents whose servers claim to know sessions only. Agents that know both eras go back to sessions for them. */
export const playedInSessions: ReadonlySet<string> = new Set(['OATS-096']);

/** The eras of MCP that the agent of a run spoke, each once. */
export function mcpErasOf(delivery: RunEntry['delivery']): readonly string[] {
  const spoken = Object.values(delivery).flatMap(({ mode, eras = [] }) => (mode.startsWith('mcp_') ? eras : []));
  return [...new Set(spoken)];
}
