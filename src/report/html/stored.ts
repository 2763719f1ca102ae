import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';

// Stored results are not trusted to be well formed: a field that is missing or of another type counts as not set.

export function textIn(map: ValueMap, key: string): string | undefined {
  const value = Object.hasOwn(map, key) ? map[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}

export function numberIn(map: ValueMap, key: string): number | undefined {
  const value = Object.hasOwn(map, key) ? map[key] : undefined;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function mapIn(map: ValueMap, key: string): ValueMap {
  const value = Object.hasOwn(map, key) ? map[key] : undefined;
  return isValueMap(value) ? value : {};
}

export function mapsIn(map: ValueMap, key: string): readonly ValueMap[] {
  return listIn(map, key).filter(isValueMap);
}

export function textsIn(map: ValueMap, key: string): readonly string[] {
  return listIn(map, key).filter((item) => typeof item === 'string');
}

function listIn(map: ValueMap, key: string): readonly Value[] {
  const value = Object.hasOwn(map, key) ? map[key] : undefined;
  return Array.isArray(value) ? value : [];
}
