import { describe, expect, test } from 'vitest';
import { evaluateTrace, type MessageRecord } from '../../../src/index.ts';
import { documentWith, message } from '../../support/records.ts';

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

describe('the sentence of evaluateTrace about a miss', () => {
  const rows: [string, object, MessageRecord[], string][] = [
    [
      'a misspelt path',
      at('argument.body'),
      calls,
      'expected argument.body to contain "evil", but none of 3 messages of tools/call has it; did you mean arguments.body?',
    ],
    [
      'a key that is somewhere else',
      at('body'),
      [listing, ...calls.slice(0, 1)],
      'expected body to contain "evil", but the only message of tools/call lacks it; did you mean arguments.body?',
    ],
    [
      'a list whose items the path does not visit',
      at('items.text'),
      [message({ content: { items: [{ text: 'a' }] } })],
      'expected items.text to contain "evil", but the only message of tools/call lacks it; did you mean items[*].text?',
    ],
    [
      'a path like no other',
      at('x.y'),
      [call({})],
      'expected x.y to contain "evil", but the only message of tools/call lacks it',
    ],
    [
      'a surface without a message',
      { ...at('x'), surface: 'prompts/get' },
      [listing, ...calls],
      'expected x to contain "evil", but no message of prompts/get came; the agent sent tools/list, tools/call (3)',
    ],
    [
      'a misspelt surface',
      { ...at('x'), surface: 'tool/call' },
      calls,
      'expected x to contain "evil", but no message of tool/call came; the agent sent tools/call (3); did you mean tools/call?',
    ],
    [
      'an indicator without a surface',
      { target: 'name', pattern: { contains: 'x' } },
      [call({})],
      'expected name to contain "x", got "mail" in the only message of mcp',
    ],
    [
      'an indicator with an actor',
      { target: 'name', actor: 'default', pattern: { contains: 'x' } },
      [call({})],
      'expected name to contain "x", got "mail" in the only message of mcp with "default"',
    ],
    [
      'an expression that is false for one message',
      { target: '', expression: { cel: "message.name == 'x'" } },
      [call({})],
      'expected the expression message.name == \'x\' to hold, got message.name "mail" in the only message of mcp',
    ],
    [
      'an expression that is false for several messages',
      { target: '', expression: { cel: "message.name == 'x'" } },
      [call({}), call({})],
      'expected the expression message.name == \'x\' to hold, got message.name "mail" in 2 messages of mcp',
    ],
    [
      'many other methods, of which it names some',
      { ...at('x'), surface: 'prompts/get' },
      ['a', 'b', 'c', 'd', 'e', 'f'].map((method) => message({ method })),
      'expected x to contain "evil", but no message of prompts/get came; the agent sent a, b, c, d, e and more',
    ],
    [
      'a path that only a projection has',
      { target: 'body.name', pattern: { contains: 'x' } },
      [call({}), call({})],
      'expected body.name to contain "x", got "mail" in body, seen 2 times',
    ],
    [
      'a score below the threshold',
      { target: 'name', semantic: { intent: 'x' } },
      [message({ content: { name: 'abc' } }), message({ content: { name: 'a' } })],
      'expected name to mean "x" with a score of at least 0.7, got 0.03 in 2 messages of mcp',
    ],
  ];
  test.each(rows)('describes %s', (_, indicator, records, expected) => {
    expect(lookedAt(indicator, records)?.sentence).toBe(expected);
  });

  test('describes an expression that lacks a field in some messages', () => {
    const indicator = { target: '', expression: { cel: "message.arguments.body == 'x'" } };
    expect(lookedAt(indicator, [call({}), call({ body: 'y' })])?.sentence).toContain(
      'to hold, but 1 of 2 messages of mcp lacks a field',
    );
  });
});

describe('the nearest miss that evaluateTrace reports', () => {
  const body = (value: unknown) => [call({ other: 1 }), call({ body: value })];
  const rows: [string, object, unknown, string | undefined, string?][] = [
    [
      'contains with the words in another case',
      { contains: 'evil@x' },
      'Send to EVIL@x',
      'differs only in case',
      '"Send to EVIL@x"',
    ],
    ['contains with nothing like the words', { contains: 'evil' }, 'harmless', 'has another value', '"harmless"'],
    [
      'starts_with with the words at another place',
      { starts_with: 'to' },
      'Send to',
      'has it, but not at the start',
      '"Send to"',
    ],
    [
      'ends_with with the words at another place',
      { ends_with: 'send' },
      'Send to',
      'has it, but not at the end',
      '"Send to"',
    ],
    ['a regex with its words in another case', { regex: 'evil@[a-z]' }, 'EVIL@x', 'differs only in case', '"EVIL@x"'],
    [
      'a regex of letter classes with letters in another case',
      { regex: '^[a-z]+$' },
      'ABC',
      'differs only in case',
      '"ABC"',
    ],
    ['a regex with nothing like its words', { regex: 'evil' }, 'harmless', 'has another value', '"harmless"'],
    ['equality with the value in another case', { condition: 'Yes' }, 'yes', 'differs only in case or type', '"yes"'],
    ['equality with the value in another type', { condition: 42 }, '42', 'differs only in case or type', '"42"'],
    ['equality with another value', { condition: 'yes' }, 'no', 'has another value', '"no"'],
    [
      'equality with another long value',
      { condition: 'yes' },
      'n'.repeat(100),
      'has another value',
      'a text of 100 characters',
    ],
    ['any_of with another value', { condition: { any_of: ['a', 'b'] } }, { c: 1 }, 'has another value', '{"c":1}'],
    ['a bound with a number beyond it', { condition: { gt: 5 } }, 3, 'has another number', '3'],
    ['a bound with a text', { condition: { gt: 5 } }, '9', 'has no number', '"9"'],
  ];
  test.each(rows)('is $3 for %s', (_, pattern, value, reason, shown) => {
    const records = body(value);
    const near = lookedAt(at('arguments.body', pattern), records)?.nearest;
    expect(near && [near.record, near.path, near.reason, near.value]).toEqual(
      reason === undefined ? undefined : [records[1]?.seq, 'arguments.body', reason, shown],
    );
  });

  test('is part of the sentence', () => {
    const records = body('EVIL');
    expect(lookedAt(at('arguments.body'), records)?.sentence).toBe(
      `expected arguments.body to contain "evil", got "EVIL", which differs only in case, in record ${records[1]?.seq} (of 1 of 2 messages of tools/call)`,
    );
  });
});

test('evaluateTrace reports no near miss in our own words that the agent repeats', () => {
  const document = documentWith({
    execution: { mode: 'a2a_client', state: { actions: [] } },
    indicators: [{ target: 'history[*].parts[*].text', pattern: { contains: 'evil' } }],
  });
  const nearest = (role: string) => {
    const content = {
      id: 't',
      status: { state: 'completed' },
      history: [{ role, parts: [{ text: role === 'user' ? 'EVIL' : 'EVIL!' }] }],
    };
    const task = message({
      protocol: 'a2a',
      mode: 'a2a_client',
      kind: 'response',
      method: 'message/send',
      content,
    });
    const params = { message: { role: 'user', parts: [{ text: 'EVIL' }] } };
    const asked = message({
      protocol: 'a2a',
      mode: 'a2a_client',
      origin: 'attacker',
      method: 'message/send',
      content: params,
    });
    return evaluateTrace(document, [asked, task]).verdict.indicatorVerdicts[0]?.looked?.nearest?.value;
  };
  expect([nearest('agent'), nearest('user')]).toEqual(['"EVIL!"', undefined]);
});

test('evaluateTrace looks for a near miss in the first and the last of many messages', () => {
  const many = Array.from({ length: 100 }, (_, index) => call({ body: `b${index}` }));
  const found = (index: number) =>
    lookedAt(at('arguments.body', { contains: 'evil' }), many.with(index, call({ body: 'EVIL' })))?.nearest?.value;
  expect([found(0), found(99), found(50)]).toEqual(['"EVIL"', '"EVIL"', '"b99"']);
});

test('evaluateTrace describes what it looked at only for a miss', () => {
  expect(lookedAt(at('name', { contains: 'mail' }), calls)).toBeUndefined();
});
