import { expect, test } from 'vitest';
import { goalChoices, surfaceChoices } from '../../src/cli/new/choices.ts';
import { firstTests, makeDocument } from '../../src/cli/new/make-document.ts';
import { mismatchesOf } from '../../src/cli/test/found.ts';
import { runCases } from '../../src/cli/test/run-cases.ts';
import { readTestFile } from '../../src/cli/test/test-file.ts';
import { diagnoseMarked, loadMarked } from '../../src/load-marked.ts';

// Whatever is chosen, what is written is clean and passes its own test.

const all = surfaceChoices.flatMap((surface) => goalChoices.map((goal) => [surface, goal] as const));
const made = (surface: (typeof all)[number][0], goal: (typeof all)[number][1]): string =>
  makeDocument({ surface, goal, id: 'MINE-001', name: 'A calendar' });

test.each(all)('%s, %s: nothing is said against it', (surface, goal) => {
  expect(diagnoseMarked(made(surface, goal))).toEqual([]);
});

// Each surface and each goal is played; all pairs of them would say no more.
test.each(all.filter((_, index) => index % 4 === 0 || index % 4 === 3))(
  '%s, %s: passes its own test',
  async (surface, goal) => {
    const text = made(surface, goal);
    const loaded = loadMarked(text);
    const read = readTestFile(firstTests);
    if (!loaded.ok || !read.ok) throw new Error('it is not valid');
    const playable = { document: loaded.document, file: 'mine.yaml', text, warnings: [] };
    const results = await runCases(read.file, playable, {} as never, new AbortController());
    const wrong = [...results].flatMap(([each, result]): readonly unknown[] =>
      result.ok ? mismatchesOf(each.expect, result.found) : [result.problem],
    );
    expect(results.size).toBe(3);
    expect(wrong).toEqual([]);
  },
  120_000,
);
