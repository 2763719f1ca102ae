import type { Recipe } from '../model/generated-value.ts';
import { archiveGenerator, blobGenerator, imageGenerator } from './blobs.ts';
import { schemaGenerator } from './from-schema.ts';
import { type Generator, readGeneratorArguments } from './generator.ts';
import { mutated } from './mutated-texts.ts';
import { createRandom } from './random.ts';
import { ansiGenerator, linesGenerator, noiseGenerator, textGenerator, unicode } from './texts.ts';
import {
  itemsGenerator,
  keysGenerator,
  nestedGenerator,
  numbersGenerator,
  referencesGenerator,
} from './value-generators.ts';

/** The generators, by the name that documents use. */
export const generators: { readonly [kind: string]: Generator } = {
  ...{
    text: textGenerator,
    lines: linesGenerator,
    noise: noiseGenerator,
    unicode,
    ansi: ansiGenerator,
    blob: blobGenerator,
    archive: archiveGenerator,
    image: imageGenerator,
  },
  ...{
    nested: nestedGenerator,
    keys: keysGenerator,
    numbers: numbersGenerator,
    references: referencesGenerator,
    items: itemsGenerator,
    schema: schemaGenerator,
    mutated,
  },
};

export function findGenerator(kind: string): Generator | undefined {
  return Object.hasOwn(generators, kind) ? generators[kind] : undefined;
}

/** The JSON of a generated value, piece by piece. The same recipe always gives the same value. */
export function* expandRecipe({
  kind,
  seed,
  as,
  before = '',
  after = '',
  parameters,
}: Recipe): globalThis.Generator<string> {
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
