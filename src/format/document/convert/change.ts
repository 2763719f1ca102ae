import { isMap, isScalar, isSeq, type Node, type YAMLMap, type YAMLSeq } from 'yaml';
import { formatPath, type Path } from '../../model/path.ts';
import type { Value } from '../../model/value.ts';
import type { YamlDocument } from '../read-yaml.ts';

/** One change to a document, or one key that OATF 0.1 lacks and that was left. */
export interface ConversionChange {
  /** `left`: OATF 0.1 has nothing that does the same. */
  readonly kind: 'rewritten' | 'left';
  readonly path: string;
  readonly message: string;
  /** The line in the original text, counted from 1. */
  readonly line: number;
}

/** A document that is being rewritten. */
export interface Rewriting {
  readonly yaml: YamlDocument;
  readonly text: string;
  readonly changes: ConversionChange[];
}

/** A mapping, and its path before the rewriting began. */
export interface RewrittenMapping {
  readonly map: YAMLMap;
  readonly path: Path;
}

export function recordChange(
  { text, changes }: Rewriting,
  kind: ConversionChange['kind'],
  path: Path,
  node: unknown,
  message: string,
): void {
  const offset = (node as Node | undefined)?.range?.[0] ?? 0;
  const line = text.slice(0, offset).split('\n').length;
  changes.push({ kind, path: formatPath(path), message, line });
}

export function createNode({ yaml }: Rewriting, value: Value): Node {
  return yaml.createNode(value) as Node;
}

export function mapAt(map: YAMLMap, key: string): YAMLMap | undefined {
  const value = map.get(key);
  return isMap(value) ? value : undefined;
}

export function listAt(map: YAMLMap, key: string): YAMLSeq | undefined {
  const value = map.get(key);
  return isSeq(value) ? value : undefined;
}

export function getText(map: YAMLMap, key: string): string | undefined {
  const value = map.get(key);
  return typeof value === 'string' ? value : undefined;
}

export function listMappings({ map, path }: RewrittenMapping, key: string): readonly RewrittenMapping[] {
  return (listAt(map, key)?.items ?? []).flatMap((item, index) =>
    isMap(item) ? [{ map: item, path: [...path, key, index] }] : [],
  );
}

export function listMappingKeys(map: YAMLMap): readonly string[] {
  return map.items.map(({ key }) => (isScalar(key) ? String(key.value) : String(key)));
}

/** Renames a key in its position, and keeps its comments. */
export function renameKey(map: YAMLMap, from: string, to: string): void {
  for (const { key } of map.items) if (isScalar(key) && key.value === from) key.value = to;
}

/** Removes keys from a mapping and returns them as a new mapping. */
export function takeOut(rewriting: Rewriting, map: YAMLMap, keys: readonly string[]): YAMLMap {
  const taken = createNode(rewriting, {}) as YAMLMap;
  taken.items.push(...map.items.filter(({ key }) => isScalar(key) && keys.includes(String(key.value))));
  for (const key of keys) map.delete(key);
  return taken;
}
