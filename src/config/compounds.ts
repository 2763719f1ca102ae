import type { Path } from '../model/path.ts';
import { nearest } from '../registry/suggestions.ts';
import { type AnyShape, kindOf, mismatch, quoted, type Report, type Schema, type Shape } from './shape.ts';

export interface ListOptions<T> {
  readonly least?: number;
  /** A narrower shape for the first item. */
  readonly first?: Shape<T>;
}

export function list<T>(of: Shape<T>, { least = 0, first }: ListOptions<T> = {}): Shape<readonly T[]> {
  return {
    kind: 'list',
    schema: {
      type: 'array',
      ...(first?.schema !== undefined && { prefixItems: [first.schema] }),
      items: of.schema ?? false,
      ...(least > 0 && { minItems: least }),
    },
    check(value, path, report) {
      if (!Array.isArray(value)) return mismatch(['list'], value, path, report);
      if (value.length < least) report({ path, message: 'this is empty', hint: 'leave it out altogether' });
      for (const [index, item] of value.entries())
        (index === 0 ? (first ?? of) : of).check(item, [...path, index], report);
    },
  };
}

/** The keys that a map may have. */
export interface Keys {
  readonly pattern: string;
  /** A key in words, such as "the name of a header". */
  readonly what: string;
  /** A better message for an invalid key than the general one. */
  problemOf?(key: string): string | undefined;
}

export function map<T>(of: Shape<T>, keys: Keys): Shape<{ readonly [key: string]: T }> {
  const expression = new RegExp(keys.pattern, 'u');
  return {
    kind: 'mapping',
    schema: {
      type: 'object',
      propertyNames: { pattern: keys.pattern },
      additionalProperties: of.schema ?? false,
    },
    check(value, path, report) {
      if (!isMapping(value)) return mismatch(['mapping'], value, path, report);
      for (const [key, item] of Object.entries(value)) {
        const at = [...path, key];
        const problem =
          keys.problemOf?.(key) ?? (expression.test(key) ? undefined : `${quoted(key)} is not ${keys.what}`);
        if (problem !== undefined) report({ path: at, message: problem, isKey: true });
        of.check(item, at, report);
      }
    },
  };
}

export interface Optional<T> {
  readonly shape: Shape<T>;
  readonly description: string;
}

export interface Needed<T> extends Optional<T> {
  readonly isNeeded: true;
}

export function optional<T>(shape: Shape<T>, description: string): Optional<T> {
  return { shape, description };
}

export function needed<T>(shape: Shape<T>, description: string): Needed<T> {
  return { shape, description, isNeeded: true };
}

/** Exactly one row for each field of a type, with the field's own type. A field of type `never` has no row. */
export type Fields<T> = {
  readonly [K in keyof T as [Exclude<T[K], undefined>] extends [never] ? never : K]-?: Record<
    never,
    never
  > extends Pick<T, K>
    ? Optional<Exclude<T[K], undefined>>
    : Needed<T[K]>;
};

type Rows = { readonly [name: string]: Optional<unknown> & { readonly isNeeded?: true } };

export function object<T>(fields: Fields<T>): Shape<T> {
  const rows = fields as unknown as Rows;
  const neededNames = Object.keys(rows).filter((name) => rows[name]?.isNeeded);
  return {
    kind: 'mapping',
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(rows).flatMap(([name, { shape, description }]) =>
          shape.schema === undefined ? [] : [[name, { ...shape.schema, description }]],
        ),
      ),
      ...(neededNames.length > 0 && { required: neededNames }),
      additionalProperties: false,
    },
    check(value, path, report) {
      if (!isMapping(value)) return mismatch(['mapping'], value, path, report);
      checkFields(value, rows, path, report);
      for (const name of neededNames)
        if (value[name] === undefined) report({ path, message: `\`${name}\` is missing` });
    },
  };
}

function checkFields(value: Mapping, rows: Rows, path: Path, report: Report): void {
  for (const [key, item] of Object.entries(value)) {
    // In code, `undefined` means that the field is not set. In a file, a key without a value is null, which is a
    // mistake.
    if (item === undefined) continue;
    const at = [...path, key];
    const row = Object.hasOwn(rows, key) ? rows[key] : undefined;
    if (row === undefined) unknownKey(key, Object.keys(rows), at, report);
    else row.shape.check(item, at, report);
  }
}

function unknownKey(key: string, known: readonly string[], path: Path, report: Report): void {
  const meant = nearest(key, known) ?? known.find((name) => folded(name) === folded(key));
  report({
    path,
    message: `unknown setting ${quoted(key)}`,
    hint: meant === undefined ? `it can be ${known.join(', ')}` : `did you mean ${meant}?`,
    isKey: true,
  });
}

/** Lets grace_period and grace-period suggest gracePeriod. */
function folded(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

/** One of two shapes, told apart by their JSON kind. */
export function either<A, B>(one: Shape<A>, other: Shape<B>): Shape<A | B> {
  const shapes: readonly AnyShape[] = [one, other];
  return {
    // Never read: a shape made by `either` is not nested in another `either`.
    kind: 'any',
    schema: { anyOf: shapes.flatMap(({ schema }) => schema ?? []) },
    check(value, path, report) {
      const kind = kindOf(value);
      const meant = shapes.find((shape) => shape.kind === kind);
      if (meant !== undefined) meant.check(value, path, report);
      else
        mismatch(
          shapes.map((shape) => shape.kind),
          value,
          path,
          report,
        );
    },
  };
}

type TypeOf<S> = S extends Shape<infer T> ? T : never;

/** Mappings told apart by a key that only one of them has; `what` names them in messages. */
export function byKey<K extends { readonly [key: string]: AnyShape }>(
  what: string,
  kinds: K,
): Shape<TypeOf<K[keyof K]>> {
  const keys = Object.keys(kinds);
  const schemas = Object.values(kinds).flatMap(({ schema }): readonly Schema[] => {
    const { properties = {}, required = [] } = (schema ?? {}) as { properties?: object; required?: string[] };
    // A kind whose own key has no JSON Schema (a function) is left out of the schema.
    return required.every((name) => Object.hasOwn(properties, name)) && schema !== undefined ? [schema] : [];
  });
  return {
    kind: 'mapping',
    schema: { oneOf: schemas },
    check(value, path, report) {
      if (!isMapping(value)) return mismatch(['mapping'], value, path, report);
      const present = keys.filter((key) => value[key] !== undefined);
      const [key = '', second] = present;
      if (second !== undefined)
        return report({
          path,
          message: `${what} has one of ${keys.join(', ')}, and this has ${present.join(' and ')}`,
        });
      const kind = kinds[key];
      if (kind !== undefined) return kind.check(value, path, report);
      const near = Object.keys(value).flatMap((name) => nearest(name, keys) ?? [])[0];
      report({
        path,
        message: `${what} needs one of ${keys.join(', ')}`,
        ...(near !== undefined && { hint: `did you mean ${near}?` }),
      });
    },
  };
}

interface Mapping {
  readonly [key: string]: unknown;
}

function isMapping(value: unknown): value is Mapping {
  return kindOf(value) === 'mapping';
}
