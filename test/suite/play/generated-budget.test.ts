import { describe, expect, test } from 'vitest';
import type { Effect } from '../../../src/attack/engine/actor-messages.ts';
import { GeneratedValue } from '../../../src/format/model/generated-value.ts';
import type { MessageRecord, Value } from '../../../src/index.ts';
import { createGeneratedBudget, dropGenerated } from '../../../src/suite/play/generated-budget.ts';
import {
  countAbsences,
  findAbsence,
  hasAbsentAgent,
  listAbsentAgents,
} from '../../../src/suite/store/absent-agents.ts';
import { message, phase } from '../../support/records.ts';
import { resultOf } from '../plan/planned.ts';

// How much of generated values a run sends, and what its trace keeps of them.

const large = (bytes: number): Value =>
  new GeneratedValue({ kind: 'text', seed: 'one', parameters: { bytes } }, 'as written') as unknown as Value;
const record = (content: Value) => ({ kind: 'response', content, pieces: ['/piece'] }) as unknown as MessageRecord;
const appliedRule = { rule: '/r', actions: ['bytes'] };

const kinds: { readonly [kind: string]: (content: Value, isOrdered?: boolean) => Effect } = {
  result: (content, isOrdered) =>
    ({
      kind: 'answer',
      exchange: 'x',
      answer: { kind: 'result', result: content },
      record: record(content),
      ...(isOrdered && { order: appliedRule }),
    }) as never,
  error: (content, isOrdered) =>
    ({
      kind: 'answer',
      exchange: 'x',
      answer: { kind: 'error', error: content },
      record: record(content),
      ...(isOrdered && { order: appliedRule }),
    }) as never,
  part: (content) => ({ kind: 'part', exchange: 'x', content, record: record(content) }) as never,
  notify: (content, isOrdered) =>
    ({
      kind: 'notify',
      target: 'every session',
      method: 'm',
      params: content,
      record: record(content),
      ...(isOrdered && { how: { order: appliedRule } }),
    }) as never,
  ask: (content, isOrdered) =>
    ({
      kind: 'ask',
      target: 'every session',
      ask: 'q',
      method: 'm',
      params: content,
      record: record(content),
      ...(isOrdered && { how: { order: appliedRule } }),
    }) as never,
};

describe('a budget for generated values', () => {
  test.each(Object.keys(kinds))('is spent by %s, which then gets the value as written and a warning', (kind) => {
    const made = kinds[kind];
    if (made === undefined) throw new Error('there is such a kind');
    const spend = createGeneratedBudget(1_000);
    const first = made({ a: [large(600)] });
    expect(spend(first)).toEqual([first]);
    const [warning, plain] = spend(made({ a: [large(600)] }));
    expect(warning).toMatchObject({ kind: 'warn', diagnostic: { severity: 'warning', code: 'O-118' } });
    const { record: _, ...expected } = made({ a: ['as written'] }) as { record: unknown };
    expect(plain).toMatchObject(expected);
    expect((plain as { record: object }).record).toEqual({
      kind: 'response',
      content: { a: ['as written'] },
      noted: expect.stringContaining('at most 1000 bytes'),
    });
    const small = made({ a: [large(400)] });
    expect(spend(small)).toEqual([small]);
    expect(spend(made({ a: [large(1)] }))).toHaveLength(2);
  });

  test.each(['result', 'error', 'notify', 'ask'])('is smaller for %s if an x-wire rule changes it', (kind) => {
    const held = 16 * 1024 ** 2;
    const spend = createGeneratedBudget(10 * held);
    const made = (bytes: number, isOrdered: boolean) =>
      spend((kinds[kind] as NonNullable<(typeof kinds)[string]>)([large(bytes)], isOrdered));
    expect([made(held, true).length, made(held + 1, true).length, made(held + 1, false).length]).toEqual([1, 2, 1]);
  });

  test('does not count values that are not generated', () => {
    const spend = createGeneratedBudget(0);
    const effects: readonly Effect[] = [
      { kind: 'wake', at: 5 },
      { kind: 'record', record: record([large(9)]) } as never,
      { ...kinds.notify?.(null), params: undefined } as never,
      kinds.result?.({ a: 'x'.repeat(1_000) }) as Effect,
    ];
    expect(effects.map((effect) => spend(effect))).toEqual(effects.map((effect) => [effect]));
  });
});

test('dropGenerated keeps in a trace how a value was generated, not the value', () => {
  const kept = dropGenerated(
    message({ content: [large(5)], request: { a: large(5) }, wire: large(5) }),
  ) as MessageRecord;
  for (const value of [(kept.content as readonly Value[])[0], (kept.request as { a: Value }).a, kept.wire])
    expect(JSON.stringify(value)).toContain('sha256');
  const plain = message({ content: ['x'] });
  expect(dropGenerated(plain)).toEqual(plain);
  const marker = phase('a', 'p');
  expect(dropGenerated(marker)).toBe(marker);
});

describe('an absent agent', () => {
  const end = (reason: string, trouble?: string) =>
    ({ end: { reason, ...(trouble !== undefined && { trouble }) } }) as never;
  test.each<[string, object, string | undefined]>([
    ['inconclusive', { absent: 'nobody' }, 'nobody'],
    ['not_applicable', { absent: 'nobody' }, 'nobody'],
    ['resisted', { absent: 'nobody' }, undefined],
    ['error', { absent: 'nobody' }, undefined],
    ['inconclusive', {}, undefined],
    ['inconclusive', end('idle', 'gone'), 'gone'],
    ['inconclusive', { absent: 'nobody', ...(end('idle', 'gone') as object) }, 'gone'],
    ['inconclusive', { absent: 'nobody', ...(end('stopped') as object) }, undefined],
  ])('has in a run that is %s, with %j, the reason %s', (outcome, fields, absence) => {
    expect(findAbsence({ ...resultOf({ outcome } as never), ...fields })).toBe(absence);
  });

  test.each([
    [2, true, 'inconclusive', 3],
    [2, false, 'resisted', 0],
    [2, false, 'inconclusive', 0],
    [2, false, 'not_applicable', 2],
    [2, false, 'error', 2],
  ] as const)(
    'counts after %i absences and a run (absent: %s, outcome: %s) as absent %i times in a row',
    (before, isAbsent, outcome, after) => {
      expect(countAbsences(before, isAbsent, outcome)).toBe(after);
    },
  );

  const runs = (agent: string, ...absences: readonly boolean[]) =>
    absences.map((isAbsent) => ({ agent, ...(isAbsent && { unreachable: true }) }));
  test.each<[readonly boolean[], readonly string[]]>([
    [[true, true, true], ['a']],
    [[true, true], []],
    [[true, true, false, true], []],
    [[false, true, true, true, false], ['a']],
  ])('is given up after three absences in a row: %j gives up %j', (absences, given) => {
    const entries = runs('a', ...absences).map((run) => ({ ...run, outcome: 'inconclusive' }));
    expect([...listAbsentAgents(entries as never)]).toEqual(given);
  });

  const agents = [{ name: 'a' }, { name: 'b' }];
  test.each<[object, boolean]>([
    [{ agents, runs: runs('a', true, true, true) }, true],
    [{ agents, runs: runs('b', true, true, true) }, true],
    [{ agents, runs: [...runs('a', true, true, true), ...runs('b', false)] }, true],
    [{ agents, runs: runs('a', true, true) }, false],
    [{ agents, runs: runs('a', true, false, true) }, false],
    [{ agents, runs: [], not_run: [{ reason: 'interrupted' }, { reason: 'unreachable' }] }, true],
    [{ agents, runs: [], not_run: [{ reason: 'interrupted' }] }, false],
    [{ agents, runs: [] }, false],
  ])('makes hasAbsentAgent of %j be %s', (results, has) => {
    expect(hasAbsentAgent(results as never)).toBe(has);
  });
});
