import { describe, expect, test } from 'vitest';
import { createAgUiProjector } from '../../../../src/attack/bindings/ag-ui/ag-ui-projector.ts';
import {
  findQuotedRequest,
  findRepeatedInPatch,
  findRepeatedMessages,
} from '../../../../src/attack/bindings/ag-ui/find-repeated-input.ts';
import { planFollowUp } from '../../../../src/attack/bindings/ag-ui/follow-up.ts';
import { applyPatch, createPatchBudget, parsePatchPointer } from '../../../../src/attack/bindings/ag-ui/json-patch.ts';
import { createOwnConversations } from '../../../../src/attack/bindings/ag-ui/own-conversations.ts';
import { rebuildConversation } from '../../../../src/attack/bindings/ag-ui/rebuild-conversation.ts';
import { beginAgUiRun, endAgUiRun, explainEarlyEnd } from '../../../../src/attack/bindings/ag-ui/run-progress.ts';
import { rememberAnswers } from '../../../../src/attack/bindings/served-answers.ts';
import type { Echo } from '../../../../src/format/model/binding-views.ts';
import type { MessageRecord, Value, ValueMap } from '../../../../src/index.ts';
import { message } from '../../../support/records.ts';

// What the events of a run come to: messages, calls, state, and the views of evaluation.

type Event = readonly [method: string, event: ValueMap];
const said = (messageId: string, delta: string, more: ValueMap = {}): Event => [
  'text_message_content',
  { messageId, delta, ...more },
];
const thought = (messageId: string, delta: string): Event => ['reasoning_message_content', { messageId, delta }];
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
  rebuildConversation(
    events.map(([method, event]) => ({ method, event })),
    input,
    pending,
  );

describe('rebuildConversation, messages', () => {
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
    ['are those of the input when nothing happened', [], { messages: [user] }, [user]],
    ['hold the joined text of a message', [said('m', 'a'), said('m', 'b')], {}, [words('m', 'ab')]],
    [
      'hold text without a message id under an empty id',
      [['text_message_content', { delta: 'a' }]],
      {},
      [words('', 'a')],
    ],
    [
      'join text without an id with the message that was started',
      [
        ['text_message_start', { messageId: 'm' }],
        ['text_message_content', { delta: 'a' }],
      ],
      {},
      [words('m', 'a')],
    ],
    [
      'keep the role of a started message',
      [['text_message_start', { messageId: 'm', role: 'developer' }], said('m', 'a')],
      {},
      [{ id: 'm', role: 'developer', content: 'a' }],
    ],
    ['leave out a message with empty text', [['text_message_start', { messageId: 'm' }], said('m', '')], {}, []],
    [
      'keep name and metadata of a message',
      [said('m', 'a', { name: 'n', subagentRunId: 's', metadata: { x: 1 } }), said('m', 'b', { metadata: { y: 2 } })],
      {},
      [words('m', 'ab', { name: 'n', subagentRunId: 's', metadata: { x: 1, y: 2 } })],
    ],
    ['leave out text that is not a string', [['text_message_content', { messageId: 'm', delta: 5 }]], {}, []],
    [
      'append text to an earlier message of the same id',
      [said('a', '!')],
      { messages: [old] },
      [words('a', 'so far!')],
    ],
    ['ignore our own words streamed back', [said('u', 'hello')], { messages: [user] }, [user]],
    ['keep a malformed message of the input', [], { messages: ['odd'] }, ['odd']],
    ['are empty when the input’s messages are not a list', [], { messages: 'odd' }, []],
    [
      'hold a thought as a reasoning message',
      [thought('r', 'hm'), said('m', 'a')],
      {},
      [{ id: 'r', role: 'reasoning', content: 'hm' }, words('m', 'a')],
    ],
    ['hold a call in an assistant message', [called('c')], {}, [{ id: 'c', role: 'assistant', toolCalls: calls('c') }]],
    [
      'join the arguments of a call',
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
      'join a call that came in chunks',
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
      'keep metadata of a call',
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
      'add calls to their parent message',
      [said('m', 'a'), called('c', { parentMessageId: 'm' }), called('d', { parentMessageId: 'm' })],
      {},
      [words('m', 'a', { toolCalls: calls('c', 'd') })],
    ],
    [
      'add a call to a parent message that starts later',
      [called('c', { parentMessageId: 'm' }), said('m', 'a')],
      {},
      [words('m', 'a', { toolCalls: calls('c') })],
    ],
    [
      'do not add a call to a message of ours',
      [called('c', { parentMessageId: 'u' })],
      { messages: [user] },
      [user, { id: 'c', role: 'assistant', toolCalls: calls('c') }],
    ],
    [
      'add a call to a parent message of the history',
      [called('c', { parentMessageId: 'a' })],
      { messages: [{ ...old, toolCalls: ['x'] }] },
      [{ ...old, toolCalls: ['x', ...calls('c')] }],
    ],
    [
      'hold a repeated call once',
      [called('c'), called('c')],
      {},
      [{ id: 'c', role: 'assistant', toolCalls: calls('c') }],
    ],
    [
      'do not repeat a call of the history',
      [called('c')],
      { messages: [{ ...old, toolCalls: [{ id: 'c' }] }] },
      [{ ...old, toolCalls: [{ id: 'c' }] }],
    ],
    ['leave out a call without a name', [['tool_call_start', { toolCallId: 'c' }]], {}, []],
    [
      'place a result after its call',
      [called('c'), said('m', 'a'), gave('c')],
      {},
      [{ id: 'c', role: 'assistant', toolCalls: calls('c') }, result('c'), words('m', 'a')],
    ],
    [
      'place a result after its call in the history',
      [gave('c'), said('m', 'a')],
      { messages: [{ ...old, toolCalls: [{ id: 'c' }, 'odd', {}] }, user] },
      [{ ...old, toolCalls: [{ id: 'c' }, 'odd', {}] }, result('c'), user, words('m', 'a')],
    ],
    [
      'hold a result without a known call at the end',
      [gave('x', { messageId: 'rm', subagentRunId: 's' })],
      {},
      [{ ...result('x'), id: 'rm', subagentRunId: 's' }],
    ],
    ['leave out a result whose call id is not a string', [gave(5)], {}, []],
    [
      'hold a result without content as an empty one',
      [['tool_call_result', { toolCallId: 'x' }]],
      {},
      [result('x', { content: '' })],
    ],
    [
      'keep the encrypted value of a thought',
      [thought('r', 'hm'), ['reasoning_encrypted_value', { entityId: 'r', encryptedValue: 'E' }]],
      {},
      [{ id: 'r', role: 'reasoning', content: 'hm', encryptedValue: 'E' }],
    ],
    [
      'keep a thought that has only an encrypted value',
      [
        ['reasoning_message_start', { messageId: 'r' }],
        ['reasoning_encrypted_value', { entityId: 'r', encryptedValue: 'E' }],
      ],
      {},
      [{ id: 'r', role: 'reasoning', content: '', encryptedValue: 'E' }],
    ],
    [
      'keep the encrypted value of a call',
      [called('c'), ['reasoning_encrypted_value', { subtype: 'tool-call', entityId: 'c', encryptedValue: 'E' }]],
      {},
      [{ id: 'c', role: 'assistant', toolCalls: [{ ...calls('c')[0], encryptedValue: 'E' }] }],
    ],
    [
      'ignore encrypted values without a known entity or without a value',
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
      'keep a null call of the history',
      [],
      { messages: [{ ...old, toolCalls: [null] }] },
      [{ ...old, toolCalls: [null] }],
    ],
    ['are those of a snapshot', [said('m', 'a'), shot(user, old)], {}, [user, old]],
    [
      'keep the order of the stream when a snapshot has another',
      [said('m', 'a'), said('n', 'b'), shot(words('n', 'B'), words('m', 'A'))],
      {},
      [words('m', 'A'), words('n', 'B')],
    ],
    [
      'keep thoughts when a snapshot has none',
      [thought('r', 'hm'), said('m', 'a'), shot(words('m', 'A'))],
      {},
      [{ id: 'r', role: 'reasoning', content: 'hm' }, words('m', 'A')],
    ],
    [
      'replace thoughts when a snapshot has some',
      [thought('r', 'hm'), shot({ id: 'q', role: 'reasoning', content: 'so' })],
      {},
      [{ id: 'q', role: 'reasoning', content: 'so' }],
    ],
    ['leave out the activities of a snapshot', [shot({ id: 'x', role: 'activity' }, old)], {}, [old]],
    ['append text to a message of a snapshot', [shot(old), said('a', '!')], {}, [words('a', 'so far!')]],
    [
      'start a message anew when a snapshot has dropped it',
      [said('m', 'a'), shot(), said('m', 'b')],
      {},
      [words('m', 'b')],
    ],
    ['keep a result whose call a snapshot has dropped', [called('c'), shot(), gave('c')], {}, [result('c')]],
    ['ignore a method named like an inherited property', [['toString', {}]], {}, []],
  ])('%s', (_, events, input, messages) => {
    expect(outcome(events, input).messages).toEqual(messages);
  });

  test.each<[string, readonly Event[], ValueMap, boolean, boolean, number]>([
    ['no event', [], { messages: [old] }, true, true, 0],
    ['new text', [said('m', 'a')], { messages: [old] }, true, true, 0],
    ['text appended to an old message', [said('a', '!')], { messages: [old] }, false, true, 0],
    ['a call of an old message', [called('c', { parentMessageId: 'a' })], { messages: [old] }, false, true, 0],
    ['a message snapshot', [shot()], {}, false, true, 0],
    ['a state snapshot', [['state_snapshot', {}]], {}, true, false, 0],
    ['a state patch', [['state_delta', { delta: [] }]], {}, true, false, 0],
    [
      'two patches that do not fit',
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
    'rebuildConversation: reports whether %s leaves messages and state unchanged',
    (_, events, input, keepsMessages, keepsState, unfit) => {
      expect(outcome(events, input)).toMatchObject({ keepsMessages, keepsState, unfit });
    },
  );

  test('rebuildConversation: sets the state to null for a snapshot without a value', () => {
    expect(outcome([['state_snapshot', {}]], { state: { a: 1 } }).state).toBeNull();
  });

  const tools = { tools: [{ name: 'confirm' }] };
  const other = called('d', { toolCallName: 'theirs' });
  test.each<[string, readonly Event[], ValueMap, ReadonlySet<Value> | undefined, readonly string[]]>([
    ['a call', [called('c')], tools, undefined, ['c']],
    ['a call of a tool that we did not offer', [other], tools, undefined, ['d']],
    ['no foreign call that is followed by text', [other, said('m', 'a')], tools, undefined, []],
    ['a foreign call that is followed by empty text', [other, said('m', '')], tools, undefined, ['d']],
    [
      'a foreign call whose arguments go on after text',
      [other, said('m', 'a'), ['tool_call_args', { toolCallId: 'd', delta: '' }]],
      tools,
      undefined,
      ['d'],
    ],
    ['a call of our tool that is followed by text', [called('c'), said('m', 'a')], tools, undefined, ['c']],
    ['no answered call', [called('c'), gave('c')], tools, undefined, []],
    ['no call that a snapshot answers', [called('c'), shot({ role: 'tool', toolCallId: 'c' })], tools, undefined, []],
    [
      'a call that a snapshot only names',
      [called('c'), shot({ role: 'user', toolCallId: 'c' }, { role: 'tool' })],
      tools,
      undefined,
      ['c'],
    ],
    ['the calls that the run lists as pending', [called('c'), other], tools, new Set(['d']), ['d']],
  ])('waits for an answer to %s', (_, events, input, pending, ids) => {
    expect(outcome(events, input, pending).waiting.map(({ id }) => id)).toEqual(ids);
  });

  test('reports a waiting call in chunks by its start event', () => {
    expect(
      outcome([['tool_call_chunk', { toolCallId: 'c', toolCallName: 'n', delta: '{}', x: 1 }]]).waiting[0]?.start,
    ).toEqual({
      type: 'TOOL_CALL_START',
      toolCallId: 'c',
      toolCallName: 'n',
      x: 1,
    });
  });
});

describe('applyPatch', () => {
  const patched = (root: Value, ...operations: readonly Value[]) =>
    applyPatch(root, operations as Value, createPatchBudget());
  test.each<[string, Value, Value, Value | undefined]>([
    [
      'replaces a value within a list',
      { l: [{ a: 1 }] },
      { op: 'replace', path: '/l/0/a', value: 2 },
      { l: [{ a: 2 }] },
    ],
    ['fails for an item past the end of a list', { l: [] }, { op: 'replace', path: '/l/0', value: 2 }, undefined],
    ['fails below an item that does not exist', { l: [] }, { op: 'add', path: '/l/0/a', value: 2 }, undefined],
    ['fails below a key that does not exist', {}, { op: 'add', path: '/a/b', value: 2 }, undefined],
    ['removes a key of a list item', { l: [{ a: 1, b: 2 }] }, { op: 'remove', path: '/l/0/a' }, { l: [{ b: 2 }] }],
    ['removes a key of a mapping', { m: { a: 1, b: 2 } }, { op: 'remove', path: '/m/a' }, { m: { b: 2 } }],
    ['removes everything', { a: 1 }, { op: 'remove', path: '' }, null],
    ['fails to remove an item past the end', { l: [1] }, { op: 'remove', path: '/l/1' }, undefined],
    ['fails to remove below a key that does not exist', { m: {} }, { op: 'remove', path: '/m/a/b' }, undefined],
    ['fails for a negative index', { l: [1, 2] }, { op: 'test', path: '/l/-1', value: 2 }, undefined],
  ])('%s', (_, root, operation, expected) => {
    expect(patched(root, operation)).toEqual(expected);
  });

  test('stops at its budget of operations and copied values', () => {
    const same = { op: 'test', path: '', value: 1 };
    expect(applyPatch(1, [same, same], { operations: 2, copied: 0 })).toBe(1);
    expect(applyPatch(1, [same, same], { operations: 1, copied: 0 })).toBeUndefined();
    const copy = [{ op: 'copy', from: '/a', path: '/b' }];
    expect(applyPatch({ a: [1, 2] }, copy, { operations: 9, copied: 3 })).toEqual({ a: [1, 2], b: [1, 2] });
    expect(applyPatch({ a: [1, 2] }, copy, { operations: 9, copied: 2 })).toBeUndefined();
    expect(createPatchBudget()).toEqual({ operations: 20_000, copied: 100_000 });
  });

  test('accepts at most 200 keys in a pointer', () => {
    expect(parsePatchPointer('/a'.repeat(200))).toHaveLength(200);
    expect(parsePatchPointer('/a'.repeat(201))).toBeUndefined();
  });
});

describe('the run input that an agent repeats', () => {
  const input: ValueMap = {
    state: { city: 'Florence', list: [1], none: [] },
    messages: [
      { id: 'u', role: 'user', content: 'hello' },
      { id: 's', role: 'system', content: 'be brief, please' },
      { id: 't', role: 'tool', toolCallId: 'c', content: 'sunny' },
    ],
    threadId: 'thread-12',
    short: 'seven77',
  };
  const conversations = createOwnConversations(rememberAnswers());
  const asked = { actor: 'user', protocol: 'ag_ui', mode: 'ag_ui_client' } as const;
  conversations.addInput(message(asked), input);
  const ours = conversations.find(message(asked));
  const format = (echoes: readonly Echo[]): readonly string[] => echoes.map(({ path }) => path.join('.')).sort();
  const inMessages = (value: Value) => format(findRepeatedMessages(value, ['at'], ours));
  const inQuote = (value: Value) => format(findQuotedRequest(value, ['at'], ours));

  test.each<[Value, readonly string[]]>([
    [{ city: 'Florence' }, []],
    [input, ['at.messages.0', 'at.messages.1', 'at.messages.2']],
    [[{ id: 'u', role: 'user', content: 'hello' }], ['at.0']],
    [{ role: 'user', content: 'hello', more: 'hello' }, ['at.content']],
    [{ type: 'human', content: 'hello' }, ['at.content']],
    [{ type: 'system', content: 'be brief, please' }, ['at.content']],
    [{ role: 'system', content: 'hello' }, []],
    [{ role: 'user', content: 'be brief, please' }, []],
    [{ role: 'assistant', content: 'hello' }, []],
    [{ role: 'user', content: 'hello there' }, []],
    [{ role: 'user', content: { messages: [{ type: 'human', content: 'hello' }] } }, ['at.content.messages.0.content']],
    [{ role: 'tool', toolCallId: 'c', content: 'sunny' }, ['at.content']],
    [{ role: 'tool', toolCallId: 'd', content: 'x' }, []],
    ['hello', []],
    [null, []],
  ])('in %j, has repeated messages at the places %j', (value, expected) => {
    expect(inMessages(value)).toEqual(expected);
  });

  test.each<[Value, readonly string[]]>([
    [{ city: 'Florence' }, ['at.city']],
    [{ town: 'Florence' }, []],
    [{ city: 'Rome' }, []],
    [{ threadId: 'thread-12', short: 'seven77' }, ['at.threadId']],
    [{ list: [1], none: [] }, ['at.list']],
    [{ x: { city: 'Florence', list: [1], none: [] } }, ['at.x']],
    [input, ['at']],
    [[{ id: 'u', role: 'user', content: 'hello' }], ['at.0']],
    [{ loc: ['body'], input: 'you said: be brief, please' }, ['at.input']],
    ['other', []],
    [null, []],
  ])('in a refusal with %j, is quoted at the places %j', (value, expected) => {
    expect(inQuote(value)).toEqual(expected);
  });

  test('is looked for at most 32 levels deep', () => {
    const deep = (depth: number): Value => (depth === 0 ? { city: 'Florence' } : { x: deep(depth - 1) });
    expect([inQuote(deep(31)).length, inQuote(deep(32)).length]).toEqual([1, 0]);
  });

  test('is looked for in at most 10 000 values', () => {
    const flood = (length: number): Value => [{ city: 'Florence' }, ...Array.from({ length }, () => 0)];
    expect([inQuote(flood(9_997)).length, inQuote(flood(9_998)).length]).toEqual([1, 0]);
  });

  test.each<[Value, readonly string[]]>([
    [[{ path: '/city', value: 'Florence' }], ['at.0.value']],
    [[{ path: '/list', value: [1] }], ['at.0.value']],
    [[{ path: '/threadId', value: 'thread-12' }], ['at.0.value']],
    [[{ path: '/list/0', value: 1 }], ['at.0.value']],
    [[{ path: '/messages/-', value: { type: 'human', content: 'hello' } }], ['at.0.value.content']],
    [[{ path: '/deep/city', value: 'Florence' }], []],
    [[{ path: '/other', value: { city: 'Florence' } }], []],
    [[{ path: '/city', value: 'Rome' }, { path: '/city' }, 'odd', null], []],
    ['odd', []],
  ])('in the patch %j, stands at the places %j', (patch, expected) => {
    expect(format(findRepeatedInPatch(patch, ['at'], ours))).toEqual(expected);
  });
});

describe('run tracking of AG-UI events', () => {
  const other = 'this is not the run that was asked for';
  test.each<[Value | undefined, Value | undefined, boolean]>([
    ['r', 'r', true],
    ['x', 'r', false],
    [undefined, 'r', true],
    ['x', undefined, true],
    [5, 'r', true],
  ])('takes a begun run with the id %j, when %j was asked for, as ours: %s', (runId, asked, isOurs) => {
    const event = runId === undefined ? {} : { runId };
    expect(beginAgUiRun({}, event, asked)).toEqual({
      progress: { open: { isOurs } },
      ...(!isOurs && { noted: other }),
    });
    expect(beginAgUiRun({ odd: 'no run' }, event, asked).progress).toEqual({
      open: { isOurs },
      odd: 'no run',
    });
  });

  test.each<[Parameters<typeof endAgUiRun>[0], string, ReturnType<typeof endAgUiRun>['ends'], string | undefined]>([
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
  ])('takes, after %j, the end of run "%s" as the end of "%s" with the flaw: %s', (progress, runId, ends, reason) => {
    const ended = endAgUiRun(progress, { runId }, 'r');
    expect([ended.ends, explainEarlyEnd(ended.progress)]).toEqual([ends, reason]);
  });

  test.each<[Parameters<typeof explainEarlyEnd>[0], string | undefined]>([
    [{}, 'the stream ended before the run did'],
    [{ open: { isOurs: true }, odd: 'no run' }, 'the stream ended before the run did'],
    [{ open: { isOurs: true }, odd: 'another run' }, 'the stream ended before the run did'],
    [{ isClosed: true }, undefined],
  ])('explainEarlyEnd: reports for the progress %j the reason %s', (progress, reason) => {
    expect(explainEarlyEnd(progress)).toBe(reason);
  });
});

describe('createAgUiProjector, views of a stream', () => {
  type Fields = Partial<MessageRecord>;
  const place = { actor: 'user', protocol: 'ag_ui', mode: 'ag_ui_client', kind: 'event' } as const;
  function views(...records: readonly Fields[]) {
    const projector = createAgUiProjector();
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
  const call = (more: ValueMap = {}) => event('tool_call_start', { toolCallId: 'c', toolCallName: 'mail', ...more });
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
  const snapshot = (...messages: readonly Value[]) => event('messages_snapshot', { messages: messages as Value });
  const assistant = { id: 'x', role: 'assistant', content: 'hi' };
  const asked = event(
    'run_agent_input',
    { messages: [assistant, { role: 'assistant', content: 'no id' }] },
    { origin: 'attacker', kind: 'request' },
  );

  test.each<[string, readonly Fields[], readonly unknown[], readonly unknown[]]>([
    ['shows text in one part as the response', [start(), delta('a'), end], [says('a')], []],
    ['joins text in two parts', [start(), delta('a'), delta('b'), end], [whole('ab', 'm'), says('ab')], []],
    [
      'counts text of another role as the response',
      [start({ role: 'user' }), delta('a'), delta('b'), end],
      [whole('ab', 'm'), says('ab')],
      [],
    ],
    [
      'does not count the words of the user under the user’s role as the response',
      [
        event('run_agent_input', { messages: [{ role: 'user', content: 'a' }] }, { origin: 'attacker' }),
        start({ role: 'user' }),
        delta('a'),
        end,
      ],
      [whole('a', 'm')],
      [],
    ],
    [
      'counts text with a role that is a number as the response',
      [start({ role: 5 }), delta('a'), end],
      [says('a')],
      [],
    ],
    ['joins open text when the stream finishes', [start(), delta('a'), delta('b')], [], [whole('ab', 'm'), says('ab')]],
    ['ends text at the end of the run', [start(), delta('a'), done], [says('a')], []],
    ['ends text at an error of the run', [start(), delta('a'), event('run_error', {})], [says('a')], []],
    [
      'joins parts without ids until the next start',
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
      'adds a part without an id to the started message',
      [start(), event('text_message_content', { delta: 'a' }), end],
      [says('a')],
      [],
    ],
    [
      'ignores a part that is not a string',
      [start(), event('text_message_content', { messageId: 'm', delta: 5 }), end],
      [],
      [],
    ],
    [
      'joins the arguments of a call and parses them',
      [call(), args('{"a":'), args('1}'), event('tool_call_end', { toolCallId: 'c' })],
      [wholeCall('{"a":1}', { a: 1 })],
      [],
    ],
    [
      'parses the arguments of a call in one part',
      [call(), args('{}'), event('tool_call_end', { toolCallId: 'c' })],
      [wholeCall('{}', {})],
      [],
    ],
    [
      'keeps arguments as text when they are not JSON',
      [call(), args('{'), event('tool_call_end', { toolCallId: 'c' })],
      [wholeCall('{', '{')],
      [],
    ],
    [
      'keeps text of several connections apart',
      [start(), delta('a'), { ...delta('b'), session: 'other' }, { ...end, session: 'other' }],
      [says('b')],
      [says('a')],
    ],
    ['does not end text by another actor’s event', [start(), delta('a'), { ...end, actor: 'other' }], [], [says('a')]],
    ['does not end text by our own event', [start(), delta('a', {}), { ...end, origin: 'attacker' }], [], [says('a')]],
    ['ignores an event without content', [event('text_message_content', null)], [], []],
    ['does not end text by an unrelated event', [start(), delta('a'), event('step_started', {})], [], [says('a')]],
    ['shows a message of a snapshot as the response', [snapshot(assistant)], [says('hi')], []],
    ['shows a message of a repeated snapshot once', [snapshot(assistant), snapshot(assistant)], [], []],
    [
      'ignores messages of a snapshot that we sent',
      [asked, snapshot(assistant, { role: 'assistant', content: 'no id' })],
      [],
      [],
    ],
    [
      'ignores messages of a snapshot that were streamed',
      [start(), delta('a'), end, snapshot({ ...assistant, content: 'a' })],
      [],
      [],
    ],
    [
      'ignores messages of a snapshot that are being streamed',
      [start(), delta('a'), snapshot({ ...assistant, id: 'm', content: 'a' })],
      [],
      [says('a')],
    ],
    [
      'shows a message of a snapshot that we sent only in another kind of message',
      [event('other', { messages: [assistant] }, { origin: 'attacker' }), snapshot(assistant)],
      [says('hi')],
      [],
    ],
    [
      'ignores a streamed message in a snapshot after the run',
      [start(), delta('a'), end, done, snapshot({ ...assistant, content: 'a' })],
      [],
      [],
    ],
    [
      'shows a message of a snapshot whose id is that of a call',
      [call(), args('{}'), event('tool_call_end', { toolCallId: 'c' }), done, snapshot({ ...assistant, id: 'c' })],
      [says('hi')],
      [],
    ],
    [
      'shows changed content under a known id in a snapshot',
      [snapshot(assistant), snapshot({ ...assistant, content: 'changed' })],
      [says('changed')],
      [],
    ],
    [
      'shows messages without ids of a snapshot',
      [snapshot({ role: 'assistant', content: 'a' }), snapshot({ role: 'assistant', content: 'b' })],
      [says('b')],
      [],
    ],
    [
      'shows words of the user in a snapshot that the user did not say',
      [snapshot({ role: 'user', content: 'a' })],
      [says('a')],
      [],
    ],
    [
      'ignores results, thoughts and other content in a snapshot',
      [
        snapshot(
          { role: 'tool', content: 'a' },
          { role: 'reasoning', content: 'a' },
          { role: 'activity', content: 'a' },
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
      'opens a message with the first chunk',
      [chunk('a', { ...m, role: 'assistant', odd: 1 })],
      [part('start', { ...m, role: 'assistant' }), part('content', { ...m, delta: 'a' })],
      [says('a')],
    ],
    [
      'continues the message with a chunk without an id',
      [chunk('a', m), chunk('b')],
      [part('content', { ...m, delta: 'b' })],
      [whole('ab', 'm'), says('ab')],
    ],
    [
      'continues the message with a chunk of the same id',
      [chunk('a', m), chunk('b', m)],
      [part('content', { ...m, delta: 'b' })],
      [whole('ab', 'm'), says('ab')],
    ],
    ['ignores an empty chunk', [chunk('a', m), chunk('')], [], [says('a')]],
    [
      'ends the message before a chunk of another id',
      [chunk('a', m), chunk('b', { messageId: 'n' })],
      [part('end', m), part('start', { messageId: 'n' }), part('content', { messageId: 'n', delta: 'b' }), says('a')],
      [says('b')],
    ],
    ['ends the message at another event', [chunk('a', m), event('step_started', {})], [part('end', m), says('a')], []],
    ['keeps the message open at an unrelated event', [chunk('a', m), event('custom', {})], [], [says('a')]],
    [
      'continues the message after unrelated events',
      [chunk('a', m), event('raw', {}), event('activity_delta', {}), event('activity_snapshot', {}), chunk('b')],
      [part('content', { ...m, delta: 'b' })],
      [whole('ab', 'm'), says('ab')],
    ],
    [
      'opens a call with its first chunk',
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
  ])('turns chunks into events: %s', (_, records, now, later) => {
    expect(views(...records)).toStrictEqual([now, later]);
  });

  test('gives out the oldest connection when there are more than 100', () => {
    const projector = createAgUiProjector();
    const open = (session: string) => [
      ...projector.add(message({ ...place, ...start(), session })),
      ...projector.add(message({ ...place, ...delta(session), session })),
    ];
    const given = Array.from({ length: 100 }, (_, index) => open(`s${index}`)).flat();
    expect(given).toEqual([]);
    expect(open('more').map(({ content }) => content)).toEqual([{ response: { content: 's0' } }]);
  });
});

describe('planFollowUp, interrupts without an answer', () => {
  const ids = { own: 'own', fresh: () => 'fresh' };
  const asked = (...interrupts: readonly ValueMap[]) => {
    const event = { outcome: { type: 'interrupt', interrupts: interrupts as Value } };
    const run = { input: {}, state: {}, events: [{ method: 'run_finished', event }] };
    return planFollowUp(run, ids);
  };
  test.each<[ValueMap, string]>([
    [{ message: 'why?', value: 'v' }, 'why?'],
    [{ message: '', value: 'v' }, 'v'],
    [{ message: 5, value: { a: 1 } }, '{"a":1}'],
    [{ id: 'i' }, '{"id":"i"}'],
    [{ message: 'x'.repeat(301) }, 'x'.repeat(300)],
  ])('warns for the interrupt %j with the question "%s"', (interrupt, question) => {
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

  test('warns of the unanswered interrupt and answers the others', () => {
    const event = { outcome: { type: 'interrupt', interrupts: [{ id: 'a' }, { id: 'b' }] } };
    const state = { interrupt_responses: [{ when: { id: 'b' }, payload: 1 }] };
    const { acts, warnings } = planFollowUp({ input: {}, state, events: [{ method: 'run_finished', event }] }, ids);
    const [act] = acts;
    expect(act?.content((value) => value)).toMatchObject({
      resume: [{ interruptId: 'b', status: 'resolved', payload: 1 }],
    });
    expect(act?.resolve?.((value) => value).pieces).toEqual(['/interrupt_responses/0']);
    expect(warnings?.map(({ code }) => code)).toEqual(['O-130']);
  });

  test('reports a cancelled run as cut off', () => {
    const event = { outcome: { type: 'cancelled' } };
    expect(planFollowUp({ input: {}, state: {}, events: [{ method: 'run_finished', event }] }, ids)).toEqual({
      acts: [],
      cutOff: 'its run was cancelled',
    });
  });
});
