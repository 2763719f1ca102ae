import { archive, blob, image } from './blobs.ts';
import { schema } from './from-schema.ts';
import type { Generator } from './generator.ts';
import { mutated } from './mutated.ts';
import { ansi, lines, noise, text } from './texts.ts';
import { unicode } from './unicode.ts';
import { items, keys, nested, numbers, references } from './values.ts';

/** The generators, by the name that documents use. */
export const generators: { readonly [kind: string]: Generator } = {
  ...{ text, lines, noise, unicode, ansi, blob, archive, image },
  ...{ nested, keys, numbers, references, items, schema, mutated },
};

export function generatorOf(kind: string): Generator | undefined {
  return Object.hasOwn(generators, kind) ? generators[kind] : undefined;
}
