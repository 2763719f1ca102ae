import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Environment } from './build-document.ts';
import { readYamlData } from './values.ts';

export const scenarios = join(import.meta.dirname, '../../scenarios');
export const sources = join(scenarios, 'src');

export function readEnvironments(): { readonly [name: string]: Environment } {
  const folder = join(sources, 'env');
  return Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => {
        const { servers, canaries = {} } = readYamlData(readFileSync(join(folder, name), 'utf8'));
        return [basename(name, '.yaml').toUpperCase(), { servers, canaries }];
      }),
  );
}

/** The ids of all sources, or of those that are named. */
export function listSources(wanted: readonly string[] = []): readonly string[] {
  return readdirSync(sources)
    .filter((name) => /^OATS-.*\.yaml$/.test(name))
    .map((name) => basename(name, '.yaml'))
    .filter((id) => wanted.length === 0 || wanted.includes(id));
}

export function readSourceText(id: string): string {
  return readFileSync(join(sources, `${id}.yaml`), 'utf8');
}
