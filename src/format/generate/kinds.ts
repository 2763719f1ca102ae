import { archiveGenerator, blobGenerator, imageGenerator } from './blobs.ts';
import { schemaGenerator } from './from-schema.ts';
import type { Generator } from './generator.ts';
import { mutated } from './mutated-texts.ts';
import { ansiGenerator, linesGenerator, noiseGenerator, textGenerator } from './texts.ts';
import { unicode } from './unicode.ts';
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
