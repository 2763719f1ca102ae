import { expect, test } from 'vitest';
import {
  type AttemptOrProblem,
  createExtractorAttempt,
  createPatternAttempt,
  createPredicateAttempt,
  createTemplateAttempt,
} from '../../../src/cli/try/attempts.ts';
import { createCelAttempt } from '../../../src/cli/try/cel-attempt.ts';
import type { MessageRecord } from '../../../src/format/model/trace-record.ts';

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

type Row = readonly [what: string, made: AttemptOrProblem, holds: boolean, saw: RegExp, nearest: RegExp | undefined];
type ShortRow = readonly [what: string, made: AttemptOrProblem, holds: boolean, saw: RegExp, nearest?: RegExp];

const written: readonly ShortRow[] = [
  [
    'accepts a pattern that matches',
    createPatternAttempt('arguments.to', { contains: 'Bob' }),
    true,
    /arguments\.to: "Bob@example\.com"/,
  ],
  [
    'names the letter case when only that differs for a pattern',
    createPatternAttempt('arguments.to', { contains: 'bob' }),
    false,
    /Bob/,
    /record 7 differs only in case/,
  ],
  [
    'suggests the right path for a misspelt one',
    createPatternAttempt('argments.to', 'x'),
    false,
    /nothing is at argments\.to/,
    /did you mean arguments\.to\?/,
  ],
  ['accepts an expression that is true', createCelAttempt('message.arguments.count == 3'), true, /gives true/],
  ['reports why an expression fails', createCelAttempt('message.nothing == 3'), false, /fails: /],
  [
    'suggests the right field for a misspelt one in an expression',
    createCelAttempt('message.argments.count == 3'),
    false,
    /message\.argments\.count: nothing is there/,
    /did you mean arguments\.count\?/,
  ],
  [
    'names the only part of an expression that is false',
    createCelAttempt('message.arguments.to.startsWith("Bob && ") && message.arguments.count == 3'),
    false,
    /message\.arguments\.to: "Bob@example\.com"\nmessage\.arguments\.count: 3\ngives false/,
    /^record 7 fails only message\.arguments\.to\.startsWith\("Bob && "\)$/,
  ],
  [
    'shows the value that makes an expression false',
    createCelAttempt('message.arguments.to == "bob"'),
    false,
    /gives false/,
    /^record 7 has "Bob@example\.com" at message\.arguments\.to$/,
  ],
  [
    'suggests the right field for a misspelt JSONPath',
    createExtractorAttempt('$.argments.to'),
    false,
    /takes nothing/,
    /did you mean arguments\.to\?/,
  ],
  [
    'suggests (?i) when only the letter case differs for a regular expression',
    createExtractorAttempt('(bob)@'),
    false,
    /takes nothing/,
    /^record 7 has "Bob" in other letters: begin with \(\?i\)$/,
  ],
  ['shows what a JSONPath takes', createExtractorAttempt('$.arguments.to'), true, /takes "Bob@example\.com"/],
  ['shows what a regular expression takes', createExtractorAttempt('(\\w+)@example'), true, /takes "Bob"/],
  ['reports a JSONPath that takes nothing', createExtractorAttempt('$.arguments.cc'), false, /takes nothing/],
  [
    'shows what a template gives',
    createTemplateAttempt('to {{request.arguments.to}}'),
    true,
    /gives "to Bob@example\.com"/,
  ],
  [
    'suggests the right path for a template placeholder without a value',
    createTemplateAttempt('{{request.argument.to}}'),
    false,
    /stands for nothing/,
    /did you mean arguments\.to\?/,
  ],
  [
    'accepts a predicate that holds',
    createPredicateAttempt({ name: 'send', 'arguments.count': { gt: 2 } }),
    true,
    /holds arguments\.count: 3/,
  ],
  [
    'names the only part of a predicate that fails',
    createPredicateAttempt({ name: 'send', 'arguments.count': 4 }),
    false,
    /fails arguments\.count: 3/,
    /fails only arguments\.count/,
  ],
];

const rows = written.map(([what, made, holds, saw, nearest]): Row => [what, made, holds, saw, nearest]);

test.each(rows)('attempts of oatf try: %s', (_, made, holds, saw, nearest) => {
  if (!made.ok) throw new Error(made.problem);
  const tried = made.attempt.on(record);
  expect(tried.holds).toBe(holds);
  expect(tried.saw.join('\n')).toMatch(saw);
  if (nearest !== undefined) expect(made.attempt.nearest([record])).toMatch(nearest);
});

test.each([
  ['(((', createExtractorAttempt],
  ['$[', createExtractorAttempt],
  ['message.', createCelAttempt],
] as const)('attempts of oatf try: refuse the invalid text %s', (text, attempt) => {
  expect(attempt(text).ok).toBe(false);
});

test.each([
  ['CEL', createCelAttempt('message.')],
  ['RE2', createPatternAttempt('name', { regex: '(' })],
])('attempts of oatf try: refuse a text that is not %s before trying it', (language, made) => {
  expect(made).toEqual({ ok: false, problem: expect.stringContaining(`this is not ${language}`) });
});
