import type { Value } from './value.ts';

/**
 * The type with every field optional: the result of decoding a broken document. Rules read drafts, so one call reports parse
 * errors and rule violations together. The compiler ensures that no rule relies on a field that decoding may omit.
 */
export type Draft<T> = T extends Value
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Draft<Item>[]
    : { readonly [Name in keyof T]?: Draft<T[Name]> | undefined };
