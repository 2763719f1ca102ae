import type { OutcomeName, Results, RunEntry } from '../../format/model/results-file.ts';
import type { PlayResult } from '../play/play-run.ts';

// No run against an unreachable agent says anything, so its remaining runs are not tried.

/** An agent that is absent in this many runs in a row is given up. */
export const mostAbsences = 3;

/**
 * The reason why the agent was absent: it could not be launched or reached, or a connection led to no agent. Undefined
 * if it was there.
 */
export function findAbsence({ outcome, end, absent }: PlayResult): string | undefined {
  const isOpen = outcome === 'inconclusive' || outcome === 'not_applicable';
  return isOpen && end.reason !== 'stopped' ? (end.trouble ?? absent) : undefined;
}

/**
 * Counts the runs in a row in which an agent was absent, after one more run. A run that does not apply, or that ended
 * in an error of ours, does not change the count.
 */
export function countAbsences(before: number, isAbsent: boolean, outcome: OutcomeName): number {
  if (isAbsent) return before + 1;
  return outcome === 'not_applicable' || outcome === 'error' ? before : 0;
}

/** Finds the agents that were given up, from finished runs in the order in which they finished. */
export function listAbsentAgents(entries: Iterable<RunEntry>): ReadonlySet<string> {
  const absences = new Map<string, number>();
  const given = new Set<string>();
  for (const { agent, outcome, unreachable = false } of entries) {
    const inRow = countAbsences(absences.get(agent) ?? 0, unreachable, outcome);
    absences.set(agent, inRow);
    if (inRow >= mostAbsences) given.add(agent);
  }
  return given;
}

/** Whether any agent was given up, or was absent in all of its runs. */
export function hasAbsentAgent({ agents, runs, not_run = [] }: Results): boolean {
  return (
    not_run.some(({ reason }) => reason === 'unreachable') ||
    agents.some(({ name }) => {
      const own = runs.filter(({ agent }) => agent === name);
      return own.length >= mostAbsences && own.every(({ unreachable }) => unreachable);
    })
  );
}
