import table from '../../../data/fields.json' with { type: 'json' };
import type { FieldTable, TableField, TableKeys, TypeName, TypeRow } from './field-table.ts';

// One table, `data/fields.json`, says how every type of SDK spec §2 is written. Decoding, encoding, the order of keys and the
// JSON Schema all read it. Rows are in the order of the specification.

/** Regular expressions, by the names that rows give them. */
export const patterns = table.patterns;

// Values are widened when JSON is imported, so a test checks them; the compiler checks that no field is missing.
const typeRows: TableKeys = table.types;

export const types: { readonly [T in TypeName]: TypeRow } = typeRows as FieldTable;

/** The document's spelling of a model field: `gracePeriod` → `grace_period`. */
export function toDocumentKey(name: string, field: TableField): string {
  return field.key ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The keys that make an object a `MatchCondition`. Any other object is a value to compare with. */
export const matchOperators = Object.keys(table.types.MatchCondition.fields) as readonly MatchOperator[];

export type MatchOperator = keyof typeof table.types.MatchCondition.fields;

/** The operators that may be direct keys of a pattern (N-005). `exists` may not. */
export const shorthandOperators = matchOperators.filter((operator) => operator !== 'exists');
