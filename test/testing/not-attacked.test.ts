import { describe, expect, test } from 'vitest';
import { attack, attackAll, NotAttacked } from '../../src/testing/testing.ts';

// The mistake is in the test, so a runner has to show the test's own line.

async function firstFrame(asked: Promise<unknown>): Promise<string | undefined> {
  const thrown = await asked.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(thrown).toBeInstanceOf(NotAttacked);
  return (thrown as Error).stack?.split('\n').find((line) => line.startsWith('    at '));
}

describe('the first stack frame of NotAttacked', () => {
  test.each<[what: string, ask: () => Promise<unknown>]>([
    ['wrong options', () => attack('OATS-001', { agent: 'nobody-knows-it' })],
    ['a missing document, found asynchronously', () => attack('no-such.yaml', { agent: 'guarded' })],
    ['an empty selection', () => attackAll({ tag: ['no-such-tag'] }, { agent: 'guarded' })],
  ])('is the caller for %s', async (_, ask) => {
    expect(await firstFrame(ask())).toContain('not-attacked.test.ts');
  });
});

test('the stack of NotAttacked begins with its message', async () => {
  await expect(attack('no-such.yaml', { agent: 'guarded' })).rejects.toMatchObject({
    stack: expect.stringMatching(/^NotAttacked: no-such\.yaml: /),
  });
});
