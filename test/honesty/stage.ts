import type { Clock } from '../../src/attack/engine/ports.ts';
import { systemClock } from '../../src/attack/transport/clock.ts';

// The stage of a row: a clock that skips idle time, and the clean-up afterwards.

/** The machine's clock, and a way to skip time. */
class SkippingClock implements Clock {
  #skipped = 0;
  readonly #timers = new Map<object, () => void>();

  now(): number {
    return systemClock.now() + this.#skipped;
  }

  timestamp(): string {
    return systemClock.timestamp();
  }

  wakeAt(time: number, callback: () => void): () => void {
    const timer = {};
    const arm = (): (() => void) =>
      systemClock.wakeAt(time - this.#skipped, () => {
        this.#timers.delete(timer);
        this.#rearm.delete(timer);
        callback();
      });
    this.#timers.set(timer, arm());
    this.#rearm.set(timer, arm);
    return () => {
      this.#timers.get(timer)?.();
      this.#timers.delete(timer);
      this.#rearm.delete(timer);
    };
  }

  readonly #rearm = new Map<object, () => () => void>();

  skip(milliseconds: number): void {
    this.#skipped += milliseconds;
    for (const [timer, arm] of this.#rearm) {
      this.#timers.get(timer)?.();
      this.#timers.set(timer, arm());
    }
  }
}

export interface Stage {
  readonly clock: Clock;
  /** Stops the run, as a signal would. */
  readonly signal: AbortSignal;
  interrupt(): void;
  /** While the peer is at work no time is skipped. */
  work<T>(doing: () => Promise<T>): Promise<T>;
  /** Calls a function after this many milliseconds of the run's time. */
  later(milliseconds: number, doing: () => Promise<unknown>): void;
  /** Registers a function to call after the run, the latest first. */
  afterwards(end: () => unknown): void;
}

/** Small enough that everything that is due before the quiet time ends does happen. */
const skipMs = 250;

/** Plays on its own stage, and cleans up afterwards. */
export async function onStage<T>(play: (stage: Stage) => Promise<T>): Promise<T> {
  const clock = new SkippingClock();
  const stopping = new AbortController();
  const ends: (() => unknown)[] = [];
  let atWork = 0;
  let hasWorked = false;
  let isOver = false;
  const work = async <R>(doing: () => Promise<R>): Promise<R> => {
    atWork += 1;
    hasWorked = true;
    try {
      return await doing();
    } finally {
      atWork -= 1;
    }
  };
  const stage: Stage = {
    clock,
    signal: stopping.signal,
    interrupt: () => stopping.abort(),
    work,
    later: (milliseconds, doing) => {
      clock.wakeAt(clock.now() + milliseconds, () => void work(doing));
    },
    afterwards: (end) => ends.push(end),
  };
  const skipping = (async () => {
    while (!isOver) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (hasWorked && atWork === 0) clock.skip(skipMs);
    }
  })();
  try {
    return await play(stage);
  } finally {
    isOver = true;
    await skipping;
    for (const end of ends.reverse()) await end();
  }
}
