import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documentCases } from './documents.ts';
import { messageCases } from './messages.ts';
import { inheritedNames, plainKeyChecks } from './plain-keys.ts';
import { type HostileRunner, startHostileRunner } from './run-case.ts';

// Each case must finish on its own with a clear outcome, within 256 MB. The bench measures how long it takes.

const maximumMegabytes = 256;
const backstop = 120_000;

let runner: HostileRunner;
beforeAll(async () => {
  runner = await startHostileRunner();
});
afterAll(() => runner.close());

// One after the other: each process more would have to load and compile the same code.
describe('hostile input', () => {
  for (const { id, expected } of [...documentCases, ...messageCases])
    test(
      `gets the expected outcome within ${maximumMegabytes} MB: ${id}`,
      async () => {
        const { outcome, megabytes } = await runner.runAfterOthers(id, maximumMegabytes);
        expect({ outcome, fits: megabytes <= maximumMegabytes }).toEqual({ outcome: expected, fits: true });
      },
      backstop,
    );
});

describe.each(inheritedNames)('the key %s in a document or message', (key) => {
  test.each(Object.entries(plainKeyChecks))('is treated like any other key by: %s', (_, check) => {
    const [found, expected] = check(key);
    expect(found).toEqual(expected);
  });

  test('leaves Object.prototype unchanged', () => {
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
