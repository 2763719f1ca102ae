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

describe('the first frame of NotAttacked is the caller', () => {
  test.each<[what: string, ask: () => Promise<unknown>]>([
    ['wrong options', () => attack('OATS-001', { agent: 'nobody-knows-it' })],
    ['no such document, found after a wait', () => attack('no-such.yaml', { agent: 'guarded' })],
    ['an empty selection', () => attackAll({ tag: ['no-such-tag'] }, { agent: 'guarded' })],
  ])('%s', async (_, ask) => {
    expect(await firstFrame(ask())).toContain('not-attacked.test.ts');
  });
});

test('the message comes before the frames', async () => {
  await expect(attack('no-such.yaml', { agent: 'guarded' })).rejects.toMatchObject({
    stack: expect.stringMatching(/^NotAttacked: no-such\.yaml: /),
  });
});
