import type { OutcomeName, Results, RunEntry } from '../model/results.ts';
import type { PlayResult } from './play.ts';

// A target that is not there: no run on it says anything, so the rest of them need not be tried.

/** So many runs in a row, and an agent is given up. */
export const mostAbsences = 3;

/** Why the agent was not there, where it was not: it could not be launched or reached, or let us in to nothing. */
export function absenceOf({ outcome, end, absent }: PlayResult): string | undefined {
  const isOpen = outcome.outcome === 'inconclusive' || outcome.outcome === 'not_applicable';
  return isOpen && end.reason !== 'stopped' ? (end.trouble ?? absent) : undefined;
}

/** How many runs in a row an agent was not there, after one more. One that does not apply, or that we failed, tells nothing. */
export function absencesAfter(before: number, isAbsent: boolean, outcome: OutcomeName): number {
  if (isAbsent) return before + 1;
  return outcome === 'not_applicable' || outcome === 'error' ? before : 0;
}

/** The agents that were given up, as finished runs show it in the order in which they finished. */
export function absentAgents(entries: Iterable<RunEntry>): ReadonlySet<string> {
  const absences = new Map<string, number>();
  const given = new Set<string>();
  for (const { agent, outcome, not_there = false } of entries) {
    const inRow = absencesAfter(absences.get(agent) ?? 0, not_there, outcome);
    absences.set(agent, inRow);
    if (inRow >= mostAbsences) given.add(agent);
  }
  return given;
}

/** Whether an agent was given up, or not there in any of its runs. */
export function hasAbsentAgent({ agents, runs, not_run = [] }: Results): boolean {
  return (
    not_run.some(({ reason }) => reason === 'not_there') ||
    agents.some(({ name }) => {
      const own = runs.filter(({ agent }) => agent === name);
      return own.length >= mostAbsences && own.every(({ not_there }) => not_there);
    })
  );
}
