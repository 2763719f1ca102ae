import type { Value } from './value.ts';

/**
 * A type whose fields may all be missing: what decoding could make of a broken document. Rules read drafts,
 * so that one call reports parse errors and rule violations together; the compiler sees to it that no rule
 * relies on a field that decoding may have had to leave out.
 */
export type Draft<T> = T extends Value
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Draft<Item>[]
    : { readonly [Name in keyof T]?: Draft<T[Name]> | undefined };
