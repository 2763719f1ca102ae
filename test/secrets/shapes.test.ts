import { expect, test } from 'vitest';
import { createRedactor } from '../../src/secrets/redactor.ts';

// Built from parts, so that no scanner reports this file as a leak.
const secrets: readonly (readonly [text: string, masked: string])[] = [
  [`key AKIA${'IOSFODNN7EXAMPLE'} end`, 'key AKIA**** end'],
  [`sk_live_${'3xAmPl3K3y'}`, 'sk_live_****'],
  [`{"token": "ghp_${'f4k3T0k3nH3r3'}"}`, '{"token": "****"}'],
  [`saw ghp_${'f4k3T0k3nH3r3'}.`, 'saw ghp_****.'],
  [`github_pat_${'11AAAAAAA0abcdef'}`, 'github_pat_****'],
  [`xoxb-${'1234567890-abcdef'}`, 'xoxb-****'],
  [`sk-ant-${'api03-abcdefghijklmnop'}`, 'sk-ant-****'],
  [`AIza${'SyA1234567890abcdefghij'}`, 'AIza****'],
  [`eyJ${'hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl'}`, 'eyJ****'],
  [`Authorization: Bearer ${'abcdef1234567890'}`, 'Authorization: Bearer ****'],
  [`authorization: Basic ${'dXNlcjpwYXNzd29yZA=='}`, 'authorization: Basic ****'],
  ['password=hunter22', 'password=****'],
  ['"password":"hunter22","a":1', '"password":"****","a":1'],
  ['\\"api_key\\": \\"abcd1234\\"', '\\"api_key\\": \\"****\\"'],
  ['client_secret: s3cr3t-value', 'client_secret: ****'],
  ['postgres://admin:pa55word@db/x', 'postgres://admin:****@db/x'],
  [
    '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- bye',
    '-----BEGIN RSA PRIVATE KEY-----**** bye',
  ],
  ['-----BEGIN OPENSSH PRIVATE KEY-----\\nb3Bl', '-----BEGIN OPENSSH PRIVATE KEY-----****'],
];

test.each(secrets)('a redactor masks the secret in %s', (text, masked) => {
  expect(createRedactor().text(text)).toBe(masked);
});

test.each([
  'the password is asked for',
  'max_tokens: 4096',
  'cat ~/.ssh/id_rsa',
  'task-12345678901234567890',
  'https://example.com/a:b@c',
  'bearer of news',
  '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
])('a redactor leaves %s as it is', (text) => {
  expect(createRedactor().text(text)).toBe(text);
});

test.each([
  ['before a secret', 0, 2, 'my'],
  ['on the name of a secret', 3, 11, 'password'],
  ['on a secret', 12, 20, '****'],
  ['that ends within a secret', 3, 15, 'password=****'],
  ['behind a secret', 21, 24, 'end'],
] as const)('redactor.marked keeps a span %s in its place', (_name, from, to, expected) => {
  const { text, spans } = createRedactor().marked('my password=hunter22 end', [[from, to]]);
  expect(text).toBe('my password=**** end');
  expect(spans.map((span) => text.slice(...span))).toEqual([expected]);
});

test.each([
  '-----BEGIN PRIVATE KEY-----',
  'eyJ-',
  'eyJaaaaaaaaaaaaaaaa.',
  'password:    ',
  'bearer ',
  'authorization: ',
  '://a:',
  'sk-',
  'token\\\\"',
])('a redactor masks a flood of %s in linear time', (part) => {
  // Code that takes more than linear time does not finish within the time limit of the test.
  const flood = part.repeat(Math.ceil(500_000 / part.length));
  expect(createRedactor().text(flood).length).toBeGreaterThan(0);
});
