import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from '../../dist/index.js';
import { a2aServerMode, playDocument, systemClock } from '../../dist/runtime.js';

/** Plays an A2A server on the wire, with its trace on disk and its indicators evaluated. */
export async function playA2a(content) {
  const loaded = load(
    JSON.stringify({
      oatf: '0.1',
      attack: {
        id: 'BENCH-001',
        execution: { mode: 'a2a_server', state: { task_responses: [{ content }] } },
        indicators: [
          {
            id: 'BENCH-001-01',
            surface: 'message/send',
            target: 'message.parts[*].text',
            pattern: { contains: 'secret' },
          },
        ],
      },
    }),
  );
  if (!loaded.ok) throw new Error('the document does not load');
  const folder = mkdtempSync(join(tmpdir(), 'oatf-bench-'));
  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort());
  await playDocument(loaded.document, {
    modes: [a2aServerMode()],
    clock: systemClock,
    limits: {
      sessionMs: 600_000,
      records: Number.POSITIVE_INFINITY,
      traceBytes: Number.POSITIVE_INFINITY,
    },
    traceFile: join(folder, 'trace.jsonl'),
    signal: stop.signal,
    ready: (endpoints) => process.stdout.write(`${endpoints.get('default').url}\n`),
  });
  rmSync(folder, { recursive: true, force: true });
}
