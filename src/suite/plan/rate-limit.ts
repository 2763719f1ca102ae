// No agent is visited more often than every `intervalMs`. Visits are spread evenly: a limit exists to prevent bursts,
// even one at the start of each minute.

/** For each agent that was visited, when it may be visited next. */
export type NextVisits = ReadonlyMap<string, number>;

/** When this agent may be visited next; a time that has passed means now. */
export function findNextVisit(visits: NextVisits, agent: string): number {
  return visits.get(agent) ?? Number.NEGATIVE_INFINITY;
}

/** Books a visit at this time, or at the earliest allowed time after it, and returns that time. */
export function bookVisit(visits: Map<string, number>, agent: string, now: number, intervalMs: number): number {
  const at = Math.max(now, findNextVisit(visits, agent));
  visits.set(agent, at + intervalMs);
  return at;
}
