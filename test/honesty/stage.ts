import type { Clock } from '../../src/engine/ports.ts';
import { systemClock } from '../../src/transport/clock.ts';

// Where a row is played: a clock that skips the time in which nobody does anything, and what is ended afterwards.

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
  /** Stops the run, as a signal does. */
  readonly signal: AbortSignal;
  interrupt(): void;
  /** While the peer is at work no time is skipped. */
  work<T>(doing: () => Promise<T>): Promise<T>;
  /** Does something so many milliseconds of the run's time from now. */
  later(milliseconds: number, doing: () => Promise<unknown>): void;
  /** Done after the run, the latest first. */
  afterwards(end: () => unknown): void;
}

/** Small enough that what is to happen before the quiet is over does. */
const skipMs = 250;

/** Plays on a stage of its own, and ends what was begun there. */
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
