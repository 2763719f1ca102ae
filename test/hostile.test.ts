import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documentCases } from './hostile/documents.ts';
import { messageCases } from './hostile/messages.ts';
import { inheritedNames, plainKeyChecks } from './hostile/plain-keys.ts';
import { type HostileRunner, startHostileRunner } from './hostile/run-case.ts';

// Each case must finish on its own with a clear outcome, within 256 MB. The bench measures how long it takes.

const maximumMegabytes = 256;
const backstop = 120_000;

let runner: HostileRunner;
beforeAll(async () => {
  runner = await startHostileRunner();
});
afterAll(() => runner.close());

// One after the other: each process more would have to load and compile the same code.
describe('hostile input ends', () => {
  for (const { id, expected } of [...documentCases, ...messageCases])
    test(
      id,
      async () => {
        const { outcome, megabytes } = await runner.runAfterOthers(id, maximumMegabytes);
        expect({ outcome, fits: megabytes <= maximumMegabytes }).toEqual({ outcome: expected, fits: true });
      },
      backstop,
    );
});

describe.each(inheritedNames)('%s is a key like any other', (key) => {
  test.each(Object.entries(plainKeyChecks))('%s', (_, check) => {
    const [found, expected] = check(key);
    expect(found).toEqual(expected);
  });

  test('and no object has changed', () => {
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
