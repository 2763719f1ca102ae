import { isValueMap, type Value } from '../../src/format/model/value.ts';
import type { Random } from './random.ts';

const oddTexts: readonly string[] = [
  '',
  '\0',
  '{{',
  '{{v}}{{v}}',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  '\u202e\u200b',
  '\ud800',
  'x'.repeat(70_000),
  '$..[?@..a]',
  '(a+)+$',
];
const oddValues: readonly Value[] = [
  null,
  true,
  -1,
  0,
  1e308,
  2 ** 53,
  '',
  [],
  {},
  [[[[[[[[]]]]]]]],
  { __proto__x: 1, '': null },
  ...oddTexts,
];

/** Copies a value with one place changed. */
export function mutatedValue(value: Value, random: Random, depth = 0): Value {
  if (depth > 12 || random.chance(0.15)) return random.pick(oddValues);
  if (Array.isArray(value)) {
    const items = value as readonly Value[];
    if (items.length === 0) return [random.pick(oddValues)];
    const at = random.int(items.length);
    if (random.chance(0.2)) return items.filter((_, index) => index !== at);
    if (random.chance(0.2)) return [...items, ...items];
    return items.map((item, index) => (index === at ? mutatedValue(item, random, depth + 1) : item));
  }
  if (isValueMap(value)) {
    const entries = Object.entries(value);
    if (entries.length === 0) return { [random.pick(oddTexts)]: random.pick(oddValues) };
    const at = random.int(entries.length);
    if (random.chance(0.15)) return Object.fromEntries(entries.filter((_, index) => index !== at));
    return Object.fromEntries(
      entries.map(([key, item], index) =>
        index !== at
          ? [key, item]
          : random.chance(0.15)
            ? [random.pick(oddTexts), item]
            : [key, mutatedValue(item, random, depth + 1)],
      ),
    );
  }
  return random.pick(oddValues);
}

/** Cuts out, doubles or replaces some bytes. */
export function mutatedBytes(bytes: Buffer, random: Random): Buffer {
  let changed = Buffer.from(bytes);
  for (let left = 1 + random.int(3); left > 0; left--) {
    const from = random.int(changed.length + 1);
    const to = Math.min(changed.length, from + random.int(40));
    const [head, part, tail] = [changed.subarray(0, from), changed.subarray(from, to), changed.subarray(to)];
    const middle = random.pick([
      [],
      [part, part],
      [random.bytes(random.int(8))],
      [Buffer.from(random.pick(oddTexts).slice(0, 200))],
      [part, Buffer.from(random.pick(['\n', ': ', '- ', '{', '}', '[', '"', '&a ', '*a', '!!js ', '\t', '\r']))],
    ]);
    changed = Buffer.concat([head, ...middle, tail]);
  }
  return changed;
}

/** Breaks a message. Most results are still JSON, so that they get past the parser. */
export function mutatedFrame(frame: Value, random: Random): Buffer {
  const value = random.chance(0.8) ? mutatedValue(frame, random) : frame;
  const written = Buffer.from(JSON.stringify(value));
  return random.chance(0.15) ? mutatedBytes(written, random) : written;
}

/** The same on one line, for transports that send lines or events. */
export function mutatedLine(frame: Value, random: Random): Buffer {
  return Buffer.from(mutatedFrame(frame, random).map((byte) => (byte === 0x0a || byte === 0x0d ? 0x20 : byte)));
}
