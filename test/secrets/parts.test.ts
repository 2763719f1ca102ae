import { describe, expect, test } from 'vitest';
import { compileRegex, type Regex } from '../../src/format/expression/regex.ts';
import type { RunEntry } from '../../src/format/model/results-file.ts';
import type { TraceRecord } from '../../src/format/model/trace-record.ts';
import { coverText, givenStars } from '../../src/secrets/cover.ts';
import {
  isSecretName,
  KnownSecrets,
  listEncodedForms,
  listInheritedSecrets,
  listLiteralSecrets,
  listSecretForms,
  listSecrets,
  redactUrl,
} from '../../src/secrets/given-secrets.ts';
import { createRedactor } from '../../src/secrets/redactor.ts';
import { coverConfigLines, coverKeyLines, isNamedSecret, isTellingKey } from '../../src/secrets/secret-shapes.ts';

describe('coverConfigLines masks', () => {
  test.each<[what: string, text: string, covered: string]>([
    ['nothing outside of variables and headers', 'agent: a\ntimeout: 3s', 'agent: a\ntimeout: 3s'],
    ['the values below env, up to a line with the same indent', 'env:\n  A: b\nc: d', 'env:\n  A: ****\nc: d'],
    [
      'the values below env, up to a line with less indent',
      'a:\n  env:\n    A: b\nc: d',
      'a:\n  env:\n    A: ****\nc: d',
    ],
    ['the values below env across a blank line', 'env:\n  A: b\n\n  C: d', 'env:\n  A: ****\n\n  C: ****'],
    ['a value beside env', 'env: { A: b }\nc: d', 'env: ****\nc: d'],
    ['the second of two blocks', 'env:\n  A: b\nc: d\nheaders:\n  E: f', 'env:\n  A: ****\nc: d\nheaders:\n  E: ****'],
    ['a block in a list', '- env:\n    A: b\n- c: d', '- env:\n    A: ****\n- c: d'],
    [
      'what stands in open brackets, whatever its indent',
      'env: {\nA: b,\nC: d\n}\ne: f',
      'env: {\nA: ****\nC: ****\n}\ne: f',
    ],
    [
      'what stands in lists within brackets',
      '"env": {\n"A": [\n"b"\n]\n}\ne: f',
      '"env": {\n"A": [\n ****\n]\n}\ne: f',
    ],
    ['a line without a name', 'env:\n  - A=b', 'env:\n ****'],
    ['headers in the middle of a line', 'a: { headers: { B: c } }', 'a: { headers: ****'],
  ])('%s', (_, text, covered) => {
    expect(coverConfigLines(text).join('\n')).toBe(covered);
  });
});

describe('listEncodedForms', () => {
  const value = 'k?>~key-with-ü';

  test.each<[what: string, form: (bytes: Buffer) => string]>([
    ['base64', (bytes) => bytes.toString('base64').slice(0, -1).replace(/=+$/, '')],
    ['base64url', (bytes) => bytes.toString('base64url').slice(0, -1)],
    ['hexadecimal', (bytes) => bytes.toString('hex')],
    ['hexadecimal in capitals', (bytes) => bytes.toString('hex').toUpperCase()],
    ['percent encoding', (bytes) => encodeURIComponent(bytes.toString('utf8'))],
  ])('has the form in %s', (_, form) => {
    expect(listEncodedForms(value).some((each) => each.startsWith(form(Buffer.from(value)).slice(0, -1)))).toBe(true);
  });

  test.each([1, 2])('has a form that base64 text contains if the value begins after %i other bytes', (shift) => {
    const text = Buffer.from(`${'x'.repeat(shift)}${value}and more`).toString('base64');
    const url = Buffer.from(`${'x'.repeat(shift)}${value}and more`).toString('base64url');
    const forms = listEncodedForms(value);
    expect(forms.filter((form) => text.includes(form))).not.toEqual([]);
    expect(forms.filter((form) => url.includes(form))).not.toEqual([]);
  });

  test.each([
    ['seven', '1234567', false],
    ['eight', '12345678', true],
  ])('is there for a value from eight characters on: %s', (_, text, isThere) => {
    expect(listEncodedForms(text).length > 0).toBe(isThere);
  });

  test('has the longest base64 that any text around the value leaves unchanged', () => {
    expect(listEncodedForms('123456789').slice(0, 3)).toEqual(['MTIzNDU2Nzg5', 'EyMzQ1Njc4O', 'xMjM0NTY3OD']);
  });

  test('never has the value itself', () => {
    expect(listEncodedForms('abcdefgh')).not.toContain('abcdefgh');
  });
});

describe('isSecretName', () => {
  const secret = [
    ...[
      'API_KEY',
      'Session_Cookie',
      'X-Auth',
      'DB_PASS',
      'PGPASS',
      'MYSQL_PWD',
      'GH_PAT',
      'X-Pin',
      'adminPin',
      'CARD_PIN',
    ],
    ...[
      'SESSION_ID',
      'JWT',
      'APP_JWT_VALUE',
      'X-Signature',
      'sig',
      'SENTRY_DSN',
      'DATABASE_URL',
      'MONGODB_URI',
      'REDIS_URL',
    ],
    ...['AMQP_URL', 'PG_CONNECTION_STRING', 'passphrase', 'OTP'],
  ];
  const plain = [
    ...['PATH', 'PWD', 'OLDPWD', 'HOME', 'SPIN', 'PATTERN', 'PASSAGE', 'XDG_SESSION_TYPE', 'DBUS_SESSION_BUS_ADDRESS'],
    ...['LANG', 'PAGE'],
  ];
  test.each(secret)('is true for %s', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  test.each(plain)('is false for %s', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});

describe('listLiteralSecrets', () => {
  test.each<[value: string, secrets: readonly string[]]>([
    ['plain', ['plain']],
    ['with/a/slash', ['with/a/slash']],
    ['Bearer {{env.TOKEN}}', []],
    ['a-secret-value ', ['a-secret-value']],
    ['sid=a-cookie {{env.A}}', ['sid=a-cookie']],
    ['before-{{env.A}}-after', ['before-', '-after']],
    ['postgres://u:p4ss@h/db', ['postgres://u:p4ss@h/db', 'p4ss', 'p4ss', Buffer.from('u:p4ss').toString('base64')]],
  ])('of %s are %j', (value, secrets) => {
    expect(listLiteralSecrets([value])).toEqual(secrets);
  });
});

test.each([
  ['of every character', '%68%75%6e%74%65%72%32%2f%32%34'],
  ['of every character in capitals', '%68%75%6E%74%65%72%32%2F%32%34'],
  ['of what needs it, in small letters', 'hunter2%2f24'],
  ['of one letter', 'hu%6eter2/24'],
])('a given value is found in the percent encoding %s', (_what, encoded) => {
  const known = new KnownSecrets();
  known.add('hunter2/24');
  expect(coverText(`x=${encoded}&y`, known)).toBe(`x=${givenStars}&y`);
});

test.each([
  ['once', (text: string) => JSON.stringify({ key: text })],
  ['twice', (text: string) => JSON.stringify(JSON.stringify({ key: text }))],
])('a given value is found in JSON within a text, escaped %s', (_times, write) => {
  const known = new KnownSecrets();
  known.add('pa"ss\\wo"rd\\12"34');
  expect(coverText(write('pa"ss\\wo"rd\\12"34'), known)).toBe(write(givenStars));
});

test('listInheritedSecrets takes variables with telling names, and passwords in the addresses of others', () => {
  const variables = { SMTP_PW: 'a-password', HTTPS_PROXY: 'http://u:p4ssw0rd@proxy.test', LANG: 'en', HOME: '/home/u' };
  expect(listInheritedSecrets(variables)).toEqual(expect.arrayContaining(['a-password', 'p4ssw0rd']));
  expect(listInheritedSecrets(variables)).not.toContain('en');
});

describe('listSecrets', () => {
  const base64 = Buffer.from('me:p@ss').toString('base64');
  test.each<[what: string, given: Parameters<typeof listSecrets>[0], secrets: readonly string[]]>([
    ['nothing in a plain address', { url: 'http://a.test/b?c=d' }, []],
    [
      'a password, also decoded and as Basic credentials',
      { url: 'http://me:p%40ss@a.test/' },
      ['p%40ss', 'p@ss', base64],
    ],
    ['no user without a password', { url: 'http://me@a.test/' }, []],
    ['a secret parameter of the query', { url: 'http://a.test/?token=t&page=2' }, ['t']],
    ['a secret parameter beside a password', { url: 'http://u:p@a.test/?key=k' }, ['k', 'p', 'p', 'dTpw']],
    [
      'every header but those that say what a message is',
      {
        url: 'x',
        headers: {
          'X-Any': 'A',
          Accept: 'B',
          'content-type': 'C',
          'x-version': '2.1',
          'y-version': 'D',
          'user-agent': 'E',
        },
      },
      ['A', 'D', 'E'],
    ],
    ['what is named a secret', { url: 'x', secrets: ['s'] }, ['s']],
    ['nothing if the secrets stay', { url: 'http://u:p@a/', secrets: ['s'], secretsStay: true }, []],
    ['a password whose escapes are broken, as written', { url: 'http://u:%zz@a.test/' }, ['%zz', '%zz', 'dToleno=']],
  ])('finds %s', (_, given, secrets) => {
    expect(listSecrets(given)).toEqual(secrets);
  });
});

test.each([
  ['http://me:word@a.test:81/b?c=d#e', 'http://a.test:81/b'],
  ['no address', 'no address'],
])('redactUrl gives %s as %s', (url, redacted) => {
  expect(redactUrl(url)).toBe(redacted);
});

test.each<[values: readonly string[], forms: readonly string[]]>([
  [['Bearer abcdef'], ['Bearer abcdef', 'abcdef']],
  [['short'], []],
  [['abc"def'], ['abc\\"def', 'abc"def']],
  [['abcdef', 'abcdef'], ['abcdef']],
])('listSecretForms gives for %j the forms %j, the longest first', (values, forms) => {
  expect(listSecretForms(values)).toEqual(forms);
});

test.each<[key: string, is: boolean]>([
  ['password', true],
  ['Authorization', true],
  ['postgres://u', true],
  ['bearer', false],
  ['name', false],
])('isTellingKey("%s") is %s', (key, is) => {
  expect(isTellingKey(key)).toBe(is);
});

test.each<[key: string, text: string, is: boolean]>([
  ['password', 'hunter22', true],
  ['password', 'abc', false],
  ['name', 'hunter22', false],
  ['name', 'password=hunter22', false],
])('isNamedSecret("%s", "%s") is %s', (key, text, is) => {
  expect(isNamedSecret(key, text)).toBe(is);
});

test('coverKeyLines masks a private key line by line, and keeps blank lines', () => {
  const [begin, end] = ['-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----'];
  expect(coverKeyLines(`a\n${begin}\nMIIE\n\nabcd\n${end}`)).toBe(`a\n${begin}\n****\n\n****\n${end}`);
});

const everything: Regex = (() => {
  const regex = compileRegex('secret');
  if ('failure' in regex) throw new Error(regex.failure);
  return regex;
})();
const redactor = createRedactor({ patterns: [everything] });

test.each([
  ...['seq', 'timestamp', 'actor', 'protocol', 'mode', 'phase', 'session', 'kind', 'origin', 'method'],
  ...['id', 'level', 'event', 'raw'],
])('a pattern leaves the field `%s` of a record', (field) => {
  expect(redactor.record({ [field]: 'secret' } as unknown as TraceRecord)).toEqual({ [field]: 'secret' });
});

test.each(['content', 'request', 'reason', 'headers'])('a pattern masks the field `%s` of a record', (field) => {
  expect(redactor.record({ [field]: 'secret' } as unknown as TraceRecord)).toMatchObject({ [field]: '****' });
});

test.each([
  ...['evidence', 'reason', 'task_reason', 'refusal', 'raised', 'message', 'hint', 'stderr', 'path', 'trouble'],
  ...['missed', 'missing', 'label', 'sentence', 'value', 'suggestion'],
])('a pattern masks the field `%s` of a judgement', (field) => {
  expect(redactor.judged({ [field]: 'secret' })).toEqual({ [field]: '****' });
});

test.each(['outcome', 'result', 'indicator_id', 'tier'])('a pattern leaves the field `%s` of a judgement', (field) => {
  expect(redactor.judged({ [field]: 'secret' })).toEqual({ [field]: 'secret' });
});

const quoted = ['verdict', 'reason', 'causes', 'coverage', 'task_reason', 'task_checks', 'refusal', 'raised'];
test.each([...quoted, 'delivery', 'program', 'diagnostics'])(
  'a pattern masks what the field `%s` of a stored run quotes',
  (field) => {
    const entry = { [field]: { reason: 'secret' } } as unknown as RunEntry;
    expect(redactor.entry(entry)).toEqual({ [field]: { reason: '****' } });
  },
);

const plain = ['document', 'agent', 'repeat', 'attempts', 'outcome', 'cause', 'demand', 'task', 'twin', 'tier'];
test.each([...plain, 'unreachable', 'end', 'started', 'duration_ms', 'seed', 'usage', 'judge', 'voided', 'trace'])(
  'a pattern leaves the field `%s` of a stored run',
  (field) => {
    const entry = { [field]: { reason: 'secret' } } as unknown as RunEntry;
    expect(redactor.entry(entry)).toEqual(entry);
  },
);
