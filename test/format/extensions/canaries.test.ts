import { describe, expect, test } from 'vitest';
import { drawCanary, listCanaryProofs, writeCanaryRegex } from '../../../src/format/extensions/canaries.ts';
import { canaryKinds } from '../../../src/format/extensions/canary-kinds.ts';
import { diagnoseMarked } from '../../../src/format/load-marked.ts';
import type { Canary } from '../../../src/format/model/document-canary.ts';

const kinds = Object.keys(canaryKinds);
const canaryOf = (kind: string, seed: string): Canary => ({
  name: 'c',
  kind,
  value: drawCanary(kind, seed, 'c') ?? '',
  ...(canaryKinds[kind]?.isSmall && { with: ['Duarte'] }),
});
const found = (canary: Canary, text: string): boolean =>
  new RegExp(writeCanaryRegex(canary).slice('(?i)'.length), 'i').test(text);
const seeds = Array.from({ length: 20 }, (_, index) => `seed-${index}`);

describe.each(kinds)('drawCanary for the kind %s', (kind) => {
  const drawn = seeds.map((seed) => canaryOf(kind, seed));

  test('draws values of the shape of the kind, the same from the same seed', () => {
    expect(drawn.filter(({ value }) => !canaryKinds[kind]?.shape.test(value))).toEqual([]);
    expect(seeds.map((seed) => canaryOf(kind, seed))).toEqual(drawn);
    // A few of the small kinds may be equal by chance.
    expect(new Set(drawn.map(({ value }) => value)).size).toBeGreaterThan(15);
  });

  test('draws values that are found where they stand, and no other value of the kind', () => {
    const said = (value: string): string => `Duarte: ${value}.`;
    const missed = drawn.filter((canary) => !found(canary, said(canary.value)));
    const confused = drawn.filter((canary) =>
      drawn.some(({ value }) => value !== canary.value && found(canary, said(value))),
    );
    expect([missed, confused]).toEqual([[], []]);
  });

  test('has a core that is too long to be guessed, or asks for a second text', () => {
    const proofs = drawn.flatMap(listCanaryProofs);
    const guessed = proofs.filter((texts) => texts.length === 1 && (texts[0] ?? '').length < 8);
    expect(proofs.length).toBeGreaterThanOrEqual(drawn.length);
    expect(guessed).toEqual([]);
  });
});

describe('the core of a canary', () => {
  const [iban, card, key, aws, jwt, phrase, pin] = ['iban', 'card', 'api_key', 'aws_key', 'jwt', 'phrase', 'pin'].map(
    (kind) => canaryOf(kind, 'core'),
  ) as [Canary, Canary, Canary, Canary, Canary, Canary, Canary];
  const random = key.value.slice(-32);
  const secret = aws.value.slice(-40);
  const payload = jwt.value.split('.')[1] ?? '';
  const words = listCanaryProofs(phrase)[0] ?? [];
  const rows: readonly [string, Canary, string, boolean][] = [
    ['finds the digits of an account without its country and bank', iban, iban.value.slice(-15), true],
    ['finds no account by its last four digits', iban, iban.value.slice(-4), false],
    ['finds an account whose digits have hyphens in between', iban, iban.value.replaceAll(' ', '-'), true],
    ['finds a card without its first four digits', card, card.value.slice(5), true],
    [
      'finds no card by its first and last four digits',
      card,
      `${card.value.slice(0, 4)} **** ${card.value.slice(-4)}`,
      false,
    ],
    ...[0, 5, 12].map((from): [string, Canary, string, boolean] => [
      `finds 20 characters of a key from character ${from} of its random part`,
      key,
      random.slice(from, from + 20),
      true,
    ]),
    [
      'finds no key by its prefix and its last four characters',
      key,
      `${key.value.slice(0, 12)}…${random.slice(-4)}`,
      false,
    ],
    ...[0, 7, 20].map((from): [string, Canary, string, boolean] => [
      `finds 20 characters of a secret of Amazon from character ${from}`,
      aws,
      secret.slice(from, from + 20),
      true,
    ]),
    ['finds no secret of Amazon by the id of the key', aws, aws.value.slice(0, 20), false],
    ...[12, 20, 33].map((from): [string, Canary, string, boolean] => [
      `finds 24 characters of a token from character ${from} of its payload`,
      jwt,
      payload.slice(from, from + 24),
      true,
    ]),
    ['finds no token by its header', jwt, jwt.value.split('.')[0] ?? '', false],
    ['finds three rare words in another order', phrase, words.toReversed().join(' and the '), true],
    ['finds no phrase by two of its words', phrase, words.slice(0, 2).join(' '), false],
    ['finds no phrase whose words stand far apart', phrase, words.join('.'.repeat(100)), false],
    ['finds a PIN near the name that belongs to it', pin, `the door of Ines Duarte opens with ${pin.value}`, true],
    ['finds no PIN without the name', pin, `order ${pin.value}`, false],
  ];
  test.each(rows)('%s', (_, canary, text, expected) => expect(found(canary, text)).toBe(expected));
});

describe('diagnoseMarked, for canaries', () => {
  const note: Canary = canaryOf('phrase', 'document');
  const documentWith = (canaries: unknown, indicator: object = {}): string =>
    JSON.stringify({
      oatf: '0.1',
      attack: {
        name: 'A',
        execution: { mode: 'mcp_server', state: { tools: [{ name: 'note', description: note.value }] } },
        indicators: [
          { surface: 'tools/call', target: 'arguments', pattern: { regex: writeCanaryRegex(note) }, ...indicator },
        ],
        'x-canaries': canaries,
      },
    });
  const codes = (text: string): readonly string[] => diagnoseMarked(text).map(({ code, path }) => `${code} ${path}`);
  const listed = 'O-291 attack.x-canaries';
  const rows: readonly [string, unknown, object, readonly string[]][] = [
    ['accepts a canary and the indicator that looks for it', [note], { 'x-canary': 'c' }, []],
    ['reports canaries that are no list', note, {}, [listed]],
    ['reports a canary that is no mapping', ['note'], {}, [`${listed}[0]`]],
    ['reports a canary without a name', [{ ...note, name: '' }], {}, [`${listed}[0]`]],
    ['reports two canaries of one name', [note, note], {}, [`${listed}[1]`]],
    ['reports an unknown kind', [{ ...note, kind: 'sentence' }], {}, [`${listed}[0]`]],
    ['reports an unknown key', [{ ...note, secret: true }], {}, [`${listed}[0]`]],
    ['reports a value that is not of its kind', [{ ...note, kind: 'iban' }], {}, [`${listed}[0]`]],
    ['reports a phrase without rare words', [{ ...note, value: 'this is a plain note' }], {}, [`${listed}[0]`]],
    ['reports a PIN without a text beside it', [{ name: 'p', kind: 'pin', value: '482913' }], {}, [`${listed}[0]`]],
    [
      'reports a PIN with a text that is too short',
      [{ name: 'p', kind: 'pin', value: '482913', with: ['D'] }],
      {},
      [`${listed}[0]`],
    ],
    ['reports a text beside a value that needs none', [{ ...note, with: ['Duarte'] }], {}, [`${listed}[0]`]],
    ['reports an indicator that names no canary', [note], { 'x-canary': 'd' }, ['O-292 attack.indicators[0].x-canary']],
    [
      'reports an indicator whose pattern is another',
      [note],
      { 'x-canary': 'c', pattern: { contains: note.value } },
      ['O-292 attack.indicators[0].x-canary'],
    ],
  ];
  test.each(rows)('%s', (_, canaries, indicator, expected) =>
    expect(codes(documentWith(canaries, indicator))).toEqual(expected),
  );
});
