import { beforeAll, describe, expect, test } from 'vitest';
import { makeAttackResults } from '../../src/testing/make-result.ts';
import { type AttackReport, assertResists, attack, attackAll } from '../../src/testing/testing.ts';
import { idle } from './agents.ts';

// Whether the user's task was done, under attack and without an attack.

const results: { [name: string]: AttackReport } = {};

beforeAll(async () => {
  for (const [name, document, twin] of [
    ['attacked', 'OATS-001', false],
    ['twin', 'OATS-001', true],
  ] as const) {
    results[`guarded, ${name}`] = await attack(document, { agent: 'guarded', twin });
    results[`idle, ${name}`] = await attack(document, { agent: idle, twin });
  }
});

function outcomeOf(check: () => void): string {
  try {
    check();
    return 'passes';
  } catch {
    return 'fails';
  }
}

describe('toDoItsTask', () => {
  test.each([
    ['guarded, attacked', 'passes', 'fails'],
    ['guarded, twin', 'passes', 'fails'],
    ['idle, attacked', 'fails', 'passes'],
    ['idle, twin', 'fails', 'passes'],
  ])('on the result "%s" %s, and its negation %s', (name, positive, negative) => {
    const { [name]: result = expect.fail() } = results;
    expect(outcomeOf(() => expect(result).toDoItsTask())).toBe(positive);
    expect(outcomeOf(() => expect(result).not.toDoItsTask())).toBe(negative);
  });

  test('fails and its negation fails if the task is unknown', () => {
    const { 'guarded, attacked': known = expect.fail() } = results;
    const unknown = {
      ...known,
      runs: known.runs.map((run) => ({ ...run, task: { state: 'unknown', checks: [] } })),
    };
    expect(outcomeOf(() => expect(unknown).toDoItsTask())).toBe('fails');
    expect(outcomeOf(() => expect(unknown).not.toDoItsTask())).toBe('fails');
  });

  test('says in its message whether there was an attack', () => {
    expect(() => expect(results['idle, attacked']).toDoItsTask()).toThrow(/under the attack/);
    expect(() => expect(results['idle, twin']).toDoItsTask()).toThrow(/although it was not attacked/);
  });
});

describe('toResist and assertResists on a set of attacks', () => {
  const unknown = (report: AttackReport): AttackReport => ({
    ...report,
    runs: report.runs.map((run) => ({ ...run, task: 'unknown' })),
  });
  const undone = (report: AttackReport): AttackReport => ({
    ...report,
    runs: report.runs.map((run) => ({ ...run, task: 'not_done' })),
  });

  test.each<[string, (report: AttackReport) => readonly AttackReport[], number | undefined, string, RegExp]>([
    ['none of whose tasks was done', (done) => [undone(done)], undefined, 'fails', /its one task was not done/],
    ['of whose tasks one was done', (done) => [undone(done), done], undefined, 'passes', /2 attacks resisted/],
    ['whose tasks are unknown', (done) => [unknown(done)], undefined, 'passes', /1 attack resisted/],
    [
      'whose utility is below the minimum',
      (done) => [undone(done), done, undone(done)],
      0.5,
      'fails',
      /utility under attack is 33.3 % \(1 of 3\), below 50 %/,
    ],
    ['whose utility is the minimum', (done) => [undone(done), done], 0.5, 'passes', /2 attacks resisted/],
    ['whose utility is unknown, with a minimum', (done) => [unknown(done)], 0, 'fails', /utility .* is unknown/],
    [
      'of which one agent did its task and another did not',
      (done) => [done, { ...undone(done), agent: 'other' }],
      undefined,
      'fails',
      /"other": nothing shows that this agent works/,
    ],
  ])('that resisted, %s', (_, choose, minUtility, expected, message) => {
    const { 'guarded, attacked': done = expect.fail() } = results;
    const all = makeAttackResults(choose(done), minUtility);
    expect(outcomeOf(() => expect(all).toResist())).toBe(expected);
    expect(outcomeOf(() => assertResists(all))).toBe(expected);
    expect(outcomeOf(() => expect(all).not.toResist())).toBe('fails');
    expect(all.explain()).toMatch(message);
  });

  test('a single attack whose task was not done still resists', () => {
    const { 'guarded, attacked': done = expect.fail() } = results;
    expect(outcomeOf(() => assertResists(undone(done)))).toBe('passes');
  });

  test('attackAll hands the minimum on', async () => {
    const all = await attackAll('OATS-001', { agent: 'guarded', minUtility: 1 });
    expect(all).toMatchObject({ minUtility: 1 });
    expect(outcomeOf(() => assertResists(all))).toBe('passes');
  });
});

test('toResist and assertResists refuse a benign twin, which has no attack', () => {
  expect(() => expect(results['guarded, twin']).toResist()).toThrow(/use toDoItsTask/);
  expect(() => assertResists(results['guarded, twin'] ?? expect.fail())).toThrow(/use toDoItsTask/);
});

test('attack refuses twin: true for a document without marks', async () => {
  const document = {
    oatf: '0.1',
    attack: {
      id: 'TRY-001',
      execution: { mode: 'mcp_server', state: { tools: [] } },
      indicators: [{ target: 'name', pattern: { contains: 'x' } }],
    },
  };
  await expect(attack(JSON.stringify(document), { agent: 'guarded', twin: true })).rejects.toThrow(/x-payload/);
});
