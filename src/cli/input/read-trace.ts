import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { describeFileFailure } from '../../files/file-failure.ts';
import { openRegular } from '../../files/regular-file.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { parseJson } from '../../format/model/json-text-values.ts';
import type { Value } from '../../format/model/value.ts';
import { type NumberedLine, readLines } from '../../suite/store/read-lines.ts';
import type { CommandOutcome } from '../command-outcome.ts';
import { complain, type Io } from '../io.ts';

export interface TraceReader {
  /** Takes one parsed line; returns the problem if it is invalid. */
  accept(value: Value): string | undefined;
  /** Called with the place and the problem of each line that is skipped. */
  skip?(problem: string): void;
  /** Called between batches; false ends the reading early. */
  proceed?(): Promise<boolean>;
}

export type TraceReading =
  | { readonly kind: 'read'; readonly skipped: number }
  | { readonly kind: 'failed'; readonly outcome: CommandOutcome };

/** Feeds a trace file to a reader, line by line; `-` is standard input. */
export async function readTrace(file: string, reader: TraceReader, lenient: boolean, io: Io): Promise<TraceReading> {
  const name = file === '-' ? '<stdin>' : escapeInvisible(file);
  const chunks = file === '-' ? io.stdin.chunks() : openChunks(resolve(io.cwd, file));
  const batches = readLines(chunks);
  try {
    return await feed(name, batches, reader, lenient, io);
  } finally {
    // An input that is only partly read would keep the process alive.
    await batches.return(undefined);
  }
}

async function feed(
  name: string,
  batches: AsyncGenerator<readonly NumberedLine[]>,
  reader: TraceReader,
  lenient: boolean,
  io: Io,
): Promise<TraceReading> {
  let skipped = 0;
  for (let open = true; open; ) {
    const batch = await readNextBatch(batches);
    if ('failure' in batch)
      return { kind: 'failed', outcome: await complain(io, 'unreadable', `${name}: ${batch.failure}`) };
    for (const line of batch.lines) {
      const problem = 'problem' in line ? line.problem : acceptText(line.text, reader);
      if (problem === undefined) continue;
      const place = `${name}:${line.number}: ${escapeInvisible(problem)}`;
      if (!lenient) {
        await reader.proceed?.();
        const hint = '--lenient skips lines that are wrong';
        return { kind: 'failed', outcome: await complain(io, 'invalid', place, hint) };
      }
      if (skipped === 0) await io.stderr.write(`oatf: hint: skipped ${place}\n`);
      skipped += 1;
      reader.skip?.(`line ${line.number} of the trace was skipped: ${problem}`);
    }
    open = ((await reader.proceed?.()) ?? true) && !batch.done;
  }
  if (skipped > 1) await io.stderr.write(`oatf: hint: ${skipped} lines were skipped in total\n`);
  return { kind: 'read', skipped };
}

const bigChunks = { highWaterMark: 1024 * 1024 };

/** The first read reports a file that cannot be opened, just as it reports one that cannot be read. */
async function* openChunks(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path, { fd: openRegular(path), ...bigChunks }) as AsyncIterable<Buffer>;
}

type Batch = { readonly lines: readonly NumberedLine[]; readonly done: boolean } | { readonly failure: string };

async function readNextBatch(batches: AsyncGenerator<readonly NumberedLine[]>): Promise<Batch> {
  try {
    const { value, done = false } = await batches.next();
    return { lines: done ? [] : value, done };
  } catch (thrown) {
    return { failure: describeFileFailure(thrown) };
  }
}

function acceptText(text: string, reader: TraceReader): string | undefined {
  let value: Value;
  try {
    value = parseJson(text);
  } catch {
    return 'the line is not JSON';
  }
  return reader.accept(value);
}
