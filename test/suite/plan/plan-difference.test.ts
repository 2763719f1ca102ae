import { expect, test } from 'vitest';
import type { SuitePlan } from '../../../src/suite/plan/plan.ts';
import { comparePlans } from '../../../src/suite/plan/plan-difference.ts';
import { planFor } from './planned.ts';

// Why a folder of results does not go on with another plan.

const plan = planFor({ ids: ['A-001', 'B-001'], agents: ['a', 'b'], repeat: 2 });
const [one, two] = plan.documents as [SuitePlan['documents'][number], SuitePlan['documents'][number]];
const [a, b] = plan.agents as [SuitePlan['agents'][number], SuitePlan['agents'][number]];

test.each<[Partial<SuitePlan>, string | undefined]>([
  [{}, undefined],
  [{ started: 'later' } as Partial<SuitePlan>, undefined],
  [{ tool: { name: 'oatf', version: '9' } }, 'it is of version 9 of this tool, and not 0'],
  [{ documents: [one, two, { ...two, key: 'C-001' }] }, 'the document C-001 is new'],
  [{ documents: [{ ...one, sha256: 'other' }, two] }, 'the document A-001 has changed'],
  [{ documents: [{ ...one, max_rate: 0.5 }, two] }, 'the accepted rate of A-001: 0.5, and not none'],
  [{ documents: [one] }, 'the document B-001 is missing'],
  [{ documents: [two, one] }, 'the documents are in another order'],
  [{ agents: [a] }, 'the agents: ["a"], and not ["a","b"]'],
  [{ agents: [{ ...a, without: ['tools'] }, b] }, 'what a is without: ["tools"], and not none'],
  [{ agents: [a, { ...b, without: ['tools'] }] }, 'what b is without: ["tools"], and not none'],
  [{ repeat: 3 }, 'the number of repeats: 3, and not 2'],
  [{ early_stop: false }, 'early stopping: false, and not true'],
  [{ min_utility: 0.5 }, 'the minimum utility: 0.5, and not none'],
  [{ fail_tier: 'ingested' }, 'the tier from which on a match fails: "ingested", and not none'],
  [{ settings: { ...plan.settings, more: 1 } }, 'the setting more: 1, and not none'],
])('comparePlans names the first difference to a plan with %j', (other, difference) => {
  expect(comparePlans(plan, { ...plan, ...other })).toBe(difference);
});

test('comparePlans names a setting that differs', () => {
  const before = { ...plan, settings: { same: 1, other: 2 } };
  expect(comparePlans(before, { ...plan, settings: { same: 1, other: 3 } })).toBe('the setting other: 3, and not 2');
});

test('comparePlans names a setting that only the stored plan has', () => {
  const before = { ...plan, settings: { ...plan.settings, less: 1 } };
  expect(comparePlans(before, plan)).toBe('the setting less: none, and not 1');
});
