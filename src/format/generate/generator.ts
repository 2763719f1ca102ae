import type { Value, ValueMap } from '../model/value.ts';
import type { Random } from './random.ts';

/** A parameter of a generator: its type, its limits and its default. */
export type GeneratorParameter = { readonly says: string } & (
  | { readonly type: 'integer'; readonly least: number; readonly most: number; readonly default?: number }
  | { readonly type: 'text'; readonly default?: string }
  | { readonly type: 'flag'; readonly default: boolean }
  | { readonly type: 'choice'; readonly of: readonly string[]; readonly default: string }
  /** One or more of these. Default: all of them. */
  | { readonly type: 'choices'; readonly of: readonly string[] }
  | { readonly type: 'value'; readonly default?: Value }
);

/** The arguments of a generator: every parameter, with defaults filled in. */
export interface GeneratorArguments {
  integer(name: string): number;
  text(name: string): string;
  flag(name: string): boolean;
  choices(name: string): readonly string[];
  value(name: string): Value;
}

/** A kind of value that can be generated. */
export interface Generator {
  /** The kind of result: a text, a JSON value, or items of the list that contains it. */
  readonly makes: 'text' | 'value' | 'items';
  readonly says: string;
  readonly parameters: { readonly [name: string]: GeneratorParameter };
  /** The characters of a text, or the JSON of other kinds, in pieces that fit into memory. */
  make(given: GeneratorArguments, random: Random): Iterable<string>;
  /** An upper estimate of its size on the wire, for limits. */
  weigh(given: GeneratorArguments): number;
}

/** The largest size of a generated value, in bytes. */
export const mostGeneratedBytes = 1_000_000_000;
/** The deepest nesting of a generated value. */
export const mostDepth = 1_000_000;
/** The size of the pieces in which a generator yields its output. */
export const textChunkLength = 64 * 1024;

export const bytesParameter: GeneratorParameter = {
  type: 'integer',
  least: 1,
  most: mostGeneratedBytes,
  default: 1_000_000,
  says: 'its length in bytes of UTF-8',
};

/** Reads the parameters of a generator from a checked recipe. */
export function readGeneratorArguments(parameters: Generator['parameters'], written: ValueMap): GeneratorArguments {
  const look = (name: string): Value | undefined => {
    const given = Object.hasOwn(written, name) ? written[name] : undefined;
    const row = parameters[name];
    return given ?? (row !== undefined && 'default' in row ? row.default : undefined);
  };
  return {
    integer: (name) => Number(look(name) ?? 0),
    text: (name) => String(look(name) ?? ''),
    flag: (name) => look(name) === true,
    choices(name) {
      const row = parameters[name];
      const given = look(name);
      const all = row?.type === 'choices' ? row.of : [];
      if (given === undefined) return all;
      return (Array.isArray(given) ? given : [given]).map(String);
    },
    value: (name) => look(name) ?? null,
  };
}
