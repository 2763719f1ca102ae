import { EventType } from '@ag-ui/core';
import { describe, expect, test } from 'vitest';
import { agUiClient } from '../../../src/attack/bindings/ag-ui/ag-ui-client-binding.ts';
import { agUiViews } from '../../../src/attack/bindings/ag-ui/ag-ui-views.ts';
import type { Act, CarriedEvent, PartReading, Reader } from '../../../src/attack/engine/binding.ts';
import { isValueMap } from '../../../src/format/model/value.ts';
import type { Value, ValueMap } from '../../../src/index.ts';
import { failed, finished, run, started, text, toolCall, toolResult } from '../../support/ag-ui-events.ts';
import { message } from '../../support/records.ts';

const asIs = (value: Value): Value => value;

function makeIds() {
  let last = 0;
  return { own: 'own', fresh: () => `fresh-${++last}` };
}

const contentOf = (act: Act): Value => act.content(asIs) ?? {};
const contents = (acts: readonly Act[] = []): Value[] => acts.map(contentOf);

describe('agUiClient, run_agent_input (§7.3)', () => {
  const submitted = (run_agent_input: Value, more: ValueMap = {}) =>
    agUiClient.acts({ run_agent_input, ...more }, makeIds());
  const ids = { threadId: 't', runId: 'r' };

  const verbatim: [string, Value][] = [
    ['unknown keys', { ...ids, 'x-odd': 1, nested: { __proto: [] }, '': 'empty' }],
    ['wrong types', { ...ids, messages: 'none', tools: 5, context: true, state: [null], forwardedProps: 'x' }],
    ['null values', { ...ids, messages: null, tools: [null], state: null }],
    ['null ids', { threadId: null, runId: null }],
    ['ids of wrong types', { threadId: 5, runId: ['r'] }],
    ['messages of wrong roles and shapes', { ...ids, messages: [{ role: 'system' }, 5, null, { content: {} }] }],
    ['a key named __proto__', { ...ids, state: JSON.parse('{"__proto__":{"polluted":true}}') as Value }],
    ['a list instead of a mapping', ['not', 'an', 'input']],
    ['a string instead of a mapping', 'not an input'],
  ];
  test.each(verbatim)('is sent unchanged with as_written: %s', (_, input) => {
    const { acts, warnings = [] } = submitted(input, { as_written: true });
    expect(JSON.stringify(contents(acts))).toBe(JSON.stringify([input]));
    expect(warnings).toEqual([]);
  });
  test.each(verbatim)('keeps every written field when others are filled in: %s', (_, input) => {
    const [content] = contents(submitted(input).acts);
    const written = isValueMap(input) ? Object.keys(input).map((key) => (content as ValueMap)[key]) : content;
    expect(JSON.stringify(written)).toBe(JSON.stringify(isValueMap(input) ? Object.values(input) : input));
  });
  test('gets no ids when it has none and is sent as_written', () => {
    const { acts, warnings = [] } = submitted({ messages: [] }, { as_written: true });
    expect([contents(acts), warnings]).toEqual([[{ messages: [] }], []]);
  });

  const whole = {
    ...ids,
    messages: [],
    protocolVersion: '1.0',
    state: {},
    tools: [],
    context: [],
    forwardedProps: {},
  };
  const filled: [string, ValueMap, ValueMap][] = [
    ['every missing field', { ...ids, messages: [] }, whole],
    ['no field when all are there', { ...whole, state: null, tools: 5 }, { ...whole, state: null, tools: 5 }],
    ['no version when the author wrote one', { ...ids, protocolVersion: '9.9' }, { protocolVersion: '9.9' }],
    ['no messages', ids, { ...ids, tools: [] }],
  ];
  test.each(filled)('is filled in for agents before 1.0: %s', (_, input, expected) => {
    const [content] = contents(submitted(input).acts) as ValueMap[];
    expect(content).toMatchObject(expected);
    expect(Object.hasOwn(content ?? {}, 'messages')).toBe(Object.hasOwn(input, 'messages'));
  });
  test('counts only written fields as pieces of the attack', () => {
    expect(submitted({ ...ids, messages: [{}] }).acts[0]?.pieces).toEqual(['/run_agent_input/messages/*']);
  });

  const older: [string, ValueMap, ValueMap, boolean][] = [
    ['leaves out our version', ids, {}, true],
    ['keeps the author’s version', { ...ids, protocolVersion: '1.0' }, {}, false],
    ['keeps the input as written', ids, { as_written: true }, false],
  ];
  test.each(older)('is adapted to an agent that refuses a version: %s', (_, input, state, isLeftOut) => {
    const [act] = submitted(input, state).acts;
    const said = act?.older?.(act.content(asIs) ?? {});
    expect(said === undefined ? 'the same' : Object.hasOwn(said as ValueMap, 'protocolVersion')).toBe(
      isLeftOut ? false : 'the same',
    );
  });

  const generated: [string, Value, Value, number][] = [
    ['thread and run', { messages: [] }, { messages: [], threadId: 'own', runId: 'fresh-1' }, 2],
    ['thread only', { runId: 'r' }, { runId: 'r', threadId: 'own' }, 1],
    ['run only', { threadId: 't' }, { threadId: 't', runId: 'fresh-1' }, 1],
  ];
  test.each(generated)('gets missing ids with a warning O-105: %s', (_, input, whole, count) => {
    const { acts, warnings = [] } = submitted(input);
    expect(contents(acts)).toMatchObject([whole]);
    expect(warnings.map(({ code }) => code)).toEqual(Array.from({ length: count }, () => 'O-105'));
  });
  test('keeps one thread id for all phases and gets a new run id in each', () => {
    const ids = makeIds();
    const inputs = [1, 2].map(() => contents(agUiClient.acts({ run_agent_input: {} }, ids).acts)[0]);
    expect(inputs).toMatchObject([
      { threadId: 'own', runId: 'fresh-1' },
      { threadId: 'own', runId: 'fresh-2' },
    ]);
  });
  test.each([undefined, {}, { run_agent_input: null }, 'odd', []] as (Value | undefined)[])(
    'is not sent without an input, with a warning O-105: %o',
    (state) => {
      const { acts, warnings = [] } = agUiClient.acts(state, makeIds());
      expect([acts, warnings.map(({ code }) => code)]).toEqual([[], ['O-105']]);
    },
  );
});

/** Reads events in answer to an input, and returns the reading of each. */
function read(events: readonly Value[], input: ValueMap = {}): ((PartReading & CarriedEvent) | undefined)[] {
  const ids = makeIds();
  let reader: Reader = agUiClient.reader({ method: 'run_agent_input', params: input }, {});
  return events.map((event) => {
    const reading = reader.read(event, ids);
    reader = reading?.next ?? reader;
    const [only] = reading?.events ?? [];
    return reading && only && { ...reading, ...only };
  });
}

describe('AG-UI reader, events derived from chunks', () => {
  const call = { type: 'TOOL_CALL_CHUNK', toolCallId: 'c', toolCallName: 'pay', delta: '{' };
  const chunk = { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', role: 'assistant', delta: 'a' };
  const rows: [string, ValueMap[], string[]][] = [
    [
      'derives start and arguments from the first chunk of a call',
      [call],
      ['tool_call_chunk', '+tool_call_start', '+tool_call_args'],
    ],
    [
      'derives only the start from a first chunk without arguments',
      [{ ...call, delta: '' }],
      ['tool_call_chunk', '+tool_call_start'],
    ],
    [
      'derives arguments from the next chunk of a call',
      [call, { type: 'TOOL_CALL_CHUNK', delta: '}' }],
      ['tool_call_chunk', '+tool_call_args'],
    ],
    [
      'ends a call before the first chunk of another call',
      [call, { ...call, toolCallId: 'd' }],
      ['+tool_call_end', 'tool_call_chunk', '+tool_call_start', '+tool_call_args'],
    ],
    [
      'ends a call before an unrelated event',
      [call, { type: 'STEP_FINISHED', stepName: 's' }],
      ['+tool_call_end', 'step_finished'],
    ],
    ['keeps a call open at a RAW event', [call, { type: 'RAW', event: {} }], ['raw']],
    ['ends a text message at the end of the run', [chunk, finished], ['+text_message_end', 'run_finished']],
    [
      'ends a call before the first chunk of a text',
      [call, chunk],
      ['+tool_call_end', 'text_message_chunk', '+text_message_start', '+text_message_content'],
    ],
  ];
  test.each(rows)('%s', (_, events, expected) => {
    const ids = makeIds();
    let reader: Reader = agUiClient.reader({ method: 'run_agent_input', params: {} }, {});
    let last: readonly CarriedEvent[] = [];
    for (const event of events) {
      const reading = reader.read(event, ids);
      reader = reading?.next ?? reader;
      last = reading?.events ?? [];
    }
    expect(last.map(({ method, isDerived }) => (isDerived ? `+${method}` : method))).toEqual(expected);
  });

  test('gives derived events the id and name of their call', () => {
    const [reading] = read([call]);
    expect(reading?.events.slice(1).map(({ content }) => content)).toEqual([
      { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'pay' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c', toolCallName: 'pay', delta: '{' },
    ]);
  });
});

describe('AG-UI reader, events', () => {
  test.each(Object.values(EventType))('names %s in snake case and keeps its content', (type) => {
    const event = { type, any: [null, { field: 1 }] };
    expect(read([event])).toMatchObject([{ method: type.toLowerCase(), content: event }]);
  });

  const named: [string, string][] = [
    ['THINKING_TEXT_MESSAGE_START', 'thinking_text_message_start'],
    ['TextMessageStart', 'text_message_start'],
    ['SOMETHING_NEW', 'something_new'],
    ['something_small', 'something_small'],
    ['', ''],
  ];
  test.each(named)('names the event type %o as %o', (type, method) => {
    expect(read([{ type }])[0]?.method).toBe(method);
  });
  test.each([5, null, 'RUN_STARTED', [], {}, { type: 5 }, { type: null }] as Value[])(
    'does not read %o as an event',
    (part) => {
      expect(read([part])).toEqual([undefined]);
    },
  );

  const start = { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'pay' };
  const names: [string, ValueMap[], Value][] = [
    ['arguments have the name of their call', [start, { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{' }], 'pay'],
    ['the end has the name of its call', [start, { type: 'TOOL_CALL_END', toolCallId: 'c' }], 'pay'],
    ['the end of a call that never began has no name', [{ type: 'TOOL_CALL_END', toolCallId: 'c' }], null],
    ['the end of another call has no name', [start, { type: 'TOOL_CALL_END', toolCallId: 'd' }], null],
    ['a written name is kept', [start, { type: 'TOOL_CALL_END', toolCallId: 'c', toolCallName: 'own' }], 'own'],
    [
      'interleaved calls have their own names',
      [start, { ...start, toolCallId: 'd', toolCallName: 'get' }, { type: 'TOOL_CALL_ARGS', toolCallId: 'c' }],
      'pay',
    ],
    [
      'a later chunk has the name of its call',
      [
        { type: 'TOOL_CALL_CHUNK', toolCallId: 'c', toolCallName: 'pay', delta: '{' },
        { type: 'TOOL_CALL_CHUNK', toolCallId: 'c', delta: '}' },
      ],
      'pay',
    ],
    [
      'a chunk without an id has the name of the open call',
      [
        { type: 'TOOL_CALL_CHUNK', toolCallId: 'c', toolCallName: 'pay' },
        { type: 'TOOL_CALL_CHUNK', delta: '}' },
      ],
      'pay',
    ],
    ['a result has no name', [start, { type: 'TOOL_CALL_RESULT', toolCallId: 'c', content: '' }], null],
    ['an event with an id that is a list has no name', [start, { type: 'TOOL_CALL_END', toolCallId: ['c'] }], null],
    [
      'a name that is a number is not passed on',
      [
        { ...start, toolCallName: 5 },
        { type: 'TOOL_CALL_END', toolCallId: 'c' },
      ],
      null,
    ],
    ['a text event has no name', [start, { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: '' }], null],
  ];
  test.each(names)('sets toolCallName from the start of the call: %s', (_, events, expected) => {
    const content = read(events).at(-1)?.content as ValueMap;
    expect('toolCallName' in content ? content.toolCallName : null).toEqual(expected);
  });

  test('is over at RUN_FINISHED and at RUN_ERROR', () => {
    const over = (events: ValueMap[]) => read(events).map((reading) => reading?.isOver ?? false);
    expect([over(run()), over([started, failed])]).toEqual([
      [false, true],
      [false, true],
    ]);
  });
  test('reports a stream that ends before its run', () => {
    expect(read([started])[0]?.next.end()).toEqual(expect.any(String));
  });
});

describe('AG-UI follow-up, answered calls', () => {
  const tools = [{ name: 'confirm' }];
  const open = { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'confirm' };
  const chunk = (fields: ValueMap) => ({ type: 'TOOL_CALL_CHUNK', ...fields });
  const hostile = JSON.parse('{"toString":1,"valueOf":1}') as Value;
  const rows: [string, ValueMap, ValueMap[], string[]][] = [
    ['answers a call of a declared tool', { tools }, toolCall('c', 'confirm'), ['c']],
    ['answers several calls', { tools }, [...toolCall('c', 'confirm'), ...toolCall('d', 'confirm')], ['c', 'd']],
    [
      'answers a call of a declared tool although text follows',
      { tools },
      [...toolCall('c', 'confirm'), ...text('m', 'so')],
      ['c'],
    ],
    ['answers a call of an undeclared tool when the agent waits', {}, toolCall('c', 'confirm'), ['c']],
    [
      'does not answer a call of an undeclared tool when text follows',
      {},
      [...toolCall('c', 'confirm'), ...text('m', 'so')],
      [],
    ],
    [
      'does not answer a call of an undeclared tool when text chunks follow',
      {},
      [...toolCall('c', 'own'), { type: 'TEXT_MESSAGE_CHUNK', delta: 'so' }],
      [],
    ],
    ['answers a call that follows text', {}, [...text('m', 'so'), ...toolCall('c', 'confirm')], ['c']],
    ['does not answer a call of the agent’s own tool', {}, [...toolCall('c', 'own'), toolResult('c', 'r')], []],
    [
      'does not answer a call of a declared tool that the agent answered itself',
      { tools },
      [...toolCall('c', 'confirm'), toolResult('c', 'r')],
      [],
    ],
    [
      'answers the open one of two calls',
      {},
      [...toolCall('c', 'own'), ...toolCall('d', 'b'), toolResult('c', 'r')],
      ['d'],
    ],
    ['answers a call in one chunk', {}, [chunk({ toolCallId: 'c', toolCallName: 'confirm', delta: '{}' })], ['c']],
    [
      'answers a call in several chunks once',
      {},
      [chunk({ toolCallId: 'c', toolCallName: 'confirm', delta: '{' }), chunk({ toolCallId: 'c', delta: '}' })],
      ['c'],
    ],
    [
      'answers a call whose later chunks have no id',
      {},
      [chunk({ toolCallId: 'c', toolCallName: 'x' }), chunk({ delta: '{}' })],
      ['c'],
    ],
    ['answers a call with a repeated start once', {}, [open, open], ['c']],
    ['ignores a start without a name', {}, [{ type: 'TOOL_CALL_START', toolCallId: 'c' }], []],
    ['ignores arguments without a start', {}, [{ type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{}' }], []],
    ['ignores a result of an unknown call', {}, [toolResult('c', 'r')], []],
    ['ignores a result whose id is an object', {}, [open, { type: 'TOOL_CALL_RESULT', toolCallId: hostile }], ['c']],
    [
      'answers a call after snapshots and other events',
      { tools },
      [
        { type: 'STATE_SNAPSHOT', snapshot: { a: 1 } },
        { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/a', value: 1 }] },
        { type: 'MESSAGES_SNAPSHOT', messages: [{ role: 'assistant', toolCalls: [{ id: 'x' }] }] },
        { type: 'RAW', event: {} },
        { type: 'CUSTOM', name: 'constructor', value: null },
        { type: 'CONSTRUCTOR' },
        { type: 'STEP_STARTED', stepName: 's' },
        ...toolCall('c', 'confirm'),
      ],
      ['c'],
    ],
    [
      'answers a call when the declared tools are malformed',
      { tools: [null, 5, {}, ['confirm']] },
      toolCall('c', 'confirm'),
      ['c'],
    ],
  ];
  test.each(rows)('%s', (_, input, events, expected) => {
    const acts = read(run(events), input).at(-1)?.acts ?? [];
    const results = acts.flatMap((act) => act.carries?.(contentOf(act)) ?? []);
    expect(results.map(({ content }) => (content as ValueMap).toolCallId)).toEqual(expected);
  });

  test('answers at most 200 calls of one run', () => {
    const many = Array.from({ length: 300 }, (_, index) => toolCall(`c${index}`, 'confirm'));
    const [act] = read(run(...many)).at(-1)?.acts ?? [];
    expect(act?.carries?.(contentOf(act))).toHaveLength(200);
  });

  const histories: [string, ValueMap[], ValueMap[]][] = [
    [
      'text before the call is a message of its own',
      text('m', 'I ', 'ask'),
      [
        { id: 'm', role: 'assistant', content: 'I ask' },
        { id: 'c', role: 'assistant', toolCalls: [{ id: 'c' }] },
      ],
    ],
    [
      'a call with a parent message is part of that message',
      [...text('m', 'I ask'), { ...open, parentMessageId: 'm' }],
      [{ id: 'm', role: 'assistant', content: 'I ask', toolCalls: [{ id: 'c' }] }],
    ],
    [
      'a result of the agent’s own tool follows its call',
      [...toolCall('own', 'search', '{}'), toolResult('own', 'found')],
      [
        { id: 'own', toolCalls: [{ id: 'own', function: { name: 'search', arguments: '{}' } }] },
        { id: 'own-own', role: 'tool', toolCallId: 'own', content: 'found' },
        { id: 'c' },
      ],
    ],
    [
      'reasoning keeps its encrypted value',
      [
        { type: 'REASONING_MESSAGE_START', messageId: 'r' },
        { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r', delta: 'hm' },
        { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'r', encryptedValue: 'x+/=' },
      ],
      [{ id: 'r', role: 'reasoning', content: 'hm', encryptedValue: 'x+/=' }, { id: 'c' }],
    ],
    ['an empty message is left out', text('m'), [{ id: 'c' }]],
  ];
  test.each(histories)('has the right message history: %s', (_, events, expected) => {
    const input = { messages: [{ role: 'user' }] };
    const acts = read(run(events, toolCall('c', 'confirm')), input).at(-1)?.acts;
    const messages = (contents(acts)[0] as ValueMap).messages as ValueMap[];
    expect(messages).toMatchObject([{ role: 'user' }, ...expected, { role: 'tool', toolCallId: 'c' }]);
    expect(messages).toHaveLength(expected.length + 2);
  });
});

describe('AG-UI projection response.content', () => {
  const m = (type: string, messageId: string | undefined, delta?: string, more: ValueMap = {}): ValueMap => ({
    type,
    ...(messageId !== undefined && { messageId }),
    ...(delta !== undefined && { delta }),
    ...more,
  });
  const open = (id: string, role = 'assistant') => m('TEXT_MESSAGE_START', id, undefined, { role });
  const say = (id: string, delta: string) => m('TEXT_MESSAGE_CONTENT', id, delta);
  const close = (id: string) => m('TEXT_MESSAGE_END', id);
  const chunk = (id: string | undefined, delta: string, more: ValueMap = {}) =>
    m('TEXT_MESSAGE_CHUNK', id, delta, more);

  /** The projections of a trace with these events. */
  function projected(...sessions: ValueMap[][]): unknown[] {
    const projector = agUiViews.projector?.();
    const records = sessions.flatMap((events, session) =>
      events.map((content) =>
        message({
          actor: 'user',
          protocol: 'ag_ui',
          mode: 'ag_ui_client',
          kind: 'event',
          session: `s${session}`,
          method: read([content])[0]?.method ?? '',
          content,
        }),
      ),
    );
    const all = [...records.flatMap((record) => projector?.add(record) ?? []), ...(projector?.finish() ?? [])];
    return all.flatMap(({ path, content }) =>
      path === 'response.content' ? [(content.response as ValueMap).content] : [],
    );
  }

  const rows: [string, ValueMap[], string[]][] = [
    ['has the text of one message', run(text('m', 'hi')), ['hi']],
    ['joins text that is split over deltas', run(text('m', 'POI', 'S', 'ON')), ['POISON']],
    ['has one text for each message', run(text('m', 'a'), text('n', 'b')), ['a', 'b']],
    [
      'keeps interleaved messages apart',
      run([open('m'), open('n'), say('m', 'a'), say('n', 'b'), say('m', 'c'), close('n'), close('m')]),
      ['b', 'ac'],
    ],
    ['has the text of a message without an end', run([open('m'), say('m', 'a')]), ['a']],
    ['has the text of a message whose stream broke off', [started, open('m'), say('m', 'a')], ['a']],
    ['has the text of a message before an error', [started, open('m'), say('m', 'a'), failed], ['a']],
    ['has text without a start', run([say('m', 'a')]), ['a']],
    ['joins chunks', run([chunk('m', 'a', { role: 'assistant' }), chunk('m', 'b')]), ['ab']],
    ['joins chunks without ids', run([chunk('m', 'a'), chunk(undefined, 'b')]), ['ab']],
    ['begins another text at a chunk with another id', run([chunk('m', 'a'), chunk('n', 'b')]), ['a', 'b']],
    ['has words of the user that the user did not say', run([open('m', 'user'), say('m', 'a'), close('m')]), ['a']],
    [
      'leaves out reasoning',
      run([
        m('REASONING_MESSAGE_START', 'r', undefined, { role: 'reasoning' }),
        m('REASONING_MESSAGE_CONTENT', 'r', 'hm'),
        m('REASONING_MESSAGE_END', 'r'),
        m('REASONING_MESSAGE_CHUNK', 'r', 'hm'),
      ]),
      [],
    ],
    ['leaves out tool calls', run(toolCall('c', 'pay', '{"a":1}')), []],
    ['leaves out an empty message', run(text('m')), []],
    ['skips deltas of wrong types', run([open('m'), m('TEXT_MESSAGE_CONTENT', 'm'), say('m', 'a')]), ['a']],
  ];
  test.each(rows)('%s', (_, events, expected) => {
    expect(projected(events)).toEqual(expected);
  });
  test('keeps equal ids of different streams apart', () => {
    expect(projected([open('m'), say('m', 'a')], [open('m'), say('m', 'b')])).toEqual(['a', 'b']);
  });
});

describe('activity in AG-UI events', () => {
  const event = (content: ValueMap, fields: object = {}) =>
    message({
      protocol: 'ag_ui',
      mode: 'ag_ui_client',
      kind: 'event',
      method: read([content])[0]?.method ?? '',
      content,
      ...fields,
    });

  const words = { role: 'assistant', content: 'No.' };
  test.each<[string, ValueMap, boolean]>([
    ['is found in text', { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'No.' }, true],
    ['is not found in blank text', { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: ' ' }, false],
    ['is found in a tool call', { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 't' }, true],
    ['is found in a snapshot that ends with an answer', { type: 'MESSAGES_SNAPSHOT', messages: [words] }, true],
    [
      'is not found in a snapshot that ends with a blank answer',
      { type: 'MESSAGES_SNAPSHOT', messages: [{ ...words, content: '' }] },
      false,
    ],
    [
      'is not found in a snapshot that ends with the user’s message',
      { type: 'MESSAGES_SNAPSHOT', messages: [words, { ...words, role: 'user' }] },
      false,
    ],
    ['is not found in an empty snapshot', { type: 'MESSAGES_SNAPSHOT', messages: [] }, false],
    ['is found in a run that ends with an interrupt, as a string', { ...finished, outcome: 'interrupt' }, true],
    [
      'is found in a run that ends with an interrupt, as an object',
      { ...finished, outcome: { type: 'interrupt' } },
      true,
    ],
    ['is not found in a run that ends with success, as a string', { ...finished, outcome: 'success' }, false],
    [
      'is not found in a run that ends with success, as an object',
      { ...finished, outcome: { type: 'success' } },
      false,
    ],
    ['is not found in a run that begins', started, false],
  ])('%s', (_, content, isAtWork) => {
    const { alive = false, use = false } = agUiViews.activity(event(content));
    expect([alive, use]).toEqual([isAtWork, isAtWork]);
  });
  test('includes trouble for an error of the agent', () => {
    expect(agUiViews.activity(event(failed)).trouble).toContain('out of credit');
  });
  test.each([event(finished), event(failed, { origin: 'attacker' })])(
    'includes no trouble for a finished run or an error of ours',
    (record) => {
      expect(agUiViews.activity(record).trouble).toBeUndefined();
    },
  );
});
