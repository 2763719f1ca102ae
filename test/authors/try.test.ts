import { expect, test } from 'vitest';
import {
  type MadeAttempt,
  patternAttempt,
  predicateAttempt,
  templateAttempt,
} from '../../src/cli/try/attempts.ts';
import { celAttempt } from '../../src/cli/try/cel-attempt.ts';
import { extractorAttempt } from '../../src/cli/try/extractor-attempt.ts';
import type { MessageRecord } from '../../src/model/trace.ts';

const record: MessageRecord = {
  seq: 7,
  timestamp: '',
  actor: 'a',
  protocol: 'mcp',
  mode: 'mcp_server',
  kind: 'request',
  origin: 'agent',
  method: 'tools/call',
  content: { name: 'send', arguments: { to: 'Bob@example.com', count: 3 } },
};

type Row = readonly [
  what: string,
  made: MadeAttempt,
  holds: boolean,
  saw: RegExp,
  nearest: RegExp | undefined,
];
type ShortRow = readonly [what: string, made: MadeAttempt, holds: boolean, saw: RegExp, nearest?: RegExp];

const written: readonly ShortRow[] = [
  [
    'a pattern',
    patternAttempt('arguments.to', { contains: 'Bob' }),
    true,
    /arguments\.to: "Bob@example\.com"/,
  ],
  [
    'a pattern of another case',
    patternAttempt('arguments.to', { contains: 'bob' }),
    false,
    /Bob/,
    /record 7 differs only in case/,
  ],
  [
    'a path that is misspelt',
    patternAttempt('argments.to', 'x'),
    false,
    /nothing is at argments\.to/,
    /did you mean arguments\.to\?/,
  ],
  ['an expression', celAttempt('message.arguments.count == 3'), true, /gives true/],
  ['an expression that fails', celAttempt('message.nothing == 3'), false, /fails: /],
  [
    'an expression on a field that is misspelt',
    celAttempt('message.argments.count == 3'),
    false,
    /message\.argments\.count: nothing is there/,
    /did you mean arguments\.count\?/,
  ],
  [
    'half an expression',
    celAttempt('message.arguments.to.startsWith("Bob && ") && message.arguments.count == 3'),
    false,
    /message\.arguments\.to: "Bob@example\.com"\nmessage\.arguments\.count: 3\ngives false/,
    /^record 7 fails only message\.arguments\.to\.startsWith\("Bob && "\)$/,
  ],
  [
    'an expression that is false',
    celAttempt('message.arguments.to == "bob"'),
    false,
    /gives false/,
    /^record 7 has "Bob@example\.com" at message\.arguments\.to$/,
  ],
  [
    'a JSONPath that is misspelt',
    extractorAttempt('$.argments.to'),
    false,
    /takes nothing/,
    /did you mean arguments\.to\?/,
  ],
  [
    'a regular expression in other letters',
    extractorAttempt('(bob)@'),
    false,
    /takes nothing/,
    /^record 7 has "Bob" in other letters: begin with \(\?i\)$/,
  ],
  ['a JSONPath', extractorAttempt('$.arguments.to'), true, /takes "Bob@example\.com"/],
  ['a regular expression', extractorAttempt('(\\w+)@example'), true, /takes "Bob"/],
  ['one that takes nothing', extractorAttempt('$.arguments.cc'), false, /takes nothing/],
  ['a template', templateAttempt('to {{request.arguments.to}}'), true, /gives "to Bob@example\.com"/],
  [
    'a template for nothing',
    templateAttempt('{{request.argument.to}}'),
    false,
    /stands for nothing/,
    /did you mean arguments\.to\?/,
  ],
  [
    'a predicate',
    predicateAttempt({ name: 'send', 'arguments.count': { gt: 2 } }),
    true,
    /holds arguments\.count: 3/,
  ],
  [
    'half a predicate',
    predicateAttempt({ name: 'send', 'arguments.count': 4 }),
    false,
    /fails arguments\.count: 3/,
    /fails only arguments\.count/,
  ],
];

const rows = written.map(([what, made, holds, saw, nearest]): Row => [what, made, holds, saw, nearest]);

test.each(rows)('%s', (_, made, holds, saw, nearest) => {
  if (!made.ok) throw new Error(made.problem);
  const tried = made.attempt.on(record);
  expect(tried.holds).toBe(holds);
  expect(tried.saw.join('\n')).toMatch(saw);
  if (nearest !== undefined) expect(made.attempt.nearest([record])).toMatch(nearest);
});

test.each([
  ['(((', extractorAttempt],
  ['$[', extractorAttempt],
  ['message.', celAttempt],
] as const)('%s is refused', (text, attempt) => {
  expect(attempt(text).ok).toBe(false);
});

test.each([
  ['CEL', celAttempt('message.')],
  ['RE2', patternAttempt('name', { regex: '(' })],
])('what is not %s is refused before anything is tried', (language, made) => {
  expect(made).toEqual({ ok: false, problem: expect.stringContaining(`this is not ${language}`) });
});
