import { beforeAll, describe, expect, test } from 'vitest';
import { type AttackReport, assertResists, attack } from '../../src/testing/testing.ts';
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
