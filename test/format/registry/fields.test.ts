import { expect, test } from 'vitest';
import { enumerations } from '../../../src/format/model/enumeration-types.ts';
import type { FieldType } from '../../../src/format/registry/field-table.ts';
import { patterns, types } from '../../../src/format/registry/fields.ts';

// The table is JSON, so the compiler knows its keys and not its values.

const fields = Object.entries(types).flatMap(([type, { fields, ownExtensions }]) =>
  Object.entries({ ...fields, ...ownExtensions }).map(([name, field]) => [`${type}.${name}`, field] as const),
);

function isKnown(type: FieldType): boolean {
  switch (type.kind) {
    case 'string':
      return type.pattern === undefined || Object.hasOwn(patterns, type.pattern);
    case 'enumeration':
      return Object.hasOwn(enumerations, type.of);
    case 'object':
      return Object.hasOwn(types, type.of);
    case 'shorthand':
      return Object.hasOwn(enumerations, type.scalar) && Object.hasOwn(types, type.object);
    case 'list':
    case 'map':
      return isKnown(type.of);
    case 'integer':
    case 'number':
    case 'boolean':
    case 'value':
    case 'state':
    case 'condition':
      return true;
    default:
      return false;
  }
}

test.each(fields)('the type of %s is known, and names a pattern, an enumeration or a type that exists', (_, field) => {
  expect(isKnown(field.type)).toBe(true);
});

test.each(fields)('%s has no setting that nothing reads', (_, field) => {
  const known = ['type', 'required', 'absenceRule', 'typeRule', 'default', 'key'];
  expect(Object.keys(field).filter((key) => !known.includes(key))).toEqual([]);
});
