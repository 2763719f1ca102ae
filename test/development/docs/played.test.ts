import { describe, expect, test } from 'vitest';
import { findMismatches } from '../../../src/cli/test/found-results.ts';
import { runCases } from '../../../src/cli/test/run-cases.ts';
import { readTestFile } from '../../../src/cli/test/test-file.ts';
import { loadMarked } from '../../../src/format/load-marked.ts';
import { type Fence, fencesOf, isDocument, pages } from './fences.ts';

// Pages that show a document and its test: the results that they state are the real ones.

const tested = pages.flatMap((page) => {
  const fences = fencesOf(page);
  return fences.flatMap((fence, index) => {
    if (fence.kind !== 'test') return [];
    const document = fences.slice(0, index).findLast(isDocument);
    return document === undefined ? [] : [[`${page}:${fence.line}`, document, fence] as const];
  });
});

test('every recipe in docs/guides/cookbook shows a document and its test', () => {
  const recipes = pages.filter((page) => /^docs\/guides\/cookbook\/(?!README)/.test(page));
  const shown = new Set(tested.map(([, { page }]) => page));
  expect(recipes.length).toBeGreaterThan(8);
  expect(recipes.filter((page) => !shown.has(page))).toEqual([]);
});

describe('a test file that the docs show after a document', () => {
  test.concurrent.each(tested)('passes when it is played: %s', async (_name, document, fence) => {
    expect(await failuresOf(document, fence)).toEqual([]);
  });
});

async function failuresOf({ page, text }: Fence, fence: Fence): Promise<readonly unknown[]> {
  const read = readTestFile(fence.text);
  const loaded = loadMarked(text);
  if (!read.ok || !loaded.ok) return read.ok ? ['the document is not valid'] : read.problems;
  const playable = { document: loaded.document, file: page, text, warnings: [] };
  const results = await runCases(read.file, playable, {} as never, new AbortController());
  return [...results].flatMap(([{ name, expect: expected }, result]): readonly unknown[] =>
    result.ok
      ? findMismatches(expected, result.found).map((mismatch) => ({
          name,
          ...mismatch,
          why: result.found.reason,
        }))
      : [{ name, problem: result.problem }],
  );
}
