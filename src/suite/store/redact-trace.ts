import { closeSync, createReadStream, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Redactor } from '../../secrets/redactor.ts';
import { ownerOnly } from '../play/trace-file.ts';
import { readLines } from './read-lines.ts';

/** Rewrites a trace without its secrets. The secrets are lost for good. */
export async function redactTrace(path: string, redactor: Redactor): Promise<void> {
  const draft = `${path}.redacted`;
  const file = openSync(draft, 'w', ownerOnly.file);
  try {
    for await (const lines of readLines(createReadStream(path, { highWaterMark: 1024 * 1024 })))
      for (const line of lines) if ('text' in line) writeFileSync(file, `${redactor.line(line.text)}\n`);
    renameSync(draft, path);
  } catch (thrown) {
    rmSync(draft, { force: true });
    throw thrown;
  } finally {
    closeSync(file);
  }
}
