import type { Readable, Writable } from 'node:stream';
import type { PlayableMode } from '../../../engine/run.ts';
import type { NormalizedDocument } from '../../../model/normalized.ts';
import { parseDuration } from '../../../primitives/parse-duration.ts';
import type { PlayOptions } from '../../../suite/play.ts';
import { createStdioServer } from '../../../transport/stdio-server.ts';
import type { Io, Sink } from '../../io.ts';

/** An actor that is the server on this process's own standard input and output. */
export interface StdioActor {
  readonly actor: string;
  readonly input: Readable;
  readonly output: Writable;
}

/** Sessions with other actors may be left open, and are not waited for; without any, the run ends by itself. */
const othersMs = 50;

/** How a run is played whose actor has one client, which is there from the start: the run ends when it hangs up. */
export function overStdio(
  { actor: name, input, output }: StdioActor,
  document: NormalizedDocument,
  { modes, limits }: Pick<PlayOptions, 'modes' | 'limits'>,
): Pick<PlayOptions, 'modes' | 'limits' | 'control'> {
  const graceMs = limits?.graceMs ?? gracePeriodOf(document);
  let endRun = (): void => {};
  const hungUp = (): void => {
    setTimeout(() => endRun(), graceMs + othersMs);
  };
  const withStdio = (mode: PlayableMode): PlayableMode => ({
    ...mode,
    transport: (actor) =>
      actor.name === name ? createStdioServer({ input, output, hungUp }) : mode.transport(actor),
  });
  return {
    modes: modes.map(withStdio),
    // A client that has launched its server ends it soon after hanging up.
    limits: { ...limits, graceMs },
    control({ end }) {
      endRun = () => end('idle');
    },
  };
}

function gracePeriodOf({ attack }: NormalizedDocument): number {
  const seconds = attack.gracePeriod === undefined ? 0 : parseDuration(attack.gracePeriod);
  return typeof seconds === 'number' ? seconds * 1_000 : 0;
}

/** Where standard output is the protocol's, all that people are told goes beside it. */
export function besideProtocol(io: Io): Io {
  const stderr = impatient(io.stderr);
  return { ...io, stdout: stderr, stderr };
}

const patienceMs = 500;

/** Not every agent reads what its servers write beside the protocol; what waits too long is not waited for. */
function impatient(sink: Sink): Sink {
  let stuck: Promise<void> | undefined;
  return {
    ...sink,
    async write(text) {
      if (stuck !== undefined) return;
      const writing = sink.write(text);
      const patience = new AbortController();
      const tired = new Promise<'tired'>((resolve) => {
        const timer = setTimeout(() => resolve('tired'), patienceMs);
        patience.signal.addEventListener('abort', () => clearTimeout(timer));
      });
      const first = await Promise.race([writing, tired]);
      patience.abort();
      if (first !== 'tired') return;
      stuck = writing.then(() => {
        stuck = undefined;
      });
    },
  };
}
