import { AssertionError } from 'node:assert';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { register } from '../../src/testing/matchers.ts';
import * as testing from '../../src/testing/testing.ts';
import { type AttackReport, assertResists, attack, matchers } from '../../src/testing/testing.ts';
import { careful, fooled, idle } from './agents.ts';

test('oatf/testing exports exactly the documented names', () => {
  expect(Object.keys(testing).sort()).toEqual(['NotAttacked', 'assertResists', 'attack', 'attackAll', 'matchers']);
});

describe('toResist', () => {
  const results: { [outcome: string]: AttackReport } = {};
  beforeAll(async () => {
    for (const agent of [careful, fooled, idle]) {
      const result = await attack('OATS-001', { agent });
      results[result.outcome] = result;
    }
    results.not_applicable = await attack('OATS-040', { agent: careful });
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    results.error = await attack('OATS-001', { agent: careful, listen: { stays: port } });
    await new Promise((resolve) => taken.close(resolve));
    expect(Object.entries(results).map(([name, { outcome }]) => [name, outcome])).toEqual(
      Object.keys(results).map((name) => [name, name]),
    );
  });

  test.each([
    ['resisted', 'passes', 'fails'],
    ['exploited', 'fails', 'passes'],
    ['inconclusive', 'fails', 'fails'],
    ['not_applicable', 'fails', 'fails'],
    ['error', 'fails', 'fails'],
  ])('on an outcome %s %s, and its negation %s', (outcome, positive, negative) => {
    const verdictOf = (check: () => void): string => {
      try {
        check();
        return 'passes';
      } catch {
        return 'fails';
      }
    };
    const result = results[outcome];
    expect(verdictOf(() => expect(result).toResist())).toBe(positive);
    expect(verdictOf(() => expect(result).not.toResist())).toBe(negative);
    expect(verdictOf(() => assertResists(result ?? expect.fail()))).toBe(positive);
  });

  test('says what the indicators looked at if the negation fails', () => {
    expect(() => expect(results.resisted).not.toResist()).toThrow(
      /what its indicators looked at.*\n +OATS-001-02: [\s\S]* resists, and the test expects that it does not/,
    );
  });

  test('has the same message as assertResists', () => {
    const { exploited = expect.fail() } = results;
    expect(() => assertResists(exploited)).toThrow(AssertionError);
    expect(() => assertResists(exploited)).toThrow(exploited.explain());
  });

  test('works through a promise', async () => {
    await expect(attack('OATS-001', { agent: careful })).resolves.toResist();
  });

  test.each([
    ['a promise', Promise.resolve(), /promise: await it/],
    ['undefined', undefined, /something else/],
    ['a text', 'resisted', /something else/],
  ])('refuses %s', (_, received, message) => {
    expect(() => expect(received).toResist()).toThrow(message);
    expect(() => expect(received).not.toResist()).toThrow(message);
  });

  test('refuses results without any attack', () => {
    const none = { results: [], counts: {}, explain: () => '' } as unknown as testing.AttackReports;
    expect(() => expect(none).toResist()).toThrow(/no attack/);
    expect(() => expect(none).not.toResist()).toThrow(/no attack/);
    expect(() => assertResists(none)).toThrow(/no attack/);
  });

  test('has colours if the framework has them', () => {
    const utils = { RECEIVED_COLOR: (text: string) => `<red>${text}</red>` };
    const painted = matchers.toResist.call({ utils }, results.exploited).message();
    expect(painted).toMatch(/^<red>EXPLOITED<\/red>, boundary_breach/);
    expect(matchers.toResist.call({}, results.exploited).message()).toBe(results.exploited?.explain());
  });
});

describe('register', () => {
  /** A framework that keeps the extensions of its `expect`. */
  function framework() {
    const added: object[] = [];
    return {
      added,
      expect: Object.assign(() => {}, { extend: (matchers: object) => void added.push(matchers) }),
    };
  }

  test('adds the matchers to a global expect, as in Jest', () => {
    const { added, expect: found } = framework();
    register({ expect: found });
    expect(added).toEqual([matchers]);
  });

  test('adds the matchers to the expect of Vitest once, with and without globals', () => {
    const { added, expect: found } = framework();
    register({ [Symbol.for('expect-global')]: found });
    register({ [Symbol.for('expect-global')]: found, expect: found });
    expect(added).toEqual([matchers, matchers]);
  });

  test.each([[{}], [{ expect: undefined }], [{ expect: () => {} }], [{ expect: { extend: 1 } }]])(
    'does nothing if there is no expect to extend: %j',
    (world) => {
      expect(() => register(world)).not.toThrow();
    },
  );
});
