import { EventType } from '@ag-ui/core';
import { describe, expect, test } from 'vitest';
import { agUiClient } from '../../src/bindings/ag-ui/client.ts';
import { agUiViews } from '../../src/bindings/ag-ui/views.ts';
import type { Act, CarriedEvent, PartReading, Reader } from '../../src/engine/binding.ts';
import type { Value, ValueMap } from '../../src/index.ts';
import { isValueMap } from '../../src/model/value.ts';
import { failed, finished, run, started, text, toolCall, toolResult } from '../support/ag-ui-events.ts';
import { message } from '../support/records.ts';

const asIs = (value: Value): Value => value;

function makeIds() {
  let last = 0;
  return { own: 'own', fresh: () => `fresh-${++last}` };
}

const contentOf = (act: Act): Value => act.content(asIs) ?? {};
const contents = (acts: readonly Act[] = []): Value[] => acts.map(contentOf);

describe('run_agent_input (§7.3)', () => {
  const submitted = (run_agent_input: Value, more: ValueMap = {}) =>
    agUiClient.acts({ run_agent_input, ...more }, makeIds());
  const ids = { threadId: 't', runId: 'r' };

  const verbatim: [string, Value][] = [
    ['odd keys', { ...ids, 'x-odd': 1, nested: { __proto: [] }, '': 'empty' }],
    [
      'wrong types',
      { ...ids, messages: 'none', tools: 5, context: true, state: [null], forwardedProps: 'x' },
    ],
    ['nulls', { ...ids, messages: null, tools: [null], state: null }],
    ['ids that are null', { threadId: null, runId: null }],
    ['ids of wrong types', { threadId: 5, runId: ['r'] }],
    [
      'messages of wrong roles and shapes',
      { ...ids, messages: [{ role: 'system' }, 5, null, { content: {} }] },
    ],
    ['an own __proto__', { ...ids, state: JSON.parse('{"__proto__":{"polluted":true}}') as Value }],
    ['what is no mapping', ['not', 'an', 'input']],
    ['a text', 'not an input'],
  ];
  test.each(verbatim)('goes out as written: %s', (_, input) => {
    const { acts, warnings = [] } = submitted(input, { as_written: true });
    expect(JSON.stringify(contents(acts))).toBe(JSON.stringify([input]));
    expect(warnings).toEqual([]);
  });
  test.each(verbatim)('fields that are there stay as written: %s', (_, input) => {
    const [content] = contents(submitted(input).acts);
    const written = isValueMap(input) ? Object.keys(input).map((key) => (content as ValueMap)[key]) : content;
    expect(JSON.stringify(written)).toBe(JSON.stringify(isValueMap(input) ? Object.values(input) : input));
  });
  test('without ids, and nothing added, none are made up', () => {
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
    ['all of it', { ...ids, messages: [] }, whole],
    ['what is there stays', { ...whole, state: null, tools: 5 }, { ...whole, state: null, tools: 5 }],
    ['a version of the author’s', { ...ids, protocolVersion: '9.9' }, { protocolVersion: '9.9' }],
    ['messages are not', ids, { ...ids, tools: [] }],
  ];
  test.each(filled)('fields that agents before 1.0 require are filled in: %s', (_, input, expected) => {
    const [content] = contents(submitted(input).acts) as ValueMap[];
    expect(content).toMatchObject(expected);
    expect(Object.hasOwn(content ?? {}, 'messages')).toBe(Object.hasOwn(input, 'messages'));
  });
  test('fields that we fill in are not pieces of the attack', () => {
    expect(submitted({ ...ids, messages: [{}] }).acts[0]?.pieces).toEqual(['/run_agent_input/messages/*']);
  });

  const older: [string, ValueMap, ValueMap, boolean][] = [
    ['ours is left out', ids, {}, true],
    ['the author’s stays', { ...ids, protocolVersion: '1.0' }, {}, false],
    ['as written', ids, { as_written: true }, false],
  ];
  test.each(older)('for an agent that refuses a version: %s', (_, input, state, isLeftOut) => {
    const [act] = submitted(input, state).acts;
    const said = act?.older?.(act.content(asIs) ?? {});
    expect(said === undefined ? 'the same' : Object.hasOwn(said as ValueMap, 'protocolVersion')).toBe(
      isLeftOut ? false : 'the same',
    );
  });

  const generated: [string, Value, Value, number][] = [
    ['both', { messages: [] }, { messages: [], threadId: 'own', runId: 'fresh-1' }, 2],
    ['the thread', { runId: 'r' }, { runId: 'r', threadId: 'own' }, 1],
    ['the run', { threadId: 't' }, { threadId: 't', runId: 'fresh-1' }, 1],
  ];
  test.each(generated)(
    'ids that were left out are generated, with a warning (O-105): %s',
    (_, input, whole, count) => {
      const { acts, warnings = [] } = submitted(input);
      expect(contents(acts)).toMatchObject([whole]);
      expect(warnings.map(({ code }) => code)).toEqual(Array.from({ length: count }, () => 'O-105'));
    },
  );
  test('the thread is one for all phases, the run is not', () => {
    const ids = makeIds();
    const inputs = [1, 2].map(() => contents(agUiClient.acts({ run_agent_input: {} }, ids).acts)[0]);
    expect(inputs).toMatchObject([
      { threadId: 'own', runId: 'fresh-1' },
      { threadId: 'own', runId: 'fresh-2' },
    ]);
  });
  test.each([undefined, {}, { run_agent_input: null }, 'odd', []] as (Value | undefined)[])(
    'without one nothing is said, with a warning (O-105): %o',
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

describe('chunks are start, content and end too, for triggers and extractors', () => {
  const call = { type: 'TOOL_CALL_CHUNK', toolCallId: 'c', toolCallName: 'pay', delta: '{' };
  const chunk = { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', role: 'assistant', delta: 'a' };
  const rows: [string, ValueMap[], string[]][] = [
    ['the first of a call', [call], ['tool_call_chunk', '+tool_call_start', '+tool_call_args']],
    ['… without arguments', [{ ...call, delta: '' }], ['tool_call_chunk', '+tool_call_start']],
    [
      'the next of it',
      [call, { type: 'TOOL_CALL_CHUNK', delta: '}' }],
      ['tool_call_chunk', '+tool_call_args'],
    ],
    [
      'the first of another call',
      [call, { ...call, toolCallId: 'd' }],
      ['+tool_call_end', 'tool_call_chunk', '+tool_call_start', '+tool_call_args'],
    ],
    [
      'what follows it',
      [call, { type: 'STEP_FINISHED', stepName: 's' }],
      ['+tool_call_end', 'step_finished'],
    ],
    ['what says nothing of it', [call, { type: 'RAW', event: {} }], ['raw']],
    ['the end of the run', [chunk, finished], ['+text_message_end', 'run_finished']],
    [
      'a text after a call',
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

  test('a part knows its call', () => {
    const [reading] = read([call]);
    expect(reading?.events.slice(1).map(({ content }) => content)).toEqual([
      { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'pay' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c', toolCallName: 'pay', delta: '{' },
    ]);
  });
});

describe('events', () => {
  test.each(Object.values(EventType))('%s is named in snake case, and goes on as it is', (type) => {
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
  test.each(named)('%o is %o', (type, method) => {
    expect(read([{ type }])[0]?.method).toBe(method);
  });
  test.each([5, null, 'RUN_STARTED', [], {}, { type: 5 }, { type: null }] as Value[])(
    '%o is not an event',
    (part) => {
      expect(read([part])).toEqual([undefined]);
    },
  );

  const start = { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'pay' };
  const names: [string, ValueMap[], Value][] = [
    ['arguments', [start, { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{' }], 'pay'],
    ['the end', [start, { type: 'TOOL_CALL_END', toolCallId: 'c' }], 'pay'],
    ['the end of a call that never began', [{ type: 'TOOL_CALL_END', toolCallId: 'c' }], null],
    ['the end of another call', [start, { type: 'TOOL_CALL_END', toolCallId: 'd' }], null],
    [
      'a name of its own stays',
      [start, { type: 'TOOL_CALL_END', toolCallId: 'c', toolCallName: 'own' }],
      'own',
    ],
    [
      'interleaved calls',
      [
        start,
        { ...start, toolCallId: 'd', toolCallName: 'get' },
        { type: 'TOOL_CALL_ARGS', toolCallId: 'c' },
      ],
      'pay',
    ],
    [
      'a chunk after the first',
      [
        { type: 'TOOL_CALL_CHUNK', toolCallId: 'c', toolCallName: 'pay', delta: '{' },
        { type: 'TOOL_CALL_CHUNK', toolCallId: 'c', delta: '}' },
      ],
      'pay',
    ],
    [
      'a chunk without an id',
      [
        { type: 'TOOL_CALL_CHUNK', toolCallId: 'c', toolCallName: 'pay' },
        { type: 'TOOL_CALL_CHUNK', delta: '}' },
      ],
      'pay',
    ],
    ['a result has none', [start, { type: 'TOOL_CALL_RESULT', toolCallId: 'c', content: '' }], null],
    ['an id that is no text', [start, { type: 'TOOL_CALL_END', toolCallId: ['c'] }], null],
    [
      'a name that is no text',
      [
        { ...start, toolCallName: 5 },
        { type: 'TOOL_CALL_END', toolCallId: 'c' },
      ],
      null,
    ],
    ['text has none', [start, { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: '' }], null],
  ];
  test.each(names)('toolCallName from the start: %s', (_, events, expected) => {
    const content = read(events).at(-1)?.content as ValueMap;
    expect('toolCallName' in content ? content.toolCallName : null).toEqual(expected);
  });

  test('a run is over when it says so', () => {
    const over = (events: ValueMap[]) => read(events).map((reading) => reading?.isOver ?? false);
    expect([over(run()), over([started, failed])]).toEqual([
      [false, true],
      [false, true],
    ]);
  });
  test('a stream that ends before its run does says so', () => {
    expect(read([started])[0]?.next.end()).toEqual(expect.any(String));
  });
});

describe('what is answered', () => {
  const tools = [{ name: 'confirm' }];
  const open = { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'confirm' };
  const chunk = (fields: ValueMap) => ({ type: 'TOOL_CALL_CHUNK', ...fields });
  const hostile = JSON.parse('{"toString":1,"valueOf":1}') as Value;
  const rows: [string, ValueMap, ValueMap[], string[]][] = [
    ['a declared tool', { tools }, toolCall('c', 'confirm'), ['c']],
    ['several', { tools }, [...toolCall('c', 'confirm'), ...toolCall('d', 'confirm')], ['c', 'd']],
    [
      'a declared tool, though the agent spoke on',
      { tools },
      [...toolCall('c', 'confirm'), ...text('m', 'so')],
      ['c'],
    ],
    ['a tool that nobody declared, if the agent waits', {}, toolCall('c', 'confirm'), ['c']],
    ['not if the agent spoke on after it', {}, [...toolCall('c', 'confirm'), ...text('m', 'so')], []],
    [
      'not if it spoke on in chunks',
      {},
      [...toolCall('c', 'own'), { type: 'TEXT_MESSAGE_CHUNK', delta: 'so' }],
      [],
    ],
    ['if it spoke before', {}, [...text('m', 'so'), ...toolCall('c', 'confirm')], ['c']],
    ['a tool of the agent’s own is not', {}, [...toolCall('c', 'own'), toolResult('c', 'r')], []],
    ['… not even a declared one', { tools }, [...toolCall('c', 'confirm'), toolResult('c', 'r')], []],
    ['one of two', {}, [...toolCall('c', 'own'), ...toolCall('d', 'b'), toolResult('c', 'r')], ['d']],
    ['a call in one chunk', {}, [chunk({ toolCallId: 'c', toolCallName: 'confirm', delta: '{}' })], ['c']],
    [
      'a call in several chunks, once',
      {},
      [
        chunk({ toolCallId: 'c', toolCallName: 'confirm', delta: '{' }),
        chunk({ toolCallId: 'c', delta: '}' }),
      ],
      ['c'],
    ],
    [
      'chunks without an id',
      {},
      [chunk({ toolCallId: 'c', toolCallName: 'x' }), chunk({ delta: '{}' })],
      ['c'],
    ],
    ['a start that is said twice, once', {}, [open, open], ['c']],
    ['a start without a name', {}, [{ type: 'TOOL_CALL_START', toolCallId: 'c' }], []],
    ['arguments without a start', {}, [{ type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{}' }], []],
    ['a result for a call that nobody made', {}, [toolResult('c', 'r')], []],
    ['a result whose id is no text', {}, [open, { type: 'TOOL_CALL_RESULT', toolCallId: hostile }], ['c']],
    [
      'snapshots and the rest break nothing',
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
      'declared tools of wrong shapes',
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

  test('no more than 200 of one run', () => {
    const many = Array.from({ length: 300 }, (_, index) => toolCall(`c${index}`, 'confirm'));
    const [act] = read(run(...many)).at(-1)?.acts ?? [];
    expect(act?.carries?.(contentOf(act))).toHaveLength(200);
  });

  const histories: [string, ValueMap[], ValueMap[]][] = [
    [
      'text before the call, in a message of its own',
      text('m', 'I ', 'ask'),
      [
        { id: 'm', role: 'assistant', content: 'I ask' },
        { id: 'c', role: 'assistant', toolCalls: [{ id: 'c' }] },
      ],
    ],
    [
      'a call that belongs to a message',
      [...text('m', 'I ask'), { ...open, parentMessageId: 'm' }],
      [{ id: 'm', role: 'assistant', content: 'I ask', toolCalls: [{ id: 'c' }] }],
    ],
    [
      'an own tool with its result, behind the message that called it',
      [...toolCall('own', 'search', '{}'), toolResult('own', 'found')],
      [
        { id: 'own', toolCalls: [{ id: 'own', function: { name: 'search', arguments: '{}' } }] },
        { id: 'own-own', role: 'tool', toolCallId: 'own', content: 'found' },
        { id: 'c' },
      ],
    ],
    [
      'reasoning, with what only the agent can read',
      [
        { type: 'REASONING_MESSAGE_START', messageId: 'r' },
        { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r', delta: 'hm' },
        { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'r', encryptedValue: 'x+/=' },
      ],
      [{ id: 'r', role: 'reasoning', content: 'hm', encryptedValue: 'x+/=' }, { id: 'c' }],
    ],
    ['an empty message is not part of it', text('m'), [{ id: 'c' }]],
  ];
  test.each(histories)('the history of the follow-up: %s', (_, events, expected) => {
    const input = { messages: [{ role: 'user' }] };
    const acts = read(run(events, toolCall('c', 'confirm')), input).at(-1)?.acts;
    const messages = (contents(acts)[0] as ValueMap).messages as ValueMap[];
    expect(messages).toMatchObject([{ role: 'user' }, ...expected, { role: 'tool', toolCallId: 'c' }]);
    expect(messages).toHaveLength(expected.length + 2);
  });
});

describe('response.content', () => {
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
    const all = [
      ...records.flatMap((record) => projector?.add(record) ?? []),
      ...(projector?.finish() ?? []),
    ];
    return all.flatMap(({ path, content }) =>
      path === 'response.content' ? [(content.response as ValueMap).content] : [],
    );
  }

  const rows: [string, ValueMap[], string[]][] = [
    ['one message', run(text('m', 'hi')), ['hi']],
    ['split over its deltas', run(text('m', 'POI', 'S', 'ON')), ['POISON']],
    ['one for each message', run(text('m', 'a'), text('n', 'b')), ['a', 'b']],
    [
      'interleaved messages',
      run([open('m'), open('n'), say('m', 'a'), say('n', 'b'), say('m', 'c'), close('n'), close('m')]),
      ['b', 'ac'],
    ],
    ['a message without an end', run([open('m'), say('m', 'a')]), ['a']],
    ['a message whose stream broke off', [started, open('m'), say('m', 'a')], ['a']],
    ['a message before an error', [started, open('m'), say('m', 'a'), failed], ['a']],
    ['content without a start', run([say('m', 'a')]), ['a']],
    ['chunks', run([chunk('m', 'a', { role: 'assistant' }), chunk('m', 'b')]), ['ab']],
    ['chunks without ids', run([chunk('m', 'a'), chunk(undefined, 'b')]), ['ab']],
    ['a chunk with another id begins another message', run([chunk('m', 'a'), chunk('n', 'b')]), ['a', 'b']],
    ['the user’s words are none', run([open('m', 'user'), say('m', 'a'), close('m')]), []],
    [
      'reasoning is none',
      run([
        m('REASONING_MESSAGE_START', 'r', undefined, { role: 'reasoning' }),
        m('REASONING_MESSAGE_CONTENT', 'r', 'hm'),
        m('REASONING_MESSAGE_END', 'r'),
        m('REASONING_MESSAGE_CHUNK', 'r', 'hm'),
      ]),
      [],
    ],
    ['tool calls are none', run(toolCall('c', 'pay', '{"a":1}')), []],
    ['an empty message is none', run(text('m')), []],
    [
      'deltas of wrong types are passed over',
      run([open('m'), m('TEXT_MESSAGE_CONTENT', 'm'), say('m', 'a')]),
      ['a'],
    ],
  ];
  test.each(rows)('%s', (_, events, expected) => {
    expect(projected(events)).toEqual(expected);
  });
  test('ids mean something within their stream only', () => {
    expect(projected([open('m'), say('m', 'a')], [open('m'), say('m', 'b')])).toEqual(['a', 'b']);
  });
});

describe('delivery', () => {
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
    ['words', { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'No.' }, true],
    ['blank words', { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: ' ' }, false],
    ['a call', { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 't' }, true],
    ['a snapshot with an answer', { type: 'MESSAGES_SNAPSHOT', messages: [words] }, true],
    ['… with a blank one', { type: 'MESSAGES_SNAPSHOT', messages: [{ ...words, content: '' }] }, false],
    [
      '… that ends with ours',
      { type: 'MESSAGES_SNAPSHOT', messages: [words, { ...words, role: 'user' }] },
      false,
    ],
    ['… of nothing', { type: 'MESSAGES_SNAPSHOT', messages: [] }, false],
    ['a run that asks', { ...finished, outcome: 'interrupt' }, true],
    ['… with what it asks', { ...finished, outcome: { type: 'interrupt' } }, true],
    ['… that has succeeded', { ...finished, outcome: 'success' }, false],
    ['… with its result', { ...finished, outcome: { type: 'success' } }, false],
    ['a run that begins', started, false],
  ])('whether %s show an agent at work', (_, content, isAtWork) => {
    const { alive = false, use = false } = agUiViews.signs(event(content));
    expect([alive, use]).toEqual([isAtWork, isAtWork]);
  });
  test('an error of the agent’s is trouble', () => {
    expect(agUiViews.signs(event(failed)).trouble).toContain('out of credit');
  });
  test.each([
    ['not_there', true],
    ['other', undefined],
  ])('an error with the code %s says whether an agent was there', (code, absent) => {
    expect(agUiViews.signs(event({ ...failed, code })).absent).toBe(absent);
  });
  test.each([event(finished), event(failed, { origin: 'attacker' })])('nothing else is', (record) => {
    expect(agUiViews.signs(record).trouble).toBeUndefined();
  });
});
