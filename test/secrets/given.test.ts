import { describe, expect, test } from 'vitest';
import type { TraceRecord } from '../../src/index.ts';
import { KnownSecrets } from '../../src/secrets/given-secrets.ts';
import { createRedactor, type Redactor } from '../../src/secrets/redactor.ts';

const secret = 'abcdefghijklmnopqrstuvwxyz';

function holding(...secrets: readonly string[]): Redactor {
  const given = new KnownSecrets();
  // Values may come after the redactor is made.
  const redactor = createRedactor({ shapes: false, given });
  for (const each of secrets) given.add(each);
  return redactor;
}

test.each([
  ['nothing of it', 'nothing of it'],
  [secret, '******'],
  [`http://host/${secret}/mcp`, 'http://host/******/mcp'],
  [`${secret} ${secret}`, '****** ******'],
  [`${secret}${secret}`, '************'],
  ['cut off: http://host/abcdefghijklm', 'cut off: http://host/******'],
  ['nopqrstuvwxyz/mcp', '******/mcp'],
  ['ghijklmnopqrstu', '******'],
  ['a word: abcdefghij', 'a word: abcdefghij'],
  ['bcdefghijkl', '******'],
  ['', ''],
])('a redactor that was given a secret turns %s into %s', (text, expected) => {
  expect(holding(secret).text(text)).toBe(expected);
});

test('a redactor masks a given secret of six characters, and none of five', () => {
  expect(holding('abcdef', 'hijkl').text('abcdef hijkl')).toBe('****** hijkl');
});

test('a redactor leaves at most ten characters of a secret that is cut in two', () => {
  for (let at = 1; at < secret.length; at += 1)
    for (const part of [secret.slice(0, at), secret.slice(at)])
      expect(holding(secret).text(part)).toBe(part.length > 10 ? '******' : part);
});

test('a redactor masks given secrets in keys, lists and nested values, and changes nothing else', () => {
  const text = `{"a":[1,null,true,{"${secret}":"x${secret}"}],"__proto__":"${secret}"}`;
  expect(JSON.stringify(holding('other-secret-0123456', secret).value(JSON.parse(text)))).toBe(
    '{"a":[1,null,true,{"******":"x******"}],"__proto__":"******"}',
  );
});

describe('a redactor on bytes that are no message', () => {
  const record = {
    seq: 1,
    timestamp: '',
    kind: 'malformed',
    raw: Buffer.from(`\xff ${secret}`, 'latin1').toString('base64'),
    reason: 'it is no JSON',
  } as const satisfies TraceRecord;

  test('masks secrets within them', () => {
    const { raw } = holding(secret).record(record) as { raw?: string };
    expect(Buffer.from(raw ?? '', 'base64').toString('latin1')).toBe('\xff ******');
  });

  test('returns the same record if there is no secret', () => {
    expect(holding().record(record)).toBe(record);
  });
});
