import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import references from '../../scenarios/src/references.json' with { type: 'json' };
import { type Data, fail } from './values.ts';

const folder = join(import.meta.dirname, '../../data/frameworks');

export interface FrameworkEntry {
  readonly id: string;
  readonly name: string;
  readonly aliases?: readonly string[];
}

export interface Framework {
  readonly framework: string;
  readonly items: readonly FrameworkEntry[];
}

/** The lists of frameworks that documents may map to. */
export const frameworks: readonly Framework[] = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));

/** Mappings by id alone: `T0110` is of ATLAS, `S1001` is of SAFE-MCP. */
export function buildMappings(primary: readonly string[] = [], related: readonly string[] = []): readonly Data[] {
  return [...primary.map((id) => buildMapping(id, 'primary')), ...related.map((id) => buildMapping(id, 'related'))];
}

function buildMapping(short: string, relationship: string): Data {
  const id = short.replace(/^T(?=\d)/, 'AML.T').replace(/^S(?=\d)/, 'SAFE-T');
  for (const { framework, items } of frameworks) {
    const item = items.find((each) => each.id === id);
    if (item !== undefined) return { framework, id, name: item.name, relationship };
  }
  return fail(`no framework has the entry "${short}"`);
}

const known: { readonly [key: string]: { readonly url: string; readonly title: string; readonly says: string } } =
  references;

export function buildReferences(keys: readonly string[]): readonly Data[] {
  return keys.map((key) => {
    const { url, title, says } = known[key] ?? fail(`there is no reference "${key}" in scenarios/src/references.json`);
    return { url, title, description: says };
  });
}
