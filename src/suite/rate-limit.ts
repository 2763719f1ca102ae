/** Who may begin when, so that nobody is visited more often than every `intervalMs`. */
export interface RateLimit {
  /** When this one may be visited next; a time that has passed means now. */
  readyAt(name: string): number;
  /** Notes a visit at this time, or at the earliest time after it that is allowed, and gives that time. */
  take(name: string, now: number): number;
}

/** Visits are spread evenly: a burst at the start of each minute would be what a limit is there to prevent. */
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
