import assert from 'node:assert/strict';

/** Checks that every expected member is there; there may be more. */
export function partly(actual: unknown, expected: unknown, at: string): void {
  if (typeof expected !== 'object' || expected === null) assert.deepEqual(actual, expected, at);
  else {
    assert.ok(typeof actual === 'object' && actual !== null, `${at} is ${JSON.stringify(actual)}`);
    if (Array.isArray(expected))
      assert.equal((actual as unknown[]).length, expected.length, `${at}: ${JSON.stringify(actual)}`);
    for (const [key, inner] of Object.entries(expected))
      partly((actual as Record<string, unknown>)[key], inner, `${at}.${key}`);
  }
}
