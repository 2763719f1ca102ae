import { createReadStream } from 'node:fs';
import { basename, dirname } from 'node:path';
import { beginDraft, openStored, writeAll } from '../../files/stored-file.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import { readLines } from './read-lines.ts';

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
