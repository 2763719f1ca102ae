// A document played on the wire, with its trace on disk and its indicators evaluated.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from '../../dist/index.js';
import { mcpServerMode, playDocument, systemClock } from '../../dist/runtime.js';

// With this option, records do not name pieces of the document.
const isNaming = process.argv[2] !== 'nameless';
const mode = mcpServerMode();
const modes = [isNaming ? mode : { ...mode, binding: { ...mode.binding, plan: nameless } }];

function nameless(...args) {
  const { pieces: _, ...plan } = mode.binding.plan(...args);
  return { ...plan, ...(plan.steps && { steps: plan.steps.map(({ pieces: _, ...step }) => step) }) };
}

const loaded = load(readFileSync(new URL('../../examples/rug-pull.yaml', import.meta.url), 'utf8'));
if (!loaded.ok) throw new Error('the example does not load');
const folder = mkdtempSync(join(tmpdir(), 'oatf-bench-'));
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
await playDocument(loaded.document, {
  modes,
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
