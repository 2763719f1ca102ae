import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { diagnose, load, normalize } from '../../src/index.ts';
import type { Finding } from './judged-run.ts';
import { mutatedBytes } from './mutate.ts';
import type { Random } from './random.ts';

/** No document may take longer: what reads them is bounded. */
const longestMs = 5_000;

/** Shipped documents with parts of them broken: to read one never throws, and ends. */
export function fuzzDocuments(root: string, count: number, random: Random): Finding {
  const folder = join(root, 'scenarios');
  const texts = readdirSync(folder)
    .filter((name) => /(?<!\.test)\.yaml$/.test(name))
    .map((name) => readFileSync(join(folder, name)));
  const violations: string[] = [];
  let loads = 0;
  for (let number = 0; number < count; number++) {
    const text = mutatedBytes(random.pick(texts), random).toString('utf8');
    const started = performance.now();
    try {
      const loaded = load(text);
      if (loaded.ok) {
        loads += 1;
        const again = normalize(loaded.document);
        if (JSON.stringify(again) !== JSON.stringify(loaded.document))
          violations.push(`document ${number}: normalizing it again changes it`);
      } else if (loaded.errors.length === 0) violations.push(`document ${number}: refused without a reason`);
      if (number % 16 === 0) diagnose(text);
    } catch (thrown) {
      violations.push(`document ${number}: ${thrown instanceof Error ? thrown.stack : String(thrown)}`);
    }
    const ms = performance.now() - started;
    if (ms > longestMs) violations.push(`document ${number}: took ${Math.round(ms)} ms`);
  }
  return { name: `documents (${loads} of them still valid)`, count, unit: 'documents', violations };
}
