import { describe, expect, test } from 'vitest';
import { conversationAfter } from '../../../src/bindings/ag-ui/conversation.ts';
import { answersTo } from '../../../src/bindings/ag-ui/follow-up.ts';
import { applyPatch, keysOf, patchBudget } from '../../../src/bindings/ag-ui/json-patch.ts';
import { agUiProjector } from '../../../src/bindings/ag-ui/projector.ts';
import { type Ours, repeatedIn, repeatedInPatch } from '../../../src/bindings/ag-ui/repeated.ts';
import { began, endedBy, tooEarly } from '../../../src/bindings/ag-ui/run-progress.ts';
import type { MessageRecord, Value, ValueMap } from '../../../src/index.ts';
import { message } from '../../support/records.ts';

// What the events of a run come to: messages, calls, state, and the views of evaluation.

type Event = readonly [method: string, event: ValueMap];
const said = (messageId: string, delta: string, more: ValueMap = {}): Event => [
  'text_message_content',
  { messageId, delta, ...more },
];
const thought = (messageId: string, delta: string): Event => [
  'reasoning_message_content',
  { messageId, delta },
];
const called = (toolCallId: string, more: ValueMap = {}): Event => [
  'tool_call_start',
  { toolCallId, toolCallName: 'confirm', ...more },
];
const gave = (toolCallId: Value, more: ValueMap = {}): Event => [
  'tool_call_result',
  { toolCallId, content: 'yes', ...more },
];
const shot = (...messages: readonly Value[]): Event => ['messages_snapshot', { messages: messages as Value }];

const outcome = (events: readonly Event[], input: ValueMap = {}, pending?: ReadonlySet<Value>) =>
  conversationAfter(
    events.map(([method, event]) => ({ method, event })),
    input,
    pending,
  );

describe('the messages after a run', () => {
  const user = { id: 'u', role: 'user', content: 'hello' };
  const old = { id: 'a', role: 'assistant', content: 'so far' };
  const words = (id: string, content: string, more: ValueMap = {}) => ({
    id,
    role: 'assistant',
    content,
    ...more,
  });
  const calls = (...ids: readonly string[]) =>
    ids.map((id) => ({ id, type: 'function', function: { name: 'confirm', arguments: '' } }));
  const result = (toolCallId: string, more: ValueMap = {}) => ({
    id: `${toolCallId}-result`,
    role: 'tool',
    toolCallId,
    content: 'yes',
    ...more,
  });

  test.each<[string, readonly Event[], ValueMap, readonly unknown[]]>([
    ['nothing', [], { messages: [user] }, [user]],
    ['words', [said('m', 'a'), said('m', 'b')], {}, [words('m', 'ab')]],
    ['words of no id', [['text_message_content', { delta: 'a' }]], {}, [words('', 'a')]],
    [
      'words that go on',
      [
        ['text_message_start', { messageId: 'm' }],
        ['text_message_content', { delta: 'a' }],
      ],
      {},
      [words('m', 'a')],
    ],
    [
      'words of another role',
      [['text_message_start', { messageId: 'm', role: 'developer' }], said('m', 'a')],
      {},
      [{ id: 'm', role: 'developer', content: 'a' }],
    ],
    ['no words', [['text_message_start', { messageId: 'm' }], said('m', '')], {}, []],
    [
      'words with a name and metadata',
      [
        said('m', 'a', { name: 'n', subagentRunId: 's', metadata: { x: 1 } }),
        said('m', 'b', { metadata: { y: 2 } }),
      ],
      {},
      [words('m', 'ab', { name: 'n', subagentRunId: 's', metadata: { x: 1, y: 2 } })],
    ],
    ['words that are none', [['text_message_content', { messageId: 'm', delta: 5 }]], {}, []],
    ['words behind what was said', [said('a', '!')], { messages: [old] }, [words('a', 'so far!')]],
    ['our words, streamed back', [said('u', 'hello')], { messages: [user] }, [user]],
    ['what is no message', [], { messages: ['odd'] }, ['odd']],
    ['messages that are no list', [], { messages: 'odd' }, []],
    [
      'a thought',
      [thought('r', 'hm'), said('m', 'a')],
      {},
      [{ id: 'r', role: 'reasoning', content: 'hm' }, words('m', 'a')],
    ],
    ['a call', [called('c')], {}, [{ id: 'c', role: 'assistant', toolCalls: calls('c') }]],
    [
      'a call and its arguments',
      [called('c'), ['tool_call_args', { toolCallId: 'c', delta: '{' }], ['tool_call_args', { delta: '}' }]],
      {},
      [
        {
          id: 'c',
          role: 'assistant',
          toolCalls: [{ id: 'c', type: 'function', function: { name: 'confirm', arguments: '{}' } }],
        },
      ],
    ],
    [
      'a call in a chunk',
      [
        ['tool_call_chunk', { toolCallId: 'c', toolCallName: 'confirm', delta: '{' }],
        ['tool_call_chunk', { delta: '}' }],
      ],
      {},
      [
        {
          id: 'c',
          role: 'assistant',
          toolCalls: [{ id: 'c', type: 'function', function: { name: 'confirm', arguments: '{}' } }],
        },
      ],
    ],
    [
      'a call with metadata',
      [called('c', { metadata: { x: 1 }, subagentRunId: 's' })],
      {},
      [
        {
          id: 'c',
          role: 'assistant',
          subagentRunId: 's',
          toolCalls: [{ ...calls('c')[0], metadata: { x: 1 } }],
        },
      ],
    ],
    [
      'a call of a message',
      [said('m', 'a'), called('c', { parentMessageId: 'm' }), called('d', { parentMessageId: 'm' })],
      {},
      [words('m', 'a', { toolCalls: calls('c', 'd') })],
    ],
    [
      'a call of a message to come',
      [called('c', { parentMessageId: 'm' }), said('m', 'a')],
      {},
      [words('m', 'a', { toolCalls: calls('c') })],
    ],
    [
      'a call of our message',
      [called('c', { parentMessageId: 'u' })],
      { messages: [user] },
      [user, { id: 'c', role: 'assistant', toolCalls: calls('c') }],
    ],
    [
      'a call of what was said',
      [called('c', { parentMessageId: 'a' })],
      { messages: [{ ...old, toolCalls: ['x'] }] },
      [{ ...old, toolCalls: ['x', ...calls('c')] }],
    ],
    ['a call twice', [called('c'), called('c')], {}, [{ id: 'c', role: 'assistant', toolCalls: calls('c') }]],
    [
      'a call that was made before',
      [called('c')],
      { messages: [{ ...old, toolCalls: [{ id: 'c' }] }] },
      [{ ...old, toolCalls: [{ id: 'c' }] }],
    ],
    ['a call without a name', [['tool_call_start', { toolCallId: 'c' }]], {}, []],
    [
      'a result behind its call',
      [called('c'), said('m', 'a'), gave('c')],
      {},
      [{ id: 'c', role: 'assistant', toolCalls: calls('c') }, result('c'), words('m', 'a')],
    ],
    [
      'a result of a call in the history',
      [gave('c'), said('m', 'a')],
      { messages: [{ ...old, toolCalls: [{ id: 'c' }, 'odd', {}] }, user] },
      [{ ...old, toolCalls: [{ id: 'c' }, 'odd', {}] }, result('c'), user, words('m', 'a')],
    ],
    [
      'a result of no call',
      [gave('x', { messageId: 'rm', subagentRunId: 's' })],
      {},
      [{ ...result('x'), id: 'rm', subagentRunId: 's' }],
    ],
    ['a result of nothing', [gave(5)], {}, []],
    [
      'a result without content',
      [['tool_call_result', { toolCallId: 'x' }]],
      {},
      [result('x', { content: '' })],
    ],
    [
      'what is encrypted',
      [thought('r', 'hm'), ['reasoning_encrypted_value', { entityId: 'r', encryptedValue: 'E' }]],
      {},
      [{ id: 'r', role: 'reasoning', content: 'hm', encryptedValue: 'E' }],
    ],
    [
      'nothing but what is encrypted',
      [
        ['reasoning_message_start', { messageId: 'r' }],
        ['reasoning_encrypted_value', { entityId: 'r', encryptedValue: 'E' }],
      ],
      {},
      [{ id: 'r', role: 'reasoning', content: '', encryptedValue: 'E' }],
    ],
    [
      'a call that is encrypted',
      [
        called('c'),
        ['reasoning_encrypted_value', { subtype: 'tool-call', entityId: 'c', encryptedValue: 'E' }],
      ],
      {},
      [{ id: 'c', role: 'assistant', toolCalls: [{ ...calls('c')[0], encryptedValue: 'E' }] }],
    ],
    [
      'what nobody encrypted',
      [
        said('m', 'a'),
        ['reasoning_encrypted_value', { entityId: 'm' }],
        ['reasoning_encrypted_value', { encryptedValue: 'E' }],
        ['reasoning_encrypted_value', { entityId: 'x', encryptedValue: 'E' }],
      ],
      {},
      [words('m', 'a')],
    ],
    [
      'a call in the history that is null',
      [],
      { messages: [{ ...old, toolCalls: [null] }] },
      [{ ...old, toolCalls: [null] }],
    ],
    ['a snapshot', [said('m', 'a'), shot(user, old)], {}, [user, old]],
    [
      'a snapshot in the order of the stream',
      [said('m', 'a'), said('n', 'b'), shot(words('n', 'B'), words('m', 'A'))],
      {},
      [words('m', 'A'), words('n', 'B')],
    ],
    [
      'a snapshot without thoughts',
      [thought('r', 'hm'), said('m', 'a'), shot(words('m', 'A'))],
      {},
      [{ id: 'r', role: 'reasoning', content: 'hm' }, words('m', 'A')],
    ],
    [
      'a snapshot with thoughts',
      [thought('r', 'hm'), shot({ id: 'q', role: 'reasoning', content: 'so' })],
      {},
      [{ id: 'q', role: 'reasoning', content: 'so' }],
    ],
    ['a snapshot without activities', [shot({ id: 'x', role: 'activity' }, old)], {}, [old]],
    ['words behind a snapshot', [shot(old), said('a', '!')], {}, [words('a', 'so far!')]],
    [
      'a message that a snapshot has dropped',
      [said('m', 'a'), shot(), said('m', 'b')],
      {},
      [words('m', 'b')],
    ],
    ['a result of a call that a snapshot has dropped', [called('c'), shot(), gave('c')], {}, [result('c')]],
    ['names that every object has', [['toString', {}]], {}, []],
  ])('%s', (_, events, input, messages) => {
    expect(outcome(events, input).messages).toEqual(messages);
  });

  test.each<[string, readonly Event[], ValueMap, boolean, boolean, number]>([
    ['nothing', [], { messages: [old] }, true, true, 0],
    ['new words', [said('m', 'a')], { messages: [old] }, true, true, 0],
    ['words behind old ones', [said('a', '!')], { messages: [old] }, false, true, 0],
    [
      'a call of an old message',
      [called('c', { parentMessageId: 'a' })],
      { messages: [old] },
      false,
      true,
      0,
    ],
    ['a snapshot', [shot()], {}, false, true, 0],
    ['a state', [['state_snapshot', {}]], {}, true, false, 0],
    ['a patch', [['state_delta', { delta: [] }]], {}, true, false, 0],
    [
      'patches that do not fit',
      [
        ['state_delta', {}],
        ['state_delta', {}],
      ],
      {},
      true,
      false,
      2,
    ],
  ])(
    '%s leaves the messages and the state of the input',
    (_, events, input, keepsMessages, keepsState, unfit) => {
      expect(outcome(events, input)).toMatchObject({ keepsMessages, keepsState, unfit });
    },
  );

  test('a snapshot of nothing is null', () => {
    expect(outcome([['state_snapshot', {}]], { state: { a: 1 } }).state).toBeNull();
  });

  const tools = { tools: [{ name: 'confirm' }] };
  const other = called('d', { toolCallName: 'theirs' });
  test.each<[string, readonly Event[], ValueMap, ReadonlySet<Value> | undefined, readonly string[]]>([
    ['a call', [called('c')], tools, undefined, ['c']],
    ['a call of a tool that we did not offer', [other], tools, undefined, ['d']],
    ['such a call, and words behind it', [other, said('m', 'a')], tools, undefined, []],
    ['such a call, and empty words behind it', [other, said('m', '')], tools, undefined, ['d']],
    [
      'such a call that goes on behind words',
      [other, said('m', 'a'), ['tool_call_args', { toolCallId: 'd', delta: '' }]],
      tools,
      undefined,
      ['d'],
    ],
    ['a call of ours, and words behind it', [called('c'), said('m', 'a')], tools, undefined, ['c']],
    ['an answered call', [called('c'), gave('c')], tools, undefined, []],
    [
      'a call that a snapshot answers',
      [called('c'), shot({ role: 'tool', toolCallId: 'c' })],
      tools,
      undefined,
      [],
    ],
    [
      'a call that a snapshot only names',
      [called('c'), shot({ role: 'user', toolCallId: 'c' }, { role: 'tool' })],
      tools,
      undefined,
      ['c'],
    ],
    ['the calls that the run names', [called('c'), other], tools, new Set(['d']), ['d']],
  ])('%s waits', (_, events, input, pending, ids) => {
    expect(outcome(events, input, pending).waiting.map(({ id }) => id)).toEqual(ids);
  });

  test('a call is told as it began', () => {
    expect(
      outcome([['tool_call_chunk', { toolCallId: 'c', toolCallName: 'n', delta: '{}', x: 1 }]]).waiting[0]
        ?.start,
    ).toEqual({
      type: 'TOOL_CALL_START',
      toolCallId: 'c',
      toolCallName: 'n',
      x: 1,
    });
  });
});

describe('a patch', () => {
  const patched = (root: Value, ...operations: readonly Value[]) =>
    applyPatch(root, operations as Value, patchBudget());
  test.each<[string, Value, Value, Value | undefined]>([
    [
      'replaces within a list',
      { l: [{ a: 1 }] },
      { op: 'replace', path: '/l/0/a', value: 2 },
      { l: [{ a: 2 }] },
    ],
    ['finds no item behind the end', { l: [] }, { op: 'replace', path: '/l/0', value: 2 }, undefined],
    ['finds nothing within what is not there', { l: [] }, { op: 'add', path: '/l/0/a', value: 2 }, undefined],
    ['finds nothing within what is missing', {}, { op: 'add', path: '/a/b', value: 2 }, undefined],
    ['removes within a list', { l: [{ a: 1, b: 2 }] }, { op: 'remove', path: '/l/0/a' }, { l: [{ b: 2 }] }],
    ['removes within a mapping', { m: { a: 1, b: 2 } }, { op: 'remove', path: '/m/a' }, { m: { b: 2 } }],
    ['removes everything', { a: 1 }, { op: 'remove', path: '' }, null],
    ['removes nothing behind the end', { l: [1] }, { op: 'remove', path: '/l/1' }, undefined],
    ['removes nothing within what is missing', { m: {} }, { op: 'remove', path: '/m/a/b' }, undefined],
    ['knows no index before the first', { l: [1, 2] }, { op: 'test', path: '/l/-1', value: 2 }, undefined],
  ])('%s', (_, root, operation, expected) => {
    expect(patched(root, operation)).toEqual(expected);
  });

  test('does no more than its budget', () => {
    const same = { op: 'test', path: '', value: 1 };
    expect(applyPatch(1, [same, same], { operations: 2, copied: 0 })).toBe(1);
    expect(applyPatch(1, [same, same], { operations: 1, copied: 0 })).toBeUndefined();
    const copy = [{ op: 'copy', from: '/a', path: '/b' }];
    expect(applyPatch({ a: [1, 2] }, copy, { operations: 9, copied: 3 })).toEqual({ a: [1, 2], b: [1, 2] });
    expect(applyPatch({ a: [1, 2] }, copy, { operations: 9, copied: 2 })).toBeUndefined();
    expect(patchBudget()).toEqual({ operations: 20_000, copied: 100_000 });
  });

  test('has no more than two hundred keys', () => {
    expect(keysOf('/a'.repeat(200))).toHaveLength(200);
    expect(keysOf('/a'.repeat(201))).toBeUndefined();
  });
});

describe('our run input in what an agent shapes', () => {
  const input: ValueMap = {
    state: { city: 'Florence', list: [1], none: [] },
    messages: [{ id: 'u', role: 'user', content: 'hello' }],
    threadId: 'thread-12',
    short: 'seven77',
  };
  const ours: Ours = {
    input,
    isText: (text) => text === 'hello',
    isResult: ({ toolCallId }) => toolCallId === 'c',
  };
  const places = (value: Value) =>
    repeatedIn(value, ['at'], ours)
      .map((path) => path.join('.'))
      .sort();
  test.each<[Value, readonly string[]]>([
    [{ city: 'Florence' }, ['at.city']],
    [{ town: 'Florence' }, []],
    [{ city: 'Rome' }, []],
    [{ threadId: 'thread-12', short: 'seven77' }, ['at.threadId']],
    [{ list: [1], none: [] }, ['at.list']],
    [{ x: { city: 'Florence', list: [1], none: [] } }, ['at.x']],
    [input, ['at']],
    [[{ id: 'u', role: 'user', content: 'hello' }], ['at.0']],
    [{ role: 'user', content: 'hello', more: 'hello' }, ['at.content']],
    [{ type: 'human', content: 'hello' }, ['at.content']],
    [{ role: 'system', content: 'hello' }, ['at.content']],
    [{ role: 'developer', content: 'hello' }, ['at.content']],
    [{ role: 'assistant', content: 'hello' }, []],
    [{ role: 'user', content: 'other' }, []],
    [{ role: 'user', content: { threadId: 'thread-12' } }, ['at.content.threadId']],
    [{ role: 'tool', toolCallId: 'c', content: { threadId: 'thread-12' } }, ['at.content']],
    [{ role: 'tool', toolCallId: 'd', content: 'x' }, []],
    ['hello', []],
    [null, []],
  ])('%j', (value, expected) => {
    expect(places(value)).toEqual(expected);
  });

  test('no deeper than thirty-two', () => {
    const deep = (depth: number): Value => (depth === 0 ? { city: 'Florence' } : { x: deep(depth - 1) });
    expect([places(deep(31)).length, places(deep(32)).length]).toEqual([1, 0]);
  });

  test('of a flood, ten thousand values', () => {
    const flood = (length: number): Value => [{ city: 'Florence' }, ...Array.from({ length }, () => 0)];
    expect([places(flood(9_997)).length, places(flood(9_998)).length]).toEqual([1, 0]);
  });

  test.each<[Value, readonly string[]]>([
    [[{ path: '/city', value: 'Florence' }], ['at.0.value']],
    [[{ path: '/list', value: [1] }], ['at.0.value']],
    [[{ path: '/threadId', value: 'thread-12' }], ['at.0.value']],
    [[{ path: '/list/0', value: 1 }], ['at.0.value']],
    [[{ path: '/deep/city', value: 'Florence' }], ['at.0.value']],
    [[{ path: '/other', value: { city: 'Florence' } }], ['at.0.value.city']],
    [[{ path: 'odd', value: { city: 'Florence' } }], ['at.0.value.city']],
    [[{ path: '/city', value: 'Rome' }, { path: '/city' }, 'odd', null], []],
    ['odd', []],
  ])('in the patch %j', (patch, expected) => {
    expect(repeatedInPatch(patch, ['at'], ours).map((path) => path.join('.'))).toEqual(expected);
  });
});

describe('whose run it is', () => {
  const other = 'this is not the run that was asked for';
  test.each<[Value | undefined, Value | undefined, boolean]>([
    ['r', 'r', true],
    ['x', 'r', false],
    [undefined, 'r', true],
    ['x', undefined, true],
    [5, 'r', true],
  ])('%j began, %j was asked for', (runId, asked, isOurs) => {
    const event = runId === undefined ? {} : { runId };
    expect(began({}, event, asked)).toEqual({
      progress: { open: { isOurs } },
      ...(!isOurs && { noted: other }),
    });
    expect(began({ odd: 'no run' }, event, asked).progress).toEqual({ open: { isOurs }, odd: 'no run' });
  });

  test.each<[Parameters<typeof endedBy>[0], string, ReturnType<typeof endedBy>['ends'], string | undefined]>([
    [{}, 'r', 'no run of ours', 'it ended a run that it had not begun'],
    [{ open: { isOurs: true } }, 'r', 'our run', 'the stream ended before the run did'],
    [{ open: { isOurs: false } }, 'r', 'our run', 'the stream ended before the run did'],
    [{ open: { isOurs: true } }, 'x', 'ours by its stream', undefined],
    [
      { open: { isOurs: false } },
      'x',
      'no run of ours',
      'its stream reports another run than the one that was asked for',
    ],
  ])('%j ended by %s', (progress, runId, ends, reason) => {
    const ended = endedBy(progress, { runId }, 'r');
    expect([ended.ends, tooEarly(ended.progress)]).toEqual([ends, reason]);
  });

  test.each<[Parameters<typeof tooEarly>[0], string | undefined]>([
    [{}, 'the stream ended before the run did'],
    [{ open: { isOurs: true }, odd: 'no run' }, 'the stream ended before the run did'],
    [{ open: { isOurs: true }, odd: 'another run' }, 'the stream ended before the run did'],
    [{ isClosed: true }, undefined],
  ])('%j', (progress, reason) => {
    expect(tooEarly(progress)).toBe(reason);
  });
});

describe('views of a stream', () => {
  type Fields = Partial<MessageRecord>;
  const place = { actor: 'user', protocol: 'ag_ui', mode: 'ag_ui_client', kind: 'event' } as const;
  function views(...records: readonly Fields[]) {
    const projector = agUiProjector();
    const shown = (found: ReturnType<typeof projector.add>) =>
      found.map(({ path, content, stream, anyProtocol }) => [
        path,
        content,
        stream === undefined ? (anyProtocol ?? false) : [stream.isWhole, ...stream.surfaces],
      ]);
    const last = records.map((fields) => shown(projector.add(message({ ...place, ...fields })))).at(-1);
    return [last, shown(projector.finish())];
  }
  const event = (method: string, content: Value, more: Fields = {}): Fields => ({ method, content, ...more });
  const start = (more: ValueMap = {}) => event('text_message_start', { messageId: 'm', ...more });
  const delta = (text: string, more: ValueMap = {}) =>
    event('text_message_content', { messageId: 'm', delta: text, ...more });
  const end = event('text_message_end', { messageId: 'm' });
  const done = event('run_finished', {});
  const says = (content: string) => ['response.content', { response: { content } }, true];
  const whole = (text: string, id?: string) => [
    'joined stream',
    { type: 'TEXT_MESSAGE_CONTENT', ...(id !== undefined && { messageId: id }), delta: text },
    [true, 'text_message_content', 'text_message_chunk'],
  ];
  const call = (more: ValueMap = {}) =>
    event('tool_call_start', { toolCallId: 'c', toolCallName: 'mail', ...more });
  const args = (text: string) => event('tool_call_args', { toolCallId: 'c', delta: text });
  const wholeCall = (text: string, parsed: Value) => [
    'joined stream',
    {
      type: 'TOOL_CALL_ARGS',
      toolCallId: 'c',
      toolCallName: 'mail',
      delta: text,
      args: text,
      arguments: parsed,
    },
    [true, 'tool_call_args', 'tool_call_chunk', 'tool_call_end'],
  ];
  const snapshot = (...messages: readonly Value[]) =>
    event('messages_snapshot', { messages: messages as Value });
  const assistant = { id: 'x', role: 'assistant', content: 'hi' };
  const asked = event(
    'run_agent_input',
    { messages: [assistant, { role: 'assistant', content: 'no id' }] },
    { origin: 'attacker', kind: 'request' },
  );

  test.each<[string, readonly Fields[], readonly unknown[], readonly unknown[]]>([
    ['one part', [start(), delta('a'), end], [says('a')], []],
    ['two parts', [start(), delta('a'), delta('b'), end], [whole('ab', 'm'), says('ab')], []],
    [
      'two parts of another role',
      [start({ role: 'user' }), delta('a'), delta('b'), end],
      [whole('ab', 'm')],
      [],
    ],
    ['a role that is none', [start({ role: 5 }), delta('a'), end], [says('a')], []],
    ['what no event has ended', [start(), delta('a'), delta('b')], [], [whole('ab', 'm'), says('ab')]],
    ['what the run has ended', [start(), delta('a'), done], [says('a')], []],
    ['what an error has ended', [start(), delta('a'), event('run_error', {})], [says('a')], []],
    [
      'parts without ids',
      [
        event('text_message_start', {}),
        event('text_message_content', { delta: 'a' }),
        event('text_message_content', { delta: 'b' }),
        event('text_message_start', {}),
      ],
      [whole('ab'), says('ab')],
      [],
    ],
    [
      'a part that follows its start',
      [start(), event('text_message_content', { delta: 'a' }), end],
      [says('a')],
      [],
    ],
    ['no part', [start(), event('text_message_content', { messageId: 'm', delta: 5 }), end], [], []],
    [
      'a call',
      [call(), args('{"a":'), args('1}'), event('tool_call_end', { toolCallId: 'c' })],
      [wholeCall('{"a":1}', { a: 1 })],
      [],
    ],
    [
      'a call in one part',
      [call(), args('{}'), event('tool_call_end', { toolCallId: 'c' })],
      [wholeCall('{}', {})],
      [],
    ],
    [
      'a call whose arguments are no JSON',
      [call(), args('{'), event('tool_call_end', { toolCallId: 'c' })],
      [wholeCall('{', '{')],
      [],
    ],
    [
      'another connection',
      [start(), delta('a'), { ...delta('b'), session: 'other' }, { ...end, session: 'other' }],
      [says('b')],
      [says('a')],
    ],
    ['another actor', [start(), delta('a'), { ...end, actor: 'other' }], [], [says('a')]],
    ['what we send', [start(), delta('a', {}), { ...end, origin: 'attacker' }], [], [says('a')]],
    ['nothing', [event('text_message_content', null)], [], []],
    ['an event that is none of a stream', [start(), delta('a'), event('step_started', {})], [], [says('a')]],
    ['a snapshot', [snapshot(assistant)], [says('hi')], []],
    ['a snapshot twice', [snapshot(assistant), snapshot(assistant)], [], []],
    [
      'a snapshot of what we sent',
      [asked, snapshot(assistant, { role: 'assistant', content: 'no id' })],
      [],
      [],
    ],
    [
      'a snapshot of what was streamed',
      [start(), delta('a'), end, snapshot({ ...assistant, id: 'm' })],
      [],
      [],
    ],
    [
      'a snapshot of what is being streamed',
      [start(), delta('a'), snapshot({ ...assistant, id: 'm' })],
      [],
      [says('a')],
    ],
    [
      'a snapshot that repeats what we sent in another way',
      [event('other', { messages: [assistant] }, { origin: 'attacker' }), snapshot(assistant)],
      [says('hi')],
      [],
    ],
    [
      'a snapshot of a message that was streamed and forgotten',
      [start(), delta('a'), end, done, snapshot({ ...assistant, id: 'm' })],
      [],
      [],
    ],
    [
      'a snapshot of a message with the name of a call',
      [
        call(),
        args('{}'),
        event('tool_call_end', { toolCallId: 'c' }),
        done,
        snapshot({ ...assistant, id: 'c' }),
      ],
      [says('hi')],
      [],
    ],
    [
      'a snapshot with an id twice',
      [snapshot(assistant), snapshot({ ...assistant, content: 'changed' })],
      [],
      [],
    ],
    [
      'a snapshot without ids',
      [snapshot({ role: 'assistant', content: 'a' }), snapshot({ role: 'assistant', content: 'b' })],
      [says('b')],
      [],
    ],
    [
      'a snapshot of others',
      [
        snapshot(
          { role: 'user', content: 'a' },
          { role: 'assistant', content: '' },
          { role: 'assistant', content: ['a'] },
        ),
      ],
      [],
      [],
    ],
  ])('%s', (_, records, now, later) => {
    expect(views(...records)).toStrictEqual([now, later]);
  });

  const chunk = (text: Value, more: ValueMap = {}) => event('text_message_chunk', { delta: text, ...more });
  const part = (word: string, content: ValueMap) => [
    `text_message_${word}`,
    { type: `TEXT_MESSAGE_${word.toUpperCase()}`, ...content },
    [false, `text_message_${word}`],
  ];
  const m = { messageId: 'm' };
  test.each<[string, readonly Fields[], readonly unknown[], readonly unknown[]]>([
    [
      'the first',
      [chunk('a', { ...m, role: 'assistant', odd: 1 })],
      [part('start', { ...m, role: 'assistant' }), part('content', { ...m, delta: 'a' })],
      [says('a')],
    ],
    [
      'the next',
      [chunk('a', m), chunk('b')],
      [part('content', { ...m, delta: 'b' })],
      [whole('ab', 'm'), says('ab')],
    ],
    [
      'the next of the same id',
      [chunk('a', m), chunk('b', m)],
      [part('content', { ...m, delta: 'b' })],
      [whole('ab', 'm'), says('ab')],
    ],
    ['one that is empty', [chunk('a', m), chunk('')], [], [says('a')]],
    [
      'one of another id',
      [chunk('a', m), chunk('b', { messageId: 'n' })],
      [
        part('end', m),
        part('start', { messageId: 'n' }),
        part('content', { messageId: 'n', delta: 'b' }),
        says('a'),
      ],
      [says('b')],
    ],
    ['another event', [chunk('a', m), event('step_started', {})], [part('end', m), says('a')], []],
    ['an event that does not matter', [chunk('a', m), event('custom', {})], [], [says('a')]],
    [
      'an event that does not matter, and the next',
      [
        chunk('a', m),
        event('raw', {}),
        event('activity_delta', {}),
        event('activity_snapshot', {}),
        chunk('b'),
      ],
      [part('content', { ...m, delta: 'b' })],
      [whole('ab', 'm'), says('ab')],
    ],
    [
      'one of a call',
      [
        event('tool_call_chunk', {
          toolCallId: 'c',
          toolCallName: 'mail',
          parentMessageId: 'p',
          delta: '{}',
        }),
      ],
      [
        [
          'tool_call_start',
          { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'mail', parentMessageId: 'p' },
          [false, 'tool_call_start'],
        ],
        [
          'tool_call_args',
          { type: 'TOOL_CALL_ARGS', toolCallId: 'c', toolCallName: 'mail', delta: '{}' },
          [false, 'tool_call_args'],
        ],
      ],
      [wholeCall('{}', {})],
    ],
  ])('chunks: %s', (_, records, now, later) => {
    expect(views(...records)).toStrictEqual([now, later]);
  });

  test('of too many connections the oldest is given', () => {
    const projector = agUiProjector();
    const open = (session: string) => [
      ...projector.add(message({ ...place, ...start(), session })),
      ...projector.add(message({ ...place, ...delta(session), session })),
    ];
    const given = Array.from({ length: 100 }, (_, index) => open(`s${index}`)).flat();
    expect(given).toEqual([]);
    expect(open('more').map(({ content }) => content)).toEqual([{ response: { content: 's0' } }]);
  });
});

describe('a question that nothing answers', () => {
  const ids = { own: 'own', fresh: () => 'fresh' };
  const asked = (...interrupts: readonly ValueMap[]) => {
    const event = { outcome: { type: 'interrupt', interrupts: interrupts as Value } };
    const run = { input: {}, state: {}, events: [{ method: 'run_finished', event }] };
    return answersTo(run, ids);
  };
  test.each<[ValueMap, string]>([
    [{ message: 'why?', value: 'v' }, 'why?'],
    [{ message: '', value: 'v' }, 'v'],
    [{ message: 5, value: { a: 1 } }, '{"a":1}'],
    [{ id: 'i' }, '{"id":"i"}'],
    [{ message: 'x'.repeat(301) }, 'x'.repeat(300)],
  ])('%j', (interrupt, question) => {
    const { acts, warnings } = asked(interrupt);
    expect(acts).toEqual([]);
    expect(warnings).toEqual([
      {
        severity: 'warning',
        code: 'O-130',
        message: `the agent ended its run with a question, and nothing answers it: ${question}`,
      },
    ]);
  });

  test('one of several is told, and the others are answered', () => {
    const event = { outcome: { type: 'interrupt', interrupts: [{ id: 'a' }, { id: 'b' }] } };
    const state = { interrupt_responses: [{ when: { id: 'b' }, payload: 1 }] };
    const { acts, warnings } = answersTo(
      { input: {}, state, events: [{ method: 'run_finished', event }] },
      ids,
    );
    const [act] = acts;
    expect(act?.content((value) => value)).toMatchObject({
      resume: [{ interruptId: 'b', status: 'resolved', payload: 1 }],
    });
    expect(act?.resolve?.((value) => value).pieces).toEqual(['/interrupt_responses/0']);
    expect(warnings?.map(({ code }) => code)).toEqual(['O-130']);
  });

  test('a run that was cancelled is cut off', () => {
    const event = { outcome: { type: 'cancelled' } };
    expect(answersTo({ input: {}, state: {}, events: [{ method: 'run_finished', event }] }, ids)).toEqual({
      acts: [],
      cutOff: 'its run was cancelled',
    });
  });
});
