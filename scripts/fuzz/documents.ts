import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse as parseYaml } from 'yaml';
import { isValueMap, type Value, type ValueMap } from '../../src/format/model/value.ts';
import { diagnose, load, normalize, serialize } from '../../src/index.ts';
import type { Finding } from './judged-run.ts';
import { mutatedBytes, mutatedValue } from './mutate.ts';
import { type Random, randomFrom } from './random.ts';

/** The longest time that a document may take. Reading has limits, so no document may exceed it. */
const longestMs = 5_000;

/**
 * Breaks parts of shipped documents. Reading them must never throw, and must end. Each broken document has a number,
 * from which it can be made again.
 */
export function fuzzDocuments(root: string, { seed, from, count }: DocumentRange): Finding {
  const folder = join(root, 'scenarios');
  const texts = readdirSync(folder)
    .filter((name) => /(?<!\.test)\.yaml$/.test(name))
    .map((name) => readFileSync(join(folder, name)));
  const values: readonly ValueMap[] = texts.map((text) => parseYaml(text.toString('utf8')));
  const violations: string[] = [];
  let loads = 0;
  for (let number = from; number < from + count; number++) {
    const random = randomFrom(seed, number);
    const text = random.chance(0.1)
      ? mutatedBytes(random.pick(texts), random).toString('utf8')
      : rewritten(random.pick(values), random);
    const started = performance.now();
    try {
      const loaded = load(text);
      if (loaded.ok) {
        loads += 1;
        const written = JSON.stringify(loaded.document);
        if (JSON.stringify(normalize(loaded.document)) !== written)
          violations.push(`document ${number}: normalizing it again changes it`);
        if (number % 4 === 0) {
          const again = load(serialize(loaded.document));
          if (!again.ok) violations.push(`document ${number}: does not load as it is written`);
          else if (!isDeepStrictEqual(again.document, loaded.document))
            violations.push(`document ${number}: another one once it is written and read`);
        }
      } else if (loaded.errors.length === 0) violations.push(`document ${number}: refused without a reason`);
      if (number % 16 === 0 && !loaded.ok && !diagnose(text).some(({ severity }) => severity === 'error'))
        violations.push(`document ${number}: refused, and nothing is found wrong with it`);
    } catch (thrown) {
      violations.push(`document ${number}: ${thrown instanceof Error ? thrown.stack : String(thrown)}`);
    }
    const ms = performance.now() - started;
    if (ms > longestMs) violations.push(`document ${number}: took ${Math.round(ms)} ms`);
  }
  const name = `documents ${from} to ${from + count - 1} (${loads} of them still valid)`;
  return { name, count, unit: 'documents', violations };
}

/** The broken documents to make: a seed and a range of numbers. */
export interface DocumentRange {
  readonly seed: number;
  readonly from: number;
  readonly count: number;
}

/**
 * Shortens a document and replaces values in one to three places. The text is valid JSON, but may not be a valid
 * document.
 */
function rewritten(document: ValueMap, random: Random): string {
  const less = random.chance(0.1) ? document : (lesser(document, random) as ValueMap);
  const attack = Object.entries(less.attack as ValueMap);
  const some = attack.filter(([key]) => key === 'execution' || random.chance(0.4));
  const whole: ValueMap = { ...less, attack: Object.fromEntries(some) };
  if (random.chance(0.2)) return JSON.stringify(mutatedValue(whole, random));
  // The change is made deep inside, so that it does not make the rest unreadable.
  const at = random.int(some.length);
  const parts = some.map(([key, part], index) => [key, index === at ? deepChange(part, random) : part]);
  return JSON.stringify({ ...less, attack: Object.fromEntries(parts) });
}

const longestText = 80;

/** Keeps one item of each list and the beginning of each text, so that more documents can be tried in the same time. */
function lesser(value: Value, random: Random): Value {
  if (typeof value === 'string') return value.slice(0, longestText);
  if (Array.isArray(value)) return value.length === 0 ? [] : [lesser(random.pick(value), random)];
  if (!isValueMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, lesser(item, random)]));
}

function deepChange(part: Value, random: Random, depth = 0): Value {
  const keys = typeof part === 'object' && part !== null ? Object.keys(part) : [];
  if (keys.length === 0 || (depth > 1 && random.chance(0.15))) return mutatedValue(part, random);
  const at = random.pick(keys);
  if (Array.isArray(part))
    return part.map((item, index) => (String(index) === at ? deepChange(item, random, depth + 1) : item));
  return { ...(part as ValueMap), [at]: deepChange((part as ValueMap)[at] ?? null, random, depth + 1) };
}
