import { createHash } from 'node:crypto';
import { gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { estimateSize, expandRecipe, generators } from '../../../src/format/generate/kinds.ts';
import type { Recipe } from '../../../src/format/model/generated-value.ts';
import type { ValueMap } from '../../../src/format/model/value.ts';

/** Parameters that keep each kind small, and its required parameters. */
const small: { readonly [kind: string]: ValueMap } = {
  ...Object.fromEntries(['text', 'lines', 'noise', 'unicode', 'ansi', 'blob'].map((kind) => [kind, { bytes: 1_000 }])),
  archive: { bytes: 100_000 },
  image: { width: 500, height: 300 },
  nested: { depth: 100 },
  keys: { count: 20 },
  numbers: { digits: 30 },
  references: { depth: 10 },
  items: { count: 3, item: { name: 'tool_{n}' } },
  schema: {
    schema: {
      type: 'object',
      required: ['city', 'days'],
      properties: {
        city: { type: 'string', minLength: 3 },
        days: { type: 'integer', minimum: 1, maximum: 7 },
      },
    },
  },
  mutated: { value: { name: 'search', arguments: { query: 'boats', limit: 3 } }, changes: 3 },
};

function recipe(kind: string, parameters: ValueMap = small[kind] ?? {}, beside: Partial<Recipe> = {}): Recipe {
  return { kind, seed: 'one', parameters, ...beside };
}

function jsonOf(made: Recipe): string {
  return [...expandRecipe(made)].join('');
}

function bytesOf(made: Recipe): Buffer {
  return Buffer.from(JSON.parse(jsonOf(made)), 'base64');
}

const byChance = ['noise', 'unicode', 'ansi', 'blob', 'schema', 'mutated'];

describe.each(Object.keys(generators))('the generator %s', (kind) => {
  test('writes JSON that is no longer than its estimate', () => {
    const text = jsonOf(recipe(kind));
    expect(() => JSON.parse(kind === 'items' ? `[${text}]` : text)).not.toThrow();
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(estimateSize(recipe(kind)) + 64);
  });

  test('writes the same for the same seed, and something else for another seed if it is random', () => {
    const other = recipe(kind, undefined, { seed: 'two' });
    expect(jsonOf(recipe(kind))).toBe(jsonOf(recipe(kind)));
    expect(jsonOf(recipe(kind)) !== jsonOf(other)).toBe(byChance.includes(kind));
  });

  test('describes each of its parameters', () => {
    for (const { says } of Object.values(generators[kind]?.parameters ?? {})) expect(says).not.toBe('');
  });
});

// A change of what a seed gives would break every run that a user wants to repeat.
test('generators write the same bytes for a seed as in earlier versions', () => {
  const sums = Object.keys(generators).map((kind) => [
    kind,
    createHash('sha256')
      .update(jsonOf(recipe(kind)))
      .digest('hex')
      .slice(0, 12),
  ]);
  expect(Object.fromEntries(sums)).toMatchInlineSnapshot(`
    {
      "ansi": "fec369c5df51",
      "archive": "90fb606816c6",
      "blob": "8587b9f8966f",
      "image": "9379fb8b754e",
      "items": "329e0a64bda0",
      "keys": "a044eb57c51a",
      "lines": "826ccbb3f5ca",
      "mutated": "b64c80b48a57",
      "nested": "3803b00a9daf",
      "noise": "ae54ce044ec7",
      "numbers": "5cdccf346537",
      "references": "15a23c62922e",
      "schema": "47d3750bde80",
      "text": "e9ab20c720ea",
      "unicode": "20f8a89063d1",
    }
  `);
});

describe('expand, for texts', () => {
  test.each([
    ['text', { bytes: 1_001, repeat: 'añ' }, 1_001],
    ['text', { bytes: 200_000, repeat: 'lorem ipsum ' }, 200_000],
    ['noise', { bytes: 70_000 }, 70_000],
  ] as const)('writes %s with %o in a length of %i bytes', (kind, parameters, length) => {
    const text = JSON.parse(jsonOf(recipe(kind, parameters)));
    expect(length - Buffer.byteLength(text)).toBeLessThan(2);
  });

  test('writes the words before and after the generated text', () => {
    const text = JSON.parse(jsonOf(recipe('text', { bytes: 3 }, { before: '"a"\n', after: '\\b' })));
    expect(text).toBe('"a"\nAAA\\b');
  });

  test('writes a value as the text of its JSON', () => {
    const text = JSON.parse(jsonOf(recipe('nested', { depth: 3, of: 'both' }, { as: 'text', after: '!' })));
    expect(text).toBe('{"a":[{"a":null}]}!');
  });
});

describe('expand, for nested values', () => {
  test.each([
    ['objects', '{"a":{"a":{"a":1}}}'],
    ['lists', '[[[1]]]'],
    ['both', '{"a":[{"a":1}]}'],
  ])('nests %s', (of, text) => {
    expect(jsonOf(recipe('nested', { depth: 3, of, leaf: 1 }))).toBe(text);
    expect(() => JSON.parse(jsonOf(recipe('nested', { depth: 100_000, of })))).not.toThrow();
  });
});

test('expand repeats a key of the generator keys', () => {
  expect(jsonOf(recipe('keys', { count: 3, key: 'id', repeated: true, value: 7 }))).toBe('{"id":7,"id":7,"id":7}');
});

test('expand writes references that lead from one to the next and back', () => {
  const made = JSON.parse(jsonOf(recipe('references', { depth: 3, cycle: true })));
  expect(made).toEqual({
    $ref: '#/$defs/d1',
    $defs: { d1: { $ref: '#/$defs/d2' }, d2: { $ref: '#/$defs/d3' }, d3: { $ref: '#/$defs/d1' } },
  });
});

describe('expand, for archives and images', () => {
  test.each([1, 2, 258, 259, 260, 1_000, 65_536, 1_000_000, 20_000_019])(
    'writes a gzip of %i zeros that unpacks to them',
    (bytes) => {
      const unpacked = gunzipSync(bytesOf(recipe('archive', { form: 'gzip', bytes })));
      expect([unpacked.length, unpacked.every((byte) => byte === 0)]).toEqual([bytes, true]);
    },
  );

  test('writes a zip with all its files that is far smaller than they are', () => {
    const packed = bytesOf(recipe('archive', { bytes: 5_000_000, entries: 2 }));
    const name = packed.readUInt16LE(26);
    const size = packed.readUInt32LE(18);
    const first = packed.subarray(30 + name, 30 + name + size);
    expect(inflateRawSync(first).length).toBe(5_000_000);
    expect(packed.subarray(packed.length - 22, packed.length - 18).toString('latin1')).toBe('PK\u0005\u0006');
    expect(packed.readUInt16LE(packed.length - 12)).toBe(2);
    const directory = packed.readUInt32LE(packed.length - 6);
    expect(packed.subarray(directory, directory + 4).toString('latin1')).toBe('PK\u0001\u0002');
    expect(packed.length).toBeLessThan(12_000);
  });

  test('writes a PNG that unpacks to all its rows', () => {
    const packed = bytesOf(recipe('image', { width: 20_000, height: 10_000 }));
    expect(packed.subarray(1, 4).toString('latin1')).toBe('PNG');
    const size = packed.readUInt32BE(33);
    const rows = inflateSync(packed.subarray(41, 41 + size));
    expect(rows.length).toBe(10_000 * 2_501);
    expect(packed.length).toBeLessThan(30_000);
  });
});
