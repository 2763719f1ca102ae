import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';

// Stored results may be malformed: a field that is missing or of another type counts as not set.

export function readTextField(map: ValueMap, key: string): string | undefined {
  const value = Object.hasOwn(map, key) ? map[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}

export function readNumberField(map: ValueMap, key: string): number | undefined {
  const value = Object.hasOwn(map, key) ? map[key] : undefined;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function readMapField(map: ValueMap, key: string): ValueMap {
  const value = Object.hasOwn(map, key) ? map[key] : undefined;
  return isValueMap(value) ? value : {};
}

export function readMapsField(map: ValueMap, key: string): readonly ValueMap[] {
  return readListField(map, key).filter(isValueMap);
}

export function readTextsField(map: ValueMap, key: string): readonly string[] {
  return readListField(map, key).filter((item) => typeof item === 'string');
}

function readListField(map: ValueMap, key: string): readonly Value[] {
  const value = Object.hasOwn(map, key) ? map[key] : undefined;
  return Array.isArray(value) ? value : [];
}
