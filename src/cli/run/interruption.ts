import type { Io } from '../io.ts';
import type { Exit } from '../outcome.ts';

export interface Interruption {
  readonly signal: AbortSignal;
  exit(): Exit | undefined;
}

/** The first Ctrl-C ends the run and all is judged and stored; nobody catches a second one. */
export function watchInterruption(io: Io): Interruption {
  const controller = new AbortController();
  let asked: Exit | undefined;
  void io.interruption().then(async (exit) => {
    asked = exit;
    controller.abort();
    await io.stderr.write('\noatf: ending the run; Ctrl-C again ends it at once\n');
  });
  return { signal: controller.signal, exit: () => asked };
}
