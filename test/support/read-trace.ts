import { readFileSync } from 'node:fs';
import type { NormalizedDocument } from '../../src/format/model/normalized.ts';
import { readRecord, type TraceRecord } from '../../src/index.ts';

/** The records of a stored trace. */
export function readTrace(path: string, document: NormalizedDocument): readonly TraceRecord[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const read = readRecord(JSON.parse(line), document);
      if (!read.ok) throw new Error(`${path}: ${read.message}`);
      return read.record;
    });
}
