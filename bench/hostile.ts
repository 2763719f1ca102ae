import { documentCases } from '../test/hostile/documents.ts';
import { messageCases } from '../test/hostile/messages.ts';
import { startHostileRunner } from '../test/hostile/run-case.ts';
import type { Figure } from './measure.ts';

const maximumMegabytes = 256;

/** How long each hostile input takes, and the most memory that its process needed. */
export async function benchHostile(): Promise<Figure[]> {
  const runner = await startHostileRunner();
  const figures: Figure[] = [];
  try {
    for (const { id, expected } of [...documentCases, ...messageCases]) {
      const { outcome, milliseconds, megabytes } = await runner.run(id);
      figures.push({
        name: id,
        value: `${milliseconds.toFixed(0)} ms, ${megabytes.toFixed(0)} MB, ${outcome}`,
        bound: `≤ ${maximumMegabytes} MB, ${expected}`,
        ok: megabytes <= maximumMegabytes && outcome === expected,
      });
    }
  } finally {
    await runner.close();
  }
  return figures;
}
