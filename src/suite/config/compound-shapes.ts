import type { Path } from '../../format/model/path.ts';
import { findNearest } from '../../format/registry/suggestions.ts';
import {
  type AnySettingShape,
  classifySetting,
  type ProblemReporter,
  quoteSetting,
  reportMismatch,
  type SettingSchema,
  type SettingShape,
} from './setting-shape.ts';

export interface ListOptions<T> {
  readonly least?: number;
  /** A narrower shape for the first item. */
  readonly first?: SettingShape<T>;
}

export function listShape<T>(
  of: SettingShape<T>,
  { least = 0, first }: ListOptions<T> = {},
): SettingShape<readonly T[]> {
  return {
    kind: 'list',
    schema: {
      type: 'array',
      ...(first?.schema !== undefined && { prefixItems: [first.schema] }),
      items: of.schema ?? false,
      ...(least > 0 && { minItems: least }),
    },
    check(value, path, report) {
      if (!Array.isArray(value)) return reportMismatch(['list'], value, path, report);
      if (value.length < least) report({ path, message: 'this is empty', hint: 'leave it out altogether' });
      for (const [index, item] of value.entries())
        (index === 0 ? (first ?? of) : of).check(item, [...path, index], report);
    },
  };
}

export interface MapKeyRule {
  readonly pattern: string;
  /** A key in words, such as "the name of a header". */
  readonly what: string;
  /** A better message for an invalid key than the general one. */
  findProblem?(key: string): string | undefined;
}

export function mapShape<T>(of: SettingShape<T>, keys: MapKeyRule): SettingShape<{ readonly [key: string]: T }> {
  const expression = new RegExp(keys.pattern, 'u');
  return {
    kind: 'mapping',
    schema: {
      type: 'object',
      propertyNames: { pattern: keys.pattern },
      additionalProperties: of.schema ?? false,
    },
    check(value, path, report) {
      if (!isMapping(value)) return reportMismatch(['mapping'], value, path, report);
      for (const [key, item] of Object.entries(value)) {
        const at = [...path, key];
        const problem =
          keys.findProblem?.(key) ?? (expression.test(key) ? undefined : `${quoteSetting(key)} is not ${keys.what}`);
        if (problem !== undefined) report({ path: at, message: problem, isKey: true });
        of.check(item, at, report);
      }
    },
  };
}

export interface NeededField<T> {
  readonly needed: SettingShape<T>;
}

export function neededField<T>(shape: SettingShape<T>): NeededField<T> {
  return { needed: shape };
}

/** Exactly one row for each field of a type, with the field's own type. A field of type `never` has no row. */
export type Fields<T> = {
  readonly [K in keyof T as [Exclude<T[K], undefined>] extends [never] ? never : K]-?: Record<
    never,
    never
  > extends Pick<T, K>
    ? SettingShape<Exclude<T[K], undefined>>
    : NeededField<T[K]>;
};

type ShapeByName = { readonly [name: string]: AnySettingShape };

/** The shape of an object. `texts` describes its fields in the JSON Schema; a shape that only checks needs none. */
export function objectShape<T>(
  fields: Fields<T>,
  texts?: { readonly [K in keyof Fields<T>]: string },
): SettingShape<T> {
  const rows = Object.entries(fields as unknown as { [name: string]: AnySettingShape | NeededField<unknown> });
  const shapes = Object.fromEntries(rows.map(([name, row]) => [name, 'needed' in row ? row.needed : row]));
  const neededNames = rows.flatMap(([name, row]) => ('needed' in row ? name : []));
  const described: { readonly [name: string]: string | undefined } = { ...texts };
  return {
    kind: 'mapping',
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(shapes).flatMap(([name, { schema }]) =>
          schema === undefined ? [] : [[name, { ...schema, description: described[name] }]],
        ),
      ),
      ...(neededNames.length > 0 && { required: neededNames }),
      additionalProperties: false,
    },
    check(value, path, report) {
      if (!isMapping(value)) return reportMismatch(['mapping'], value, path, report);
      checkFields(value, shapes, path, report);
      for (const name of neededNames)
        if (value[name] === undefined) report({ path, message: `\`${name}\` is missing` });
    },
  };
}

function checkFields(value: Mapping, shapes: ShapeByName, path: Path, report: ProblemReporter): void {
  for (const [key, item] of Object.entries(value)) {
    // In code, `undefined` means that the field is not set. In a file, a key without a value is null, which is a
    // mistake.
    if (item === undefined) continue;
    const at = [...path, key];
    const shape = Object.hasOwn(shapes, key) ? shapes[key] : undefined;
    if (shape === undefined) reportUnknownKey(key, Object.keys(shapes), at, report);
    else shape.check(item, at, report);
  }
}

function reportUnknownKey(key: string, known: readonly string[], path: Path, report: ProblemReporter): void {
  const meant = findNearest(key, known) ?? known.find((name) => foldSettingName(name) === foldSettingName(key));
  report({
    path,
    message: `unknown setting ${quoteSetting(key)}`,
    hint: meant === undefined ? `it can be ${known.join(', ')}` : `did you mean ${meant}?`,
    isKey: true,
  });
}

/** Lets grace_period and grace-period suggest gracePeriod. */
function foldSettingName(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

/** One of two shapes; the JSON kind of the value decides which. */
export function eitherShape<A, B>(one: SettingShape<A>, other: SettingShape<B>): SettingShape<A | B> {
  const shapes: readonly AnySettingShape[] = [one, other];
  return {
    // Never read: a shape made by `eitherShape` is not nested in another one.
    kind: 'any',
    schema: { anyOf: shapes.flatMap(({ schema }) => schema ?? []) },
    check(value, path, report) {
      const kind = classifySetting(value);
      const meant = shapes.find((shape) => shape.kind === kind);
      if (meant !== undefined) meant.check(value, path, report);
      else
        reportMismatch(
          shapes.map((shape) => shape.kind),
          value,
          path,
          report,
        );
    },
  };
}

type TypeOf<S> = S extends SettingShape<infer T> ? T : never;

/** Mappings that differ in a key that only one of them has; `what` names them in messages. */
export function shapeByKey<K extends { readonly [key: string]: AnySettingShape }>(
  what: string,
  kinds: K,
): SettingShape<TypeOf<K[keyof K]>> {
  const keys = Object.keys(kinds);
  const schemas = Object.values(kinds).flatMap(({ schema }): readonly SettingSchema[] => {
    const { properties = {}, required = [] } = (schema ?? {}) as { properties?: object; required?: string[] };
    // A kind whose own key has no JSON Schema (a function) is left out of the schema.
    return required.every((name) => Object.hasOwn(properties, name)) && schema !== undefined ? [schema] : [];
  });
  return {
    kind: 'mapping',
    schema: { oneOf: schemas },
    check(value, path, report) {
      if (!isMapping(value)) return reportMismatch(['mapping'], value, path, report);
      const present = keys.filter((key) => value[key] !== undefined);
      const [key = '', second] = present;
      if (second !== undefined)
        return report({
          path,
          message: `${what} has one of ${keys.join(', ')}, and this has ${present.join(' and ')}`,
        });
      const kind = kinds[key];
      if (kind !== undefined) return kind.check(value, path, report);
      const near = Object.keys(value).flatMap((name) => findNearest(name, keys) ?? [])[0];
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
  return classifySetting(value) === 'mapping';
}
