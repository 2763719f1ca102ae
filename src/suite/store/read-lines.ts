import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { basename, dirname } from 'node:path';
import { beginDraft, openStored, writeAll } from '../../files/stored-file.ts';
import type { Redactor } from '../../secrets/redactor.ts';

export type NumberedLine =
  | { readonly number: number; readonly text: string }
  | { readonly number: number; readonly problem: string };

const newline = 0x0a;
const mebibyte = 1024 * 1024;
const longestLine = 64 * mebibyte;

/**
 * Splits a byte stream into lines, one batch per chunk. Memory is bounded by one chunk and one line; a line that is too
 * long is reported once and the rest of it dropped.
 */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  limit: number = longestLine,
): AsyncGenerator<readonly NumberedLine[]> {
  let parts: Buffer[] = [];
  let length = 0;
  let number = 1;
  let dropping = false;

  function finish(last: Buffer): NumberedLine | undefined {
    const line = parts.length === 0 ? last : Buffer.concat([...parts, last]);
    const dropped = dropping;
    parts = [];
    length = 0;
    dropping = false;
    return dropped ? undefined : decode(line, number);
  }

  for await (const chunk of chunks) {
    const lines: NumberedLine[] = [];
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      const line = finish(chunk.subarray(from, at));
      if (line !== undefined) lines.push(line);
      number += 1;
      from = at + 1;
    }
    const rest = chunk.subarray(from);
    length += rest.length;
    if (length > limit && !dropping) {
      lines.push({ number, problem: `the line is longer than ${limit / mebibyte} MiB` });
      dropping = true;
      parts = [];
    }
    if (!dropping && rest.length > 0) parts.push(rest);
    if (lines.length > 0) yield lines;
  }
  const last = finish(Buffer.alloc(0));
  if (last !== undefined) yield [last];
}

function decode(bytes: Buffer, number: number): NumberedLine | undefined {
  if (!isUtf8(bytes)) return { number, problem: 'the line is not UTF-8' };
  const text = bytes.toString('utf8');
  const line = number === 1 && text.startsWith('\ufeff') ? text.slice(1) : text;
  return line.trim() === '' ? undefined : { number, text: line };
}

/** Rewrites a trace without its secrets. The secrets are lost for good. */
export async function redactTrace(path: string, redactor: Redactor): Promise<void> {
  const fd = openStored(dirname(path), basename(path));
  const draft = beginDraft(path);
  try {
    for await (const lines of readLines(createReadStream(path, { fd, highWaterMark: 1024 * 1024 })))
      for (const line of lines) if ('text' in line) writeAll(draft.file, `${redactor.line(line.text)}\n`);
    draft.keep();
  } catch (thrown) {
    draft.drop();
    throw thrown;
  }
}
