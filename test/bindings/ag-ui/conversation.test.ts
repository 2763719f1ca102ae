import { describe, expect, test } from 'vitest';
import { agUiClient } from '../../../src/bindings/ag-ui/client.ts';
import type { PartReading, Reader } from '../../../src/engine/binding.ts';
import type { Value, ValueMap } from '../../../src/index.ts';
import { asRunOf, finished, run, started, text, toolCall, toolResult } from '../../support/ag-ui-events.ts';

const asIs = (value: Value): Value => value;
const hello = { id: 'u', role: 'user', content: 'hello' };
const written = {
  threadId: 't',
  runId: 'r',
  state: { cards: [] },
  messages: [hello],
  tools: [{ name: 'confirm' }],
};

/** The reading of the last of these events. */
function last(events: readonly ValueMap[], state: ValueMap = {}, input: ValueMap = written): PartReading {
  let count = 0;
  const ids = { own: 'own', fresh: () => `fresh-${++count}` };
  let reader: Reader = agUiClient.reader(
    { method: 'run_agent_input', params: input },
    { run_agent_input: written, ...state },
  );
  let reading: PartReading | undefined;
  for (const event of events) {
    reading = reader.read(event, ids);
    reader = reading?.next ?? reader;
  }
  if (reading === undefined) throw new Error('there are no events');
  return reading;
}

/** The run inputs that follow from these events. */
function followUps(events: readonly ValueMap[], state?: ValueMap, input?: ValueMap): ValueMap[] {
  return (last(events, state, input).acts ?? []).map(
    (act) => (act.resolve?.(asIs) ?? act).content(asIs) as ValueMap,
  );
}

const call = toolCall('c', 'confirm', '{}');
const asked = { id: 'c', role: 'assistant', toolCalls: [{ id: 'c' }] };

describe('a follow-up carries the state', () => {
  const snapshot = (value: Value): ValueMap => ({ type: 'STATE_SNAPSHOT', snapshot: value });
  const delta = (...operations: ValueMap[]): ValueMap => ({ type: 'STATE_DELTA', delta: operations });
  const rows: [string, ValueMap[], Value][] = [
    ['as it was', [], { cards: [] }],
    ['of a snapshot', [snapshot({ cards: ['a'] })], { cards: ['a'] }],
    ['of a snapshot that is null', [snapshot(null)], null],
    ['of a delta', [delta({ op: 'add', path: '/cards/-', value: 'b' })], { cards: ['b'] }],
    [
      'of a delta on a snapshot',
      [snapshot({ n: 1 }), delta({ op: 'replace', path: '/n', value: 2 })],
      { n: 2 },
    ],
    ['without a delta that does not fit', [delta({ op: 'remove', path: '/nobody' })], { cards: [] }],
  ];
  test.each(rows)('%s', (_, events, state) => {
    expect(followUps(run(events, call))[0]?.state).toEqual(state);
  });
  test('a delta that does not fit is reported (O-131)', () => {
    const { warnings = [] } = last(run([delta({ op: 'remove', path: '/nobody' })], call));
    expect(warnings.map(({ code }) => code)).toEqual(['O-131']);
  });
  test('a delta without an earlier state', () => {
    const { state: _, ...input } = written;
    const events = run([delta({ op: 'add', path: '/x', value: 1 })], call);
    expect(followUps(events, {}, input)[0]?.state).toEqual({ x: 1 });
  });
  test('a state that doubles without end is not carried', () => {
    const doubling = Array.from({ length: 40 }, (_, index) =>
      delta({ op: 'copy', from: '', path: `/x${index}` }),
    );
    const { warnings = [] } = last(run(doubling, call));
    expect(new Set(warnings.map(({ code }) => code))).toEqual(new Set(['O-131']));
  });
});

describe('a follow-up carries the messages', () => {
  const snapshot = (...messages: ValueMap[]): ValueMap => ({ type: 'MESSAGES_SNAPSHOT', messages });
  const answered = { id: 'a', role: 'assistant', content: 'so' };
  const reasoning = [
    { type: 'REASONING_MESSAGE_START', messageId: 'r1', role: 'reasoning' },
    { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r1', delta: 'hm' },
  ];
  const encrypted = (subtype: string, entityId: string): ValueMap => ({
    type: 'REASONING_ENCRYPTED_VALUE',
    subtype,
    entityId,
    encryptedValue: 'opaque',
  });
  const rows: [string, ValueMap[], ValueMap[]][] = [
    ['a snapshot takes their place', [snapshot(answered), ...call], [answered, asked]],
    [
      'a message of the snapshot stays in its place',
      [...text('a', 'x'), snapshot({ id: 'n', role: 'user', content: 'new' }, answered), ...call],
      [answered, { id: 'n' }, asked],
    ],
    [
      'a snapshot without reasoning leaves it',
      [...reasoning, snapshot(hello), ...call],
      [hello, { id: 'r1', role: 'reasoning', content: 'hm' }, asked],
    ],
    [
      'a snapshot with reasoning takes its place',
      [...reasoning, snapshot(hello, { id: 'r2', role: 'reasoning', content: 'hm' }), ...call],
      [hello, { id: 'r2' }, asked],
    ],
    [
      'what a snapshot shows of activities is not sent back',
      [snapshot(hello, { id: 'x', role: 'activity', activityType: 'PLAN', content: {} }), ...call],
      [hello, asked],
    ],
    [
      'a text goes on behind its snapshot',
      [snapshot(hello, answered), ...text('a', ' it is'), ...call],
      [hello, { id: 'a', content: 'so it is' }, asked],
    ],
    ['our own words, streamed back, stay ours', [...text('u', 'hello'), ...call], [hello, asked]],
    [
      'encrypted values of messages and calls',
      [...reasoning, ...call, encrypted('message', 'r1'), encrypted('tool-call', 'c')],
      [
        hello,
        { id: 'r1', encryptedValue: 'opaque' },
        { ...asked, toolCalls: [{ id: 'c', encryptedValue: 'opaque' }] },
      ],
    ],
    [
      'reasoning that can only be decrypted',
      [{ type: 'REASONING_MESSAGE_START', messageId: 'r1' }, encrypted('message', 'r1'), ...call],
      [hello, { id: 'r1', content: '', encryptedValue: 'opaque' }, asked],
    ],
    [
      'names, metadata and the subagent that spoke',
      [
        { type: 'TEXT_MESSAGE_START', messageId: 'm', name: 'ada', subagentRunId: 's', metadata: { a: 1 } },
        { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'hi', metadata: { b: 2 } },
        ...call,
      ],
      [hello, { id: 'm', name: 'ada', subagentRunId: 's', metadata: { a: 1, b: 2 }, content: 'hi' }, asked],
    ],
    [
      'metadata of a call',
      [{ type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'confirm', metadata: { a: 1 } }],
      [hello, { ...asked, toolCalls: [{ id: 'c', metadata: { a: 1 } }] }],
    ],
    [
      'a result in parts',
      [
        ...toolCall('own', 'search'),
        { ...toolResult('own', ''), content: [{ type: 'text', text: 'found' }] },
        ...call,
      ],
      [hello, { id: 'own' }, { role: 'tool', content: [{ type: 'text', text: 'found' }] }, asked],
    ],
  ];
  test.each(rows)('%s', (_, events, expected) => {
    const messages = followUps(run(events))[0]?.messages as ValueMap[];
    expect(messages).toMatchObject([...expected, { role: 'tool', toolCallId: 'c' }]);
    expect(messages).toHaveLength(expected.length + 1);
  });
  test('a call that a snapshot shows as answered is not answered again', () => {
    const result = { id: 't', role: 'tool', toolCallId: 'c', content: 'yes' };
    expect(followUps(run(call, [snapshot(hello, { ...asked }, result)]))).toEqual([]);
  });
  test('an approval is not repeated', () => {
    const resume = [{ interruptId: 'i', status: 'resolved' }];
    expect(followUps(run(call), {}, { ...written, resume })[0]).not.toHaveProperty('resume');
  });
});

describe('the pieces that a follow-up carries', () => {
  const pieces = (...events: ValueMap[]) => {
    const [act] = last(run(events, call), { tool_responses: [{ content: 'yes' }] }).acts ?? [];
    return act?.resolve?.(asIs).pieces;
  };
  const carried = ['/run_agent_input/tools/*', '/tool_responses/0'];
  test('all of them, if nothing has replaced them', () => {
    expect(pieces()).toEqual([
      '/run_agent_input/messages/*',
      '/run_agent_input/tools/*',
      '/run_agent_input/state',
      '/tool_responses/0',
    ]);
  });
  test('neither messages nor state where the agent has replaced them', () => {
    expect(
      pieces({ type: 'MESSAGES_SNAPSHOT', messages: [] }, { type: 'STATE_SNAPSHOT', snapshot: {} }),
    ).toEqual(carried);
  });
});

describe('which calls wait for us', () => {
  const ending = (outcome: Value): ValueMap => ({ ...finished, outcome });
  const other = toolCall('d', 'search');
  const rows: [string, ValueMap[], string[]][] = [
    ['success, without a list', [...call, ending({ type: 'success' })], ['c']],
    [
      'those that are pending',
      [...call, ...other, ending({ type: 'success', pendingToolCallIds: ['d'] })],
      ['d'],
    ],
    ['none, if none is pending', [...call, ending({ type: 'success', pendingToolCallIds: [] })], []],
    [
      'not one that was answered',
      [...other, toolResult('d', 'x'), ending({ type: 'success', pendingToolCallIds: ['d'] })],
      [],
    ],
    [
      'none of a run that asks something',
      [...call, ending({ type: 'interrupt', interrupts: [{ id: 'i', toolCallId: 'c' }] })],
      [],
    ],
    ['none of a run that was cancelled', [...call, ending({ type: 'cancelled' })], []],
    ['an outcome that nobody knows is a success', [...call, ending({ type: 'splendid' })], ['c']],
  ];
  test.each(rows)('%s', (_, events, expected) => {
    const { acts = [] } = last([started, ...events]);
    const results = acts.flatMap((act) => act.carries?.(act.content(asIs) ?? {}) ?? []);
    expect(results.map(({ content }) => (content as ValueMap).toolCallId)).toEqual(expected);
  });
  test('a run that was cancelled was cut off', () => {
    expect(last([started, ending({ type: 'cancelled' })])).toMatchObject({
      isOver: true,
      cutOff: expect.any(String),
    });
  });
});

describe('an interrupt', () => {
  const interrupts = [
    { id: 'i1', reason: 'tool_call', toolCallId: 'c', message: 'Pay 900 EUR?' },
    { id: 'i2', reason: 'input_required' },
  ];
  const ended = [
    started,
    ...text('m', 'wait'),
    ...call,
    { ...finished, outcome: { type: 'interrupt', interrupts } },
  ];
  const approve = { when: { reason: 'tool_call' }, payload: { approved: true } };

  test('that the document does not answer ends the run, and is reported (O-130)', () => {
    const { acts, warnings = [], isOver, trouble, cutOff } = last(ended);
    expect([acts, isOver, trouble, cutOff]).toEqual([[], true, undefined, undefined]);
    expect(warnings.map(({ code, message }) => [code, message])).toEqual([
      ['O-130', expect.stringContaining('Pay 900 EUR?')],
      ['O-130', expect.stringContaining('input_required')],
    ]);
  });

  const rows: [string, Value, Value][] = [
    [
      'each by its `when`',
      [approve, { status: 'cancelled' }],
      [
        { interruptId: 'i1', status: 'resolved', payload: { approved: true } },
        { interruptId: 'i2', status: 'cancelled' },
      ],
    ],
    ['only some', [approve], [{ interruptId: 'i1', status: 'resolved', payload: { approved: true } }]],
    [
      'in the name of another',
      [{ ...approve, interruptId: 'stolen', metadata: { by: 'nobody' } }],
      [
        {
          interruptId: 'stolen',
          status: 'resolved',
          payload: { approved: true },
          metadata: { by: 'nobody' },
        },
      ],
    ],
    [
      'in any status',
      [{ ...approve, status: 7 }],
      [{ interruptId: 'i1', status: 7, payload: { approved: true } }],
    ],
  ];
  test.each(rows)('is answered by the next run: %s', (_, interrupt_responses, resume) => {
    const [input] = followUps(ended, { interrupt_responses });
    expect(input).toMatchObject({ threadId: 't', runId: 'fresh-1', resume });
    const messages = (input?.messages ?? []) as ValueMap[];
    expect(messages.map(({ id }) => id)).toEqual(['u', 'm', 'c']);
  });
  test('its answer is a piece', () => {
    const [act] = last(ended, { interrupt_responses: [approve, { status: 'cancelled' }] }).acts ?? [];
    expect(act?.resolve?.(asIs).pieces).toEqual(
      expect.arrayContaining(['/interrupt_responses/0', '/interrupt_responses/1']),
    );
  });

  const langGraph = { type: 'CUSTOM', name: 'on_interrupt', value: { question: 'Pay?' } };
  test('of LangGraph’s own kind is none of a frontend tool', () => {
    const { acts, warnings = [] } = last(run(call, [langGraph]));
    expect([acts, warnings.map(({ code }) => code)]).toEqual([[], ['O-130']]);
  });
  test('of LangGraph’s own kind is answered in its own way', () => {
    const input = { ...written, forwardedProps: { theme: 'dark' } };
    const [next] = followUps(run([langGraph]), { interrupt_responses: [{ payload: 'yes' }] }, input);
    expect(next).toMatchObject({ forwardedProps: { theme: 'dark', command: { resume: 'yes' } } });
    expect(next).not.toHaveProperty('resume');
  });
  test('of a draft, which wrote the kind alone', () => {
    const { warnings = [] } = last([started, { ...finished, outcome: 'interrupt', interrupt: { id: 'i' } }]);
    expect(warnings.map(({ code }) => code)).toEqual(['O-130']);
  });
});

describe('whose run it is', () => {
  const foreign = { threadId: 't', runId: 'other' };
  const end = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
  const begin = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
  const rows: [string, ValueMap[], boolean, string | undefined][] = [
    ['ours', [begin, end], true, undefined],
    ['ours, without ids', [{ type: 'RUN_STARTED' }, { type: 'RUN_FINISHED' }], true, undefined],
    ['ours, begun under another id', [...asRunOf(foreign, [begin]), end], true, undefined],
    [
      'ours, ended under another id: over with its stream',
      [begin, ...asRunOf(foreign, [end])],
      false,
      undefined,
    ],
    ['no run was begun', [end], false, 'it ended a run that it had not begun'],
    [
      'another run',
      [...asRunOf(foreign, [begin, end])],
      false,
      'its stream reports another run than the one that was asked for',
    ],
    ['another run, and then ours', [...asRunOf(foreign, [begin, end]), begin, end], true, undefined],
    [
      'another run, and then ours, which breaks off',
      [...asRunOf(foreign, [begin, end]), begin],
      false,
      'the stream ended before the run did',
    ],
    [
      'ours, ended under another id, and begun again',
      [begin, ...asRunOf(foreign, [end]), begin],
      false,
      'the stream ended before the run did',
    ],
    ['an error needs no beginning', [{ type: 'RUN_ERROR', message: 'no' }], true, undefined],
  ];
  test.each(rows)('%s', (_, events, isOver, early) => {
    const reading = last(events);
    expect(reading.isOver ?? false).toBe(isOver);
    if (!isOver) expect(reading.next.end()).toBe(early);
  });
  test('a fault in it is noted', () => {
    expect(last([begin, ...asRunOf(foreign, [end])]).events[0]?.noted).toEqual(expect.any(String));
  });
  test('a frontend tool is answered though the run ended under another id', () => {
    expect(followUps([begin, ...call, ...asRunOf(foreign, [end])])).toHaveLength(1);
  });
});
