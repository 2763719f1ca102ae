import { describe, expect, test } from 'vitest';
import { evaluateTrace, type MessageRecord } from '../../src/index.ts';
import { documentWith, message } from '../support/records.ts';

// What indicators without a match looked at.

const execution = { mode: 'mcp_server', state: { tools: [] } };
const call = (fields: object) => message({ content: { name: 'mail', arguments: fields } as never });
const listing = message({ method: 'tools/list', content: {} });

function lookedAt(indicator: object, records: readonly MessageRecord[]) {
  const document = documentWith({ execution, indicators: [indicator] });
  return evaluateTrace(document, records, { semantic: { evaluate: (text) => text.length / 100 } }).verdict
    .indicatorVerdicts[0]?.looked;
}

const calls = [call({ body: 'Send to EVIL@x' }), call({ body: 'b' }), call({ body: 'c' })];
const at = (target: string, pattern: object = { contains: 'evil' }) => ({
  target,
  surface: 'tools/call',
  pattern,
});

describe('in words', () => {
  const rows: [string, object, MessageRecord[], string][] = [
    [
      'a path that is misspelt',
      at('argument.body'),
      calls,
      '3 messages of tools/call; the path argument.body is in none of them; did you mean arguments.body?',
    ],
    [
      'a key that stands elsewhere',
      at('body'),
      [listing, ...calls.slice(0, 1)],
      '1 message of tools/call; the path body is not in it; did you mean arguments.body?',
    ],
    [
      'a list that is not gone through',
      at('items.text'),
      [message({ content: { items: [{ text: 'a' }] } })],
      '1 message of tools/call; the path items.text is not in it; did you mean items[*].text?',
    ],
    [
      'a path that nobody can guess',
      at('x.y'),
      [call({})],
      '1 message of tools/call; the path x.y is not in it',
    ],
    [
      'no message of the surface',
      { ...at('x'), surface: 'prompts/get' },
      [listing, ...calls],
      'no message of prompts/get was seen; the agent sent tools/list, tools/call (3)',
    ],
    [
      'a surface that is misspelt',
      { ...at('x'), surface: 'tool/call' },
      calls,
      'no message of tool/call was seen; the agent sent tools/call (3); did you mean tools/call?',
    ],
    [
      'without a surface',
      { target: 'name', pattern: { contains: 'x' } },
      [call({})],
      '1 message of mcp; it has name',
    ],
    [
      'with an actor',
      { target: 'name', actor: 'default', pattern: { contains: 'x' } },
      [call({})],
      '1 message of mcp with "default"; it has name',
    ],
    [
      'an expression that is false',
      { target: '', expression: { cel: "message.name == 'x'" } },
      [call({})],
      '1 message of mcp; the expression is false for it',
    ],
    [
      '… for several',
      { target: '', expression: { cel: "message.name == 'x'" } },
      [call({}), call({})],
      '2 messages of mcp; the expression is false for each',
    ],
    [
      'many other messages, of which some are named',
      { ...at('x'), surface: 'prompts/get' },
      ['a', 'b', 'c', 'd', 'e', 'f'].map((method) => message({ method })),
      'no message of prompts/get was seen; the agent sent a, b, c, d, e and more',
    ],
    [
      'a path that only a projection has',
      { target: 'body.name', pattern: { contains: 'x' } },
      [call({}), call({})],
      '2 messages of mcp; seen as body 2 times, without a match',
    ],
    [
      'a score below the threshold',
      { target: 'name', semantic: { intent: 'x' } },
      [message({ content: { name: 'abc' } }), message({ content: { name: 'a' } })],
      '2 messages of mcp; each has name; the highest score is 0.03, 0.7 would match',
    ],
  ];
  test.each(rows)('%s', (_, indicator, records, expected) => {
    expect(lookedAt(indicator, records)?.sentence).toBe(expected);
  });

  test('an expression that some messages lack a field for', () => {
    const indicator = { target: '', expression: { cel: "message.arguments.body == 'x'" } };
    expect(lookedAt(indicator, [call({}), call({ body: 'y' })])?.sentence).toContain(
      'for 1 of 2 the expression lacks a field',
    );
  });
});

describe('the nearest miss', () => {
  const body = (value: unknown) => [call({ other: 1 }), call({ body: value })];
  const rows: [string, object, unknown, string | undefined, string?][] = [
    [
      'contains, but for case',
      { contains: 'evil@x' },
      'Send to EVIL@x',
      'differs only in case',
      '"Send to EVIL@x"',
    ],
    ['contains nothing like it', { contains: 'evil' }, 'harmless', undefined],
    ['begins elsewhere', { starts_with: 'to' }, 'Send to', 'has it, but not at the start', '"Send to"'],
    ['ends elsewhere', { ends_with: 'send' }, 'Send to', 'has it, but not at the end', '"Send to"'],
    ['a regex, but for case', { regex: 'evil@[a-z]' }, 'EVIL@x', 'differs only in case', '"EVIL@x"'],
    ['a regex without literals, but for case', { regex: '^[a-z]+$' }, 'ABC', 'differs only in case', '"ABC"'],
    ['a regex of nothing like it', { regex: 'evil' }, 'harmless', undefined],
    ['equality, but for case', { condition: 'Yes' }, 'yes', 'differs only in case or type', '"yes"'],
    ['equality, but for the type', { condition: 42 }, '42', 'differs only in case or type', '"42"'],
    ['equality with another value', { condition: 'yes' }, 'no', 'has another value', '"no"'],
    ['… that is long', { condition: 'yes' }, 'n'.repeat(100), 'has another value', `"${'n'.repeat(80)}…"`],
    ['one of some', { condition: { any_of: ['a', 'b'] } }, { c: 1 }, 'has another value', '{"c":1}'],
    ['a bound', { condition: { gt: 5 } }, 3, 'has another number', '3'],
    ['a bound on no number', { condition: { gt: 5 } }, '9', 'has no number', '"9"'],
  ];
  test.each(rows)('%s', (_, pattern, value, reason, shown) => {
    const records = body(value);
    const near = lookedAt(at('arguments.body', pattern), records)?.nearest;
    expect(near && [near.record, near.path, near.reason, near.value]).toEqual(
      reason === undefined ? undefined : [records[1]?.seq, 'arguments.body', reason, shown],
    );
  });

  test('is said', () => {
    const records = body('EVIL');
    expect(lookedAt(at('arguments.body'), records)?.sentence).toBe(
      `2 messages of tools/call; 1 of them has arguments.body; record ${records[1]?.seq} differs only in case: "EVIL"`,
    );
  });
});

test('our own words, repeated by the agent, are not a near miss', () => {
  const document = documentWith({
    execution: { mode: 'a2a_client', state: { actions: [] } },
    indicators: [{ target: 'history[*].text', pattern: { contains: 'evil' } }],
  });
  const nearest = (role: string) => {
    const content = { id: 't', status: { state: 'completed' }, history: [{ role, text: 'EVIL' }] };
    const task = message({
      protocol: 'a2a',
      mode: 'a2a_client',
      kind: 'response',
      method: 'message/send',
      content,
    });
    return evaluateTrace(document, [task]).verdict.indicatorVerdicts[0]?.looked?.nearest?.value;
  };
  expect([nearest('agent'), nearest('user')]).toEqual(['"EVIL"', undefined]);
});

test('of many messages the first and the last are looked at again', () => {
  const many = Array.from({ length: 100 }, (_, index) => call({ body: `b${index}` }));
  const found = (index: number) =>
    lookedAt(at('arguments.body', { contains: 'evil' }), many.with(index, call({ body: 'EVIL' })))?.nearest
      ?.value;
  expect([found(0), found(99), found(50)]).toEqual(['"EVIL"', '"EVIL"', undefined]);
});

test('only a miss says what it looked at', () => {
  expect(lookedAt(at('name', { contains: 'mail' }), calls)).toBeUndefined();
});
