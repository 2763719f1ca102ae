import type { Path } from '../model/path.ts';

// What a setting may be, said once: the check and the JSON Schema both come from it.

export type Schema = { readonly [key: string]: unknown };

/** Something in a configuration that cannot be meant. */
export interface ConfigProblem {
  readonly path: Path;
  readonly message: string;
  readonly hint?: string;
  /** Whether the key itself is wrong, rather than what stands behind it. */
  readonly isKey?: true;
}

export type Report = (problem: ConfigProblem) => void;

export type Kind = 'text' | 'number' | 'boolean' | 'list' | 'mapping' | 'function' | 'any';

declare const says: unique symbol;

export interface AnyShape {
  readonly kind: Kind;
  /** Nothing for what JSON cannot say. */
  readonly schema: Schema | undefined;
  check(value: unknown, path: Path, report: Report): void;
}

/** The values of exactly this type: the compiler takes no wider or narrower one in its place. */
export interface Shape<T> extends AnyShape {
  readonly [says]?: (value: T) => T;
}

export function kindOf(value: unknown): Kind | 'nothing' {
  switch (typeof value) {
    case 'string':
      return 'text';
    case 'number':
    case 'boolean':
    case 'function':
      return typeof value as 'number' | 'boolean' | 'function';
    case 'object':
      return value === null ? 'nothing' : Array.isArray(value) ? 'list' : 'mapping';
    default:
      return value === undefined ? 'nothing' : 'any';
  }
}

const names: { readonly [K in Kind | 'nothing']: string } = {
  text: 'a text',
  number: 'a number',
  boolean: 'true or false',
  list: 'a list',
  mapping: 'a mapping',
  function: 'a function',
  any: 'something else',
  nothing: 'nothing',
};

export function nameOf(kind: Kind | 'nothing'): string {
  return names[kind];
}

/** Reports a value of another type, with what would help. */
export function mismatch(
  expected: readonly Kind[],
  value: unknown,
  path: Path,
  report: Report,
  /** What would be right, where quotation marks alone would not do. */
  example?: string,
): void {
  const found = kindOf(value);
  const isQuotable = expected.includes('text') && (found === 'number' || found === 'boolean');
  report({
    path,
    message: `expected ${expected.map(nameOf).join(' or ')}, found ${nameOf(found)}`,
    ...(isQuotable && {
      hint: example === undefined ? `put it in quotes: "${String(value)}"` : `such as ${example}`,
    }),
  });
}

/** Values as they are quoted in messages: never long. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
