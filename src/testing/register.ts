import { matchers } from './matchers.ts';

interface Expect {
  extend(added: object): void;
}

/** The symbol under which Vitest keeps its `expect`, with globals and without. */
const vitestExpect = Symbol.for('expect-global');

/** Adds the matchers to the test framework that has loaded this module, if there is one. */
export function register(world: { readonly [name: PropertyKey]: unknown }): void {
  for (const found of new Set([world.expect, world[vitestExpect]])) if (isExpect(found)) found.extend(matchers);
}

function isExpect(found: unknown): found is Expect {
  return typeof found === 'function' && 'extend' in found && typeof found.extend === 'function';
}
