import type { Path } from '../../format/model/path.ts';

// The shape of a setting, defined once: the check and the JSON Schema both come from it.

export type SettingSchema = { readonly [key: string]: unknown };

/** An invalid setting of a configuration. */
export interface ConfigProblem {
  readonly path: Path;
  readonly message: string;
  readonly hint?: string;
  /** Whether the key is wrong, rather than its value. */
  readonly isKey?: true;
}

export type ProblemReporter = (problem: ConfigProblem) => void;

export type SettingKind = 'text' | 'number' | 'boolean' | 'list' | 'mapping' | 'function' | 'any';

declare const says: unique symbol;

export interface AnySettingShape {
  readonly kind: SettingKind;
  /** Undefined if JSON cannot express the value. */
  readonly schema: SettingSchema | undefined;
  check(value: unknown, path: Path, report: ProblemReporter): void;
}

/** Values of exactly this type: the compiler accepts neither a wider nor a narrower one. */
export interface SettingShape<T> extends AnySettingShape {
  readonly [says]?: (value: T) => T;
}

export function classifySetting(value: unknown): SettingKind | 'nothing' {
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

const names: { readonly [K in SettingKind | 'nothing']: string } = {
  text: 'a text',
  number: 'a number',
  boolean: 'true or false',
  list: 'a list',
  mapping: 'a mapping',
  function: 'a function',
  any: 'something else',
  nothing: 'nothing',
};

export function nameSettingKind(kind: SettingKind | 'nothing'): string {
  return names[kind];
}

/** Reports a value of the wrong kind, with a hint. */
export function reportMismatch(
  expected: readonly SettingKind[],
  value: unknown,
  path: Path,
  report: ProblemReporter,
  /** A valid example, for values that quotation marks alone would not correct. */
  example?: string,
): void {
  const found = classifySetting(value);
  const isQuotable = expected.includes('text') && (found === 'number' || found === 'boolean');
  report({
    path,
    message: `expected ${expected.map(nameSettingKind).join(' or ')}, found ${nameSettingKind(found)}`,
    ...(isQuotable && {
      hint: example === undefined ? `put it in quotes: "${String(value)}"` : `such as ${example}`,
    }),
  });
}

/** Quotes a value for a message, cut to 60 characters. */
export function quoteSetting(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
