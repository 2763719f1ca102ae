import { parse } from 'yaml';

/** What a YAML file holds. Sources are our own, so their shape is not checked: a mistake shows in the document that is written. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Data = any;

export function isMap(value: Data): value is { [key: string]: Data } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy in which every string, keys included, went through `change`. */
export function mapStrings(value: Data, change: (text: string) => string): Data {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), mapStrings(item, change)]));
}

export function fail(message: string): never {
  throw new Error(message);
}

/** Reads YAML. What stands behind an alias is a copy, so that an edit changes one place only. */
export function readYamlData(text: string): Data {
  return JSON.parse(JSON.stringify(parse(text, { merge: true, maxAliasCount: -1 })));
}
