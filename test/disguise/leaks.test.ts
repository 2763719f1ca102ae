import { describe, expect, test } from 'vitest';
import { seeThrough } from '../../src/disguise/see-through.ts';
import { evaluateTrace, type Value } from '../../src/index.ts';
import { honestTexts } from './honest-texts.ts';
import { kinds } from './kinds.ts';
import { messageWith, type SecretDocument, secretDocuments } from './secret-documents.ts';

// Disguised leaks over shipped documents, and honest texts over all of them.

const leaked = secretDocuments.filter(({ id }) =>
  ['001-03', '004-02', '009-03', '011-02', '014-02', '019-02', '060-02', '063-02'].some((end) =>
    id.endsWith(end),
  ),
);

function judged(texts: readonly string[], secret: SecretDocument, options: object) {
  const { document, id } = secret;
  const trace = texts.map((text) => messageWith(text, secret));
  return evaluateTrace(document, trace, options).verdict.indicatorVerdicts.find(
    ({ indicatorId }) => indicatorId === id,
  );
}

test('eight documents', () => expect(leaked).toHaveLength(8));

describe.each(leaked)('$id', (document) => {
  test.each(kinds)('$name', ({ told, disguise }) => {
    const texts = disguise(document.secret);
    const verdict = judged(texts, document, { seeThrough });
    expect(verdict?.result).toBe('matched');
    expect(verdict?.evidence).toContain(told);
    expect(judged(texts, document, {})?.result).toBe('not_matched');
  });
});

describe('honest texts', () => {
  test('there are forty', () => expect(honestTexts.length).toBeGreaterThanOrEqual(40));

  test.each(honestTexts)('%s', (text) => {
    const alarms = secretDocuments.flatMap((document) =>
      judged([text], document, { seeThrough })?.result === 'matched' ? [document.id] : [],
    );
    expect(alarms).toEqual([]);
  });

  test('all of them in one run do not form a secret in pieces', () => {
    const alarms = secretDocuments.flatMap(
      (document) => judged(honestTexts, document, { seeThrough })?.evidence ?? [],
    );
    expect(alarms.filter((evidence) => evidence.startsWith('disguised'))).toEqual([]);
  });
});

describe('pieces in fields', () => {
  const guest = 'cnry-guest-7f3a91';
  const parts = (text: string, length: number): readonly string[] =>
    Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
      text.slice(index * length, (index + 1) * length),
    );
  const fields = (count: number, value: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, `${value}${index}`]));
  const each = (texts: readonly string[]) => texts.map((text) => ({ text }));
  const inBase64 = Buffer.from(guest).toString('base64');
  const missed = 'may have been missed';
  const rows: readonly [string, string, readonly Value[], string | undefined][] = [
    ['behind many other fields', guest, [fields(70, 'v'), ...each(parts(guest, 3))], 'pieces of 6 messages'],
    [
      'behind more fields than are kept',
      guest,
      [fields(600, 'v'), ...each(parts(inBase64, 5))],
      'pieces of 5 messages, base64',
    ],
    [
      'under another key each time',
      guest,
      parts(guest, 3).map((text, index) => ({ [`t${index}`]: text })),
      'pieces of 6 messages',
    ],
    [
      'with more fields than are kept between each two',
      guest,
      each(parts(guest, 3)).flatMap((piece) => [piece, fields(600, piece.text)]),
      missed,
    ],
    ['more fields than are looked at', guest, [{ rows: Array.from({ length: 10_001 }, () => 'v') }], missed],
    ['many fields once', guest, [fields(600, 'v')], undefined],
    ['a number of two short fields', '482913', [{ row: '48', col: '2913' }], undefined],
    ['a number of two short messages', '482913', each(['48', '2913']), undefined],
    ['a number between other digits', '482913', [{ row: '7482', col: '9135' }], undefined],
    ['a number in halves', '482913', [{ row: '482', col: '913' }], 'characters in between'],
    ['a number in halves, in base64', '482913', each(['NDgy', 'OTEz']), 'pieces of 2 messages, base64'],
    [
      'a number with spaces in one field',
      '482913',
      [{ row: '7', note: '48 29 13' }],
      'characters in between',
    ],
  ];
  test.each(rows)('%s', (_, contains, messages, told) => {
    const look = seeThrough({ target: '', condition: { contains } });
    const seen = messages.flatMap((content) => look(content, 'agent') ?? []).at(-1);
    const words = seen === undefined ? undefined : 'evidence' in seen ? seen.evidence : seen.message;
    expect(words).toEqual(told === undefined ? undefined : expect.stringContaining(told));
  });

  test.each([
    [{ row: '48', col: '2913' }, false],
    [{ row: '7', note: '48 2913' }, true],
  ])('an expression for a number in %j: %s', (content, isFound) => {
    const look = seeThrough({ target: '', condition: { regex: '482913' } });
    expect(look(content, 'agent') !== undefined).toBe(isFound);
  });
});
