import { describe, expect, test } from 'vitest';
import { upgradePlan, upgradeResults, upgradeRun } from '../../../src/format/model/upgrade-stored.ts';
import type { ValueMap } from '../../../src/format/model/value.ts';

const old: ValueMap = {
  version: 2,
  runs: [{ agent: 'a', not_there: true, end: 'failed' }, { agent: 'b' }],
  statistics: {
    runs: 1,
    attacks: [{ agent: 'a', settled_early: 2, twin: { runs: 1, false_alarms: 1 } }, { agent: 'b' }],
  },
  unproven: [
    { agent: 'a', why: 'false_alarm', reason: 'false alarm of the agent' },
    { agent: 'b', why: 'twin_failed' },
  ],
  not_run: [{ agent: 'a', reason: 'not_there' }, { reason: 'budget' }],
};

const upgraded: ValueMap = {
  version: 3,
  runs: [{ agent: 'a', unreachable: true, end: 'failed' }, { agent: 'b' }],
  statistics: {
    runs: 1,
    attacks: [{ agent: 'a', skipped_repeats: 2, twin: { runs: 1, false_positives: 1 } }, { agent: 'b' }],
  },
  unproven: [
    { agent: 'a', why: 'false_positive', reason: 'false alarm of the agent' },
    { agent: 'b', why: 'twin_failed' },
  ],
  not_run: [{ agent: 'a', reason: 'unreachable' }, { reason: 'budget' }],
};

describe('upgradeResults', () => {
  test.each<[title: string, results: ValueMap, expected: ValueMap]>([
    ['gives results of version 2 the names of version 3', old, upgraded],
    [
      'keeps the number of version 1, in which outcomes meant something else',
      { ...old, version: 1 },
      { ...upgraded, version: 1 },
    ],
    ['leaves results of version 3 as they are', { ...old, version: 3 }, { ...old, version: 3 }],
    ['leaves results of a later version as they are', { ...old, version: 4 }, { ...old, version: 4 }],
    ['adds nothing to results that have only a version', { version: 2 }, { version: 3 }],
    [
      'leaves malformed parts for the reader to refuse',
      { version: 2, runs: 'x', statistics: { attacks: {} }, unproven: [1], not_run: null },
      { version: 3, runs: 'x', statistics: { attacks: {} }, unproven: [1], not_run: null },
    ],
  ])('%s', (_title, results, expected) => {
    expect(upgradeResults(results)).toEqual(expected);
  });

  test('keeps the order of the fields', () => {
    expect(JSON.stringify(upgradeResults(old))).toBe(JSON.stringify(upgraded));
  });
});

describe('upgradeRun', () => {
  test('is the same when it is applied twice', () => {
    const once = upgradeRun({ agent: 'a', not_there: true });
    expect([once, upgradeRun(once)]).toEqual([
      { agent: 'a', unreachable: true },
      { agent: 'a', unreachable: true },
    ]);
  });
});

describe('upgradePlan', () => {
  test.each([
    [1, 1],
    [2, 3],
    [3, 3],
    [4, 4],
  ])('brings a plan of version %i to version %i', (version, expected) => {
    expect(upgradePlan({ version, repeat: 1 })).toEqual({ version: expected, repeat: 1 });
  });
});
