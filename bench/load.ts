import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseDocument } from 'yaml';
import { load } from '../dist/index.js';
import { publicFixture } from '../test/support/public-fixtures.ts';
import { type Figure, inTurns, ratio } from './measure.ts';

/** `load` against the bare YAML library's parse and toJS of the same texts. */
export function benchLoad(): Figure[] {
  const texts = scenarioTexts();
  const bare = (): void => {
    for (const text of texts) parseDocument(text).toJS();
  };
  const ours = (): void => {
    for (const text of texts) if (!load(text).ok) throw new Error('a scenario does not load');
  };
  return [ratio(`load of ${texts.length} documents`, inTurns(45, ours, bare), 1.5)];
}

/** The public scenarios if they are found, otherwise our own. */
export function scenarioTexts(): string[] {
  const folder = publicFixture('scenarios') ?? fileURLToPath(new URL('../examples', import.meta.url));
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'));
}
