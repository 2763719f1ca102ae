/** Decides when runs may begin, so that no agent is visited more often than every `intervalMs`. */
export interface RateLimit {
  /** When this agent may be visited next; a time that has passed means now. */
  readyAt(name: string): number;
  /** Books a visit at this time, or at the earliest allowed time after it, and returns that time. */
  take(name: string, now: number): number;
}

/** Visits are spread evenly: a limit exists to prevent bursts, even one at the start of each minute. */
export function createRateLimit(intervalMs: number): RateLimit {
  const next = new Map<string, number>();
  const readyAt = (name: string): number => next.get(name) ?? Number.NEGATIVE_INFINITY;
  return {
    readyAt,
    take(name, now) {
      const at = Math.max(now, readyAt(name));
      next.set(name, at + intervalMs);
      return at;
    },
  };
}
