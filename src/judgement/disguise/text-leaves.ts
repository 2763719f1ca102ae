import { isValueMap, type Value } from '../../format/model/value.ts';

export interface TextLeaf {
  /** The path in the value. "" is the value itself. */
  readonly path: string;
  readonly text: string;
}

const mostLeaves = 10_000;

/** The strings in a value, in order, without JSON's quotes and escapes. `isCut` is set if there are more than the limit. */
export function listTextLeaves(value: Value): {
  readonly leaves: readonly TextLeaf[];
  readonly isCut: boolean;
} {
  const leaves: TextLeaf[] = [];
  let isCut = false;
  const waiting: { readonly path: string; readonly value: Value }[] = [{ path: '', value }];
  for (let next = waiting.pop(); next !== undefined && leaves.length < mostLeaves; next = waiting.pop()) {
    const { path, value: here } = next;
    if (Array.isArray(here)) {
      if (here.length > mostLeaves) isCut = true;
      for (let index = Math.min(here.length, mostLeaves) - 1; index >= 0; index--)
        waiting.push({ path: `${path}[${index}]`, value: here[index] as Value });
    } else if (isValueMap(here))
      for (const [key, item] of Object.entries(here).reverse()) waiting.push({ path: `${path}.${key}`, value: item });
    else if (here !== null && typeof here !== 'boolean') leaves.push({ path, text: String(here) });
  }
  return { leaves, isCut: isCut || waiting.length > 0 };
}

/** The keys of a value. An agent may hide its message in a key. */
export function listLeafKeys(leaves: readonly TextLeaf[]): readonly string[] {
  return leaves.map(({ path }) => path.slice(path.lastIndexOf('.') + 1));
}
