import { failUnreachable, isValueMap, setOwn, type Value, type ValueMap } from '../model/value.ts';
import { isMatchCondition } from '../primitives/evaluate-condition.ts';
import type { FieldType, ModelTypes, TypeName } from '../registry/field-table.ts';
import { toDocumentKey, types } from '../registry/fields.ts';

/** Encodes a model object as the format spells it: keys in the order of the field table, then the extensions. */
export function encode<T extends TypeName>(type: T, model: ModelTypes[T]): ValueMap {
  return encodeObject(type, model as unknown as ValueMap);
}

function encodeObject(type: TypeName, model: ValueMap): ValueMap {
  const row = types[type];
  const encoded: Record<string, Value> = {};
  for (const [name, field] of Object.entries(row.fields)) {
    const value = model[name];
    if (value !== undefined) encoded[toDocumentKey(name, field)] = encodeAs(field.type, value);
  }
  const collected = [row.otherKeys, row.extensible && 'extensions'];
  for (const name of collected) {
    const others = typeof name === 'string' ? model[name] : undefined;
    if (isValueMap(others)) for (const [key, value] of Object.entries(others)) setOwn(encoded, key, value);
  }
  return encoded;
}

function encodeAs(type: FieldType, value: Value): Value {
  switch (type.kind) {
    case 'object':
      return encodeObject(type.of, value as ValueMap);
    case 'shorthand':
      return isValueMap(value) ? encodeObject(type.object, value) : value;
    case 'list':
      return (value as readonly Value[]).map((item) => encodeAs(type.of, item));
    case 'map': {
      const encoded: Record<string, Value> = {};
      for (const [key, item] of Object.entries(value as ValueMap)) setOwn(encoded, key, encodeAs(type.of, item));
      return encoded;
    }
    case 'condition':
      return isMatchCondition(value) ? encodeObject('MatchCondition', value as ValueMap) : value;
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
    case 'value':
    case 'state':
    case 'enumeration':
      return value;
    default:
      return failUnreachable(type);
  }
}
