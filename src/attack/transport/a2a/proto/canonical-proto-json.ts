import { isValueMap, setOwn, type Value, type ValueMap } from '../../../../format/model/value.ts';
import type { MessageType, ProtoField, ProtoSchema } from '../../proto/read-proto.ts';

/**
 * Rewrites a proto JSON message with the names that we read: peers may write a field by its proto name (`context_id`)
 * and an enumeration value by its number. Unknown fields stay as they are.
 */
export function canonicalizeProtoJson(schema: ProtoSchema, type: string, value: Value): Value {
  const message = schema.messages.get(type);
  return message === undefined || !isValueMap(value) ? value : canonicalizeMessage(schema, message, value);
}

function canonicalizeMessage(schema: ProtoSchema, type: MessageType, value: ValueMap): ValueMap {
  const renamed: Record<string, Value> = {};
  for (const [key, inner] of Object.entries(value)) {
    const field = type.byName.get(key);
    const name = field?.jsonName ?? key;
    // If both names are present, the proto name is not taken as the field.
    const isOther = name !== key && Object.hasOwn(value, name);
    if (field === undefined || isOther) setOwn(renamed, key, inner);
    else setOwn(renamed, name, canonicalizeField(schema, field, inner));
  }
  return renamed;
}

function canonicalizeField(schema: ProtoSchema, { type, label }: ProtoField, value: Value): Value {
  const one = (item: Value): Value => canonicalizeValue(schema, type, item);
  if (label === 'single') return one(value);
  if (label === 'repeated') return Array.isArray(value) ? (value as readonly Value[]).map(one) : value;
  if (!isValueMap(value)) return value;
  const map: Record<string, Value> = {};
  for (const [key, item] of Object.entries(value)) setOwn(map, key, one(item));
  return map;
}

function canonicalizeValue(schema: ProtoSchema, type: string, value: Value): Value {
  const members = schema.enums.get(type);
  if (members === undefined) return canonicalizeProtoJson(schema, type, value);
  if (typeof value !== 'number') return value;
  return [...members].find(([, number]) => number === value)?.[0] ?? value;
}
