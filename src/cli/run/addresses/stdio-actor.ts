import type { Readable, Writable } from 'node:stream';
import type { PlayableMode } from '../../../attack/engine/run-document.ts';
import { createStdioServer } from '../../../attack/transport/mcp-server/stdio-server.ts';
import type { NormalizedDocument } from '../../../format/model/normalized.ts';
import { parseDuration } from '../../../format/primitives/parse-duration.ts';
import type { PlayOptions } from '../../../suite/play/play-run.ts';
import type { Io, Sink } from '../../io.ts';

/** An actor that serves on this process's own standard input and output. */
export interface StdioActor {
  readonly actor: string;
  readonly input: Readable;
  readonly output: Writable;
}

/** Sessions with other actors may stay open, so the run does not wait for them to end. */
const othersMs = 50;

/** How to play a run whose actor has one client from the start: the run ends when the client hangs up. */
export function createStdioPlayOptions(
  { actor: name, input, output }: StdioActor,
  document: NormalizedDocument,
  { modes, limits }: Pick<PlayOptions, 'modes' | 'limits'>,
): Pick<PlayOptions, 'modes' | 'limits' | 'control'> {
  const graceMs = limits?.graceMs ?? readGracePeriod(document);
  let endRun = (): void => {};
  const hungUp = (): void => {
    setTimeout(() => endRun(), graceMs + othersMs);
  };
  const withStdio = (mode: PlayableMode): PlayableMode => ({
    ...mode,
    transport: (actor) => (actor.name === name ? createStdioServer({ input, output, hungUp }) : mode.transport(actor)),
  });
  return {
    modes: modes.map(withStdio),
    // A client that launched its server ends it soon after hanging up.
    limits: { ...limits, graceMs },
    control({ end }) {
      endRun = () => end('idle');
    },
  };
}

function readGracePeriod({ attack }: NormalizedDocument): number {
  const seconds = attack.gracePeriod === undefined ? 0 : parseDuration(attack.gracePeriod);
  return typeof seconds === 'number' ? seconds * 1_000 : 0;
}

/** Standard output carries the protocol, so messages for people go to standard error. */
export function redirectStdout(io: Io): Io {
  const stderr = limitWriteTime(io.stderr);
  return { ...io, stdout: stderr, stderr };
}

const patienceMs = 500;

/** Not every agent reads its servers' standard error. A write that takes too long is not waited for. */
function limitWriteTime(sink: Sink): Sink {
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
