import type { Clock } from '../engine/ports.ts';

/** The longest timeout that Node keeps. It fires a longer one at once. */
export const longestTimeout = 2 ** 31 - 1;

/**
 * The machine's clock. Its timers keep the process alive: the end of a phase may be all that a run waits for, and a run
 * that ends cancels its timers.
 */
export const systemClock: Clock = {
  now: () => performance.now(),
  timestamp: createTimestamps(),
  wakeAt(time, callback) {
    let timer: NodeJS.Timeout;
    const arm = (): void => {
      const left = Math.ceil(time - performance.now());
      timer = setTimeout(check, Math.min(Math.max(left, 0), longestTimeout));
    };
    // Timers may fire a little early.
    const check = (): void => (performance.now() < time ? arm() : callback());
    arm();
    return () => clearTimeout(timer);
  },
};

/**
 * Keeps the last timestamp: several records fall into one millisecond, and formatting a date costs more than making a
 * record.
 */
function createTimestamps(): () => string {
  let lastMs = Number.NaN;
  let lastText = '';
  return () => {
    const ms = Date.now();
    if (ms !== lastMs) {
      lastMs = ms;
      lastText = new Date(ms).toISOString();
    }
    return lastText;
  };
}
