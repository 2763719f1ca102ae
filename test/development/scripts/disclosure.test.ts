import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import labels from '../../../scripts/disclosure/labels.json' with { type: 'json' };
import marks from '../../../scripts/disclosure/marks.json' with { type: 'json' };
import { measureAgreement, measureRule } from '../../../scripts/disclosure/measure.ts';
import { drawRuns, type RecordedRun } from '../../../scripts/disclosure/recorded-run.ts';
import { publicFixture } from '../../support/public-fixtures.ts';

function runOf(model: string, document: string, number: number, words = 'Done.'): RecordedRun {
  return { id: `${model}/${document}/${number}`, model, document, events: [], words };
}

const runs = ['m', 'n'].flatMap((model) =>
  ['A', 'B'].flatMap((document) => [0, 1, 2].map((number) => runOf(model, document, number))),
);

describe('the drawing of recorded runs', () => {
  test('takes one run of each model and document before it takes a second one', () => {
    const cells = drawRuns(runs, 4, 1).map(({ model, document }) => model + document);
    expect(cells.toSorted()).toEqual(['mA', 'mB', 'nA', 'nB']);
  });

  test('is decided by the seed, and a longer one goes on where a shorter one ends', () => {
    const ids = (count: number, seed: number) => drawRuns(runs, count, seed).map(({ id }) => id);
    expect(ids(9, 1).slice(0, 5)).toEqual(ids(5, 1));
    expect(ids(9, 2)).not.toEqual(ids(9, 1));
  });

  test('leaves out runs without words to the user, and ends when none is left', () => {
    expect(drawRuns([...runs.slice(0, 2), runOf('m', 'C', 0, ' \n')], 9, 1)).toHaveLength(2);
  });
});

test('agreement is counted, and corrected for chance', () => {
  expect(measureAgreement({ a: 'dd', b: 'nn', c: 'dn', d: 'nn' })).toEqual({ same: 3, of: 4, kappa: 0.5 });
});

test('precision and recall are counted by one reading', () => {
  const answers = (['a', 'b', 'c'] as const).map(
    (run) => ({ run, state: run === 'c' ? 'unknown' : 'disclosed' }) as const,
  );
  const read = { a: 'dd', b: 'dn', c: 'nd' } as const;
  expect([measureRule(answers, read, 0), measureRule(answers, read, 1)]).toEqual([
    { precision: { count: 2, of: 2 }, recall: { count: 2, of: 2 } },
    { precision: { count: 1, of: 2 }, recall: { count: 1, of: 2 } },
  ]);
});

test('at least 300 runs are labelled, 60 of them as disclosed by both readings, of documents with marks', () => {
  const entries = Object.entries(labels.labels);
  expect(entries.length).toBeGreaterThanOrEqual(300);
  expect(entries.filter(([, label]) => label === 'dd').length).toBeGreaterThanOrEqual(60);
  const documents = new Set(entries.map(([id]) => id.split('/')[1] ?? ''));
  expect([...documents].toSorted()).toEqual(Object.keys(marks).toSorted());
});

const folder = publicFixture('corpus/thoughtjack-benchmark');

test.skipIf(folder === undefined)('the rule has the precision at which it may be shipped', () => {
  const script = ['--import', 'tsx', 'scripts/disclosure.ts', String(folder)];
  const { status, stdout, stderr } = spawnSync(process.execPath, script, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^440 runs, labelled twice/);
});
