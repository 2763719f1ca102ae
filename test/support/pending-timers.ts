/**
 * Records every timer from here on, and returns the delays of those that still keep the process alive. A process that
 * waits for such a timer ends late: this shows it without a clock.
 */
export function watchTimers(): () => number[] {
  const waiting = new Map<NodeJS.Timeout, number>();
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const noted = (callback: (...args: unknown[]) => void, delay = 0, ...args: unknown[]): NodeJS.Timeout => {
    const timer = set(() => {
      waiting.delete(timer);
      callback(...args);
    }, delay);
    waiting.set(timer, delay);
    return timer;
  };
  const cleared = (timer: NodeJS.Timeout | undefined): void => {
    if (timer !== undefined) waiting.delete(timer);
    clear(timer);
  };
  Object.assign(globalThis, { setTimeout: noted, clearTimeout: cleared });
  return () => [...waiting].flatMap(([timer, delay]) => (timer.hasRef() ? [delay] : []));
}
