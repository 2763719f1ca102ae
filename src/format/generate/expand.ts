import type { Recipe } from '../model/generated-value.ts';
import { readGeneratorArguments } from './generator.ts';
import { findGenerator } from './kinds.ts';
import { createRandom } from './random.ts';

/** The JSON of a generated value, piece by piece. The same recipe always gives the same value. */
export function* expandRecipe({ kind, seed, as, before = '', after = '', parameters }: Recipe): Generator<string> {
  const generator = findGenerator(kind);
  if (generator === undefined) throw new Error(`there is no generator named ${kind}`);
  const made = generator.make(readGeneratorArguments(generator.parameters, parameters), createRandom(seed));
  if (generator.makes !== 'text' && as !== 'text') {
    yield* made;
    return;
  }
  yield `"${escapeJsonText(before)}`;
  for (const piece of made) if (piece !== '') yield escapeJsonText(piece);
  yield `${escapeJsonText(after)}"`;
}

/** An upper estimate of the size of a value on the wire. */
export function estimateSize({ kind, before = '', after = '', parameters }: Recipe): number {
  const generator = findGenerator(kind);
  if (generator === undefined) return 0;
  return generator.weigh(readGeneratorArguments(generator.parameters, parameters)) + before.length + after.length;
}

function escapeJsonText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
