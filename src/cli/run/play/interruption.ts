import { setMaxListeners } from 'node:events';
import type { Io } from '../../io.ts';
import type { Exit } from '../../outcome.ts';

export interface Interruption {
  readonly signal: AbortSignal;
  exit(): Exit | undefined;
  /** Nothing is under way any more: a signal from now on ends what is left without a word. */
  over(): void;
}

/** The first Ctrl-C ends what is under way, such as a run, and all is judged and stored; a second one ends at once. */
export function watchInterruption(io: Io, what = 'the run'): Interruption {
  const controller = new AbortController();
  // Every run that is under way listens, and nobody knows how many those are.
  setMaxListeners(0, controller.signal);
  let asked: Exit | undefined;
  let isOver = false;
  void io.interruption().then(async (exit) => {
    asked = exit;
    controller.abort(new Error('it was interrupted'));
    if (exit !== 'fault' && !isOver)
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
