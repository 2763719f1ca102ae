import { expect, test } from 'vitest';
import { maximumDepth } from '../../../src/format/expression/evaluation-limits.ts';
import { resolveSimplePath, resolveWildcardPath, type Value } from '../../../src/index.ts';

/** A path with this many steps, and a value that has it. */
function deep(steps: number): { readonly path: string; readonly value: Value } {
  let value: Value = 'found';
  for (let step = 0; step < steps; step++) value = { a: value };
  return { path: Array.from({ length: steps }, () => 'a').join('.'), value };
}

test.each([
  ['resolve a path with as many steps as are allowed', maximumDepth, 'found'],
  ['resolve nothing for a path with one step too many', maximumDepth + 1, undefined],
])('resolveSimplePath and resolveWildcardPath %s', (_, steps, expected) => {
  const { path, value } = deep(steps);
  expect([resolveSimplePath(path, value), resolveWildcardPath(path, value)[0]]).toEqual([expected, expected]);
});
