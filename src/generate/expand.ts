import type { Recipe } from '../model/generated-value.ts';
import { givenBy } from './generator.ts';
import { generatorOf } from './kinds.ts';
import { randomFrom } from './random.ts';

/** The JSON of a generated value, piece by piece. The same recipe always gives the same value. */
export function* expand({ kind, seed, as, before = '', after = '', parameters }: Recipe): Generator<string> {
  const generator = generatorOf(kind);
  if (generator === undefined) throw new Error(`there is no generator named ${kind}`);
  const made = generator.make(givenBy(generator.parameters, parameters), randomFrom(seed));
  if (generator.makes !== 'text' && as !== 'text') {
    yield* made;
    return;
  }
  yield `"${escaped(before)}`;
  for (const piece of made) if (piece !== '') yield escaped(piece);
  yield `${escaped(after)}"`;
}

/** An upper estimate of the size of a value on the wire. */
export function weigh({ kind, before = '', after = '', parameters }: Recipe): number {
  const generator = generatorOf(kind);
  if (generator === undefined) return 0;
  return generator.weigh(givenBy(generator.parameters, parameters)) + before.length + after.length;
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
