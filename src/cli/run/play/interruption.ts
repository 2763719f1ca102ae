import { setMaxListeners } from 'node:events';
import type { Exit } from '../../command-outcome.ts';
import type { Io } from '../../io.ts';

export interface Interruption {
  readonly signal: AbortSignal;
  exit(): Exit | undefined;
  /** Marks the end of the work: a later signal ends the rest without a message. */
  over(): void;
}

/**
 * The first Ctrl-C ends the current work, such as a run, and everything is judged and stored. A second one exits at
 * once. `what` is the work, for the message; without it there is none.
 */
export function watchInterruption(io: Io, what: string | undefined): Interruption {
  const controller = new AbortController();
  // Every current run listens to the signal, and their number has no fixed limit.
  setMaxListeners(0, controller.signal);
  let asked: Exit | undefined;
  let isOver = false;
  void io.interruption().then(async (exit) => {
    asked = exit;
    controller.abort(new Error('it was interrupted'));
    if (exit !== 'fault' && !isOver && what !== undefined)
      await io.stderr.write(`\noatf: ending ${what}; Ctrl-C again ends it at once\n`);
  });
  return {
    signal: controller.signal,
    exit: () => asked,
    over() {
      isOver = true;
    },
  };
}
