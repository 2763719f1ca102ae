import type { Value, ValueMap } from '../model/value.ts';
import type { Random } from './random.ts';

/** A parameter of a generator: what it may be, and what it is where it is left out. */
export type Parameter = { readonly says: string } & (
  | { readonly type: 'integer'; readonly least: number; readonly most: number; readonly default?: number }
  | { readonly type: 'text'; readonly default?: string }
  | { readonly type: 'flag'; readonly default: boolean }
  | { readonly type: 'choice'; readonly of: readonly string[]; readonly default: string }
  /** One or more of these; all of them where it is left out. */
  | { readonly type: 'choices'; readonly of: readonly string[] }
  | { readonly type: 'value'; readonly default?: Value }
);

/** What a generator is given: every parameter, with defaults filled in. */
export interface Given {
  integer(name: string): number;
  text(name: string): string;
  flag(name: string): boolean;
  choices(name: string): readonly string[];
  value(name: string): Value;
}

/** A kind of value that can be made. */
export interface Generator {
  /** What it makes: a text, a value of JSON, or items of the list that it stands in. */
  readonly makes: 'text' | 'value' | 'items';
  readonly says: string;
  readonly parameters: { readonly [name: string]: Parameter };
  /** Of a text its characters, of others their JSON; in pieces that fit into memory. */
  make(given: Given, random: Random): Iterable<string>;
  /** What it takes on the wire at most, about, for limits. */
  weigh(given: Given): number;
}

/** The largest a generated value may be, in bytes. */
export const mostBytes = 1_000_000_000;
/** The deepest that a generated value may be nested. */
export const mostDepth = 1_000_000;
/** What a generator puts together before it hands it on. */
export const pieceLength = 64 * 1024;

export const bytesParameter: Parameter = {
  type: 'integer',
  least: 1,
  most: mostBytes,
  default: 1_000_000,
  says: 'how long it is, in bytes of UTF-8',
};

/** The parameters of a generator, read from a recipe that is known to be right. */
export function givenBy(parameters: Generator['parameters'], written: ValueMap): Given {
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
