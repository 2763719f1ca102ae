import { describe, expect, test } from 'vitest';
import { agUiClient } from '../../../../src/attack/bindings/ag-ui/ag-ui-client-binding.ts';
import type { PartReading, Reader } from '../../../../src/attack/engine/binding.ts';
import type { Value, ValueMap } from '../../../../src/index.ts';
import { asRunOf, finished, run, started, text, toolCall, toolResult } from '../../../support/ag-ui-events.ts';

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
  return (last(events, state, input).acts ?? []).map((act) => (act.resolve?.(asIs) ?? act).content(asIs) as ValueMap);
}

const call = toolCall('c', 'confirm', '{}');
const asked = { id: 'c', role: 'assistant', toolCalls: [{ id: 'c' }] };

describe('AG-UI follow-up, the state', () => {
  const snapshot = (value: Value): ValueMap => ({ type: 'STATE_SNAPSHOT', snapshot: value });
  const delta = (...operations: ValueMap[]): ValueMap => ({ type: 'STATE_DELTA', delta: operations });
  const rows: [string, ValueMap[], Value][] = [
    ['is that of the input without events', [], { cards: [] }],
    ['is that of a snapshot', [snapshot({ cards: ['a'] })], { cards: ['a'] }],
    ['is null after a null snapshot', [snapshot(null)], null],
    ['has a delta applied', [delta({ op: 'add', path: '/cards/-', value: 'b' })], { cards: ['b'] }],
    [
      'has a delta applied to a snapshot',
      [snapshot({ n: 1 }), delta({ op: 'replace', path: '/n', value: 2 })],
      { n: 2 },
    ],
    ['ignores a delta that does not fit', [delta({ op: 'remove', path: '/nobody' })], { cards: [] }],
  ];
  test.each(rows)('%s', (_, events, state) => {
    expect(followUps(run(events, call))[0]?.state).toEqual(state);
  });
  test('has a warning O-131 for a delta that does not fit', () => {
    const { warnings = [] } = last(run([delta({ op: 'remove', path: '/nobody' })], call));
    expect(warnings.map(({ code }) => code)).toEqual(['O-131']);
  });
  test('has a delta applied when the input had no state', () => {
    const { state: _, ...input } = written;
    const events = run([delta({ op: 'add', path: '/x', value: 1 })], call);
    expect(followUps(events, {}, input)[0]?.state).toEqual({ x: 1 });
  });
  test('has a warning O-131 for deltas that double it without end', () => {
    const doubling = Array.from({ length: 40 }, (_, index) => delta({ op: 'copy', from: '', path: `/x${index}` }));
    const { warnings = [] } = last(run(doubling, call));
    expect(new Set(warnings.map(({ code }) => code))).toEqual(new Set(['O-131']));
  });
});

describe('AG-UI follow-up, the messages', () => {
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
    ['are replaced by a snapshot', [snapshot(answered), ...call], [answered, asked]],
    [
      'keep the place of a streamed message that a snapshot repeats',
      [...text('a', 'x'), snapshot({ id: 'n', role: 'user', content: 'new' }, answered), ...call],
      [answered, { id: 'n' }, asked],
    ],
    [
      'keep reasoning when a snapshot has none',
      [...reasoning, snapshot(hello), ...call],
      [hello, { id: 'r1', role: 'reasoning', content: 'hm' }, asked],
    ],
    [
      'have the reasoning of a snapshot in place of the old one',
      [...reasoning, snapshot(hello, { id: 'r2', role: 'reasoning', content: 'hm' }), ...call],
      [hello, { id: 'r2' }, asked],
    ],
    [
      'leave out activities of a snapshot',
      [snapshot(hello, { id: 'x', role: 'activity', activityType: 'PLAN', content: {} }), ...call],
      [hello, asked],
    ],
    [
      'append streamed text to a message of a snapshot',
      [snapshot(hello, answered), ...text('a', ' it is'), ...call],
      [hello, { id: 'a', content: 'so it is' }, asked],
    ],
    ['do not repeat our own words when they are streamed back', [...text('u', 'hello'), ...call], [hello, asked]],
    [
      'keep encrypted values of messages and calls',
      [...reasoning, ...call, encrypted('message', 'r1'), encrypted('tool-call', 'c')],
      [hello, { id: 'r1', encryptedValue: 'opaque' }, { ...asked, toolCalls: [{ id: 'c', encryptedValue: 'opaque' }] }],
    ],
    [
      'keep reasoning that has only an encrypted value',
      [{ type: 'REASONING_MESSAGE_START', messageId: 'r1' }, encrypted('message', 'r1'), ...call],
      [hello, { id: 'r1', content: '', encryptedValue: 'opaque' }, asked],
    ],
    [
      'keep names, metadata and the id of the subagent',
      [
        { type: 'TEXT_MESSAGE_START', messageId: 'm', name: 'ada', subagentRunId: 's', metadata: { a: 1 } },
        { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'hi', metadata: { b: 2 } },
        ...call,
      ],
      [hello, { id: 'm', name: 'ada', subagentRunId: 's', metadata: { a: 1, b: 2 }, content: 'hi' }, asked],
    ],
    [
      'keep metadata of a call',
      [{ type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'confirm', metadata: { a: 1 } }],
      [hello, { ...asked, toolCalls: [{ id: 'c', metadata: { a: 1 } }] }],
    ],
    [
      'keep a result made of parts',
      [...toolCall('own', 'search'), { ...toolResult('own', ''), content: [{ type: 'text', text: 'found' }] }, ...call],
      [hello, { id: 'own' }, { role: 'tool', content: [{ type: 'text', text: 'found' }] }, asked],
    ],
  ];
  test.each(rows)('%s', (_, events, expected) => {
    const messages = followUps(run(events))[0]?.messages as ValueMap[];
    expect(messages).toMatchObject([...expected, { role: 'tool', toolCallId: 'c' }]);
    expect(messages).toHaveLength(expected.length + 1);
  });
  test('do not answer a call that a snapshot shows as answered', () => {
    const result = { id: 't', role: 'tool', toolCallId: 'c', content: 'yes' };
    expect(followUps(run(call, [snapshot(hello, { ...asked }, result)]))).toEqual([]);
  });
  test('do not repeat the resume entries of the input', () => {
    const resume = [{ interruptId: 'i', status: 'resolved' }];
    expect(followUps(run(call), {}, { ...written, resume })[0]).not.toHaveProperty('resume');
  });
});

describe('AG-UI follow-up, the delivered pieces', () => {
  const pieces = (...events: ValueMap[]) => {
    const [act] = last(run(events, call), { tool_responses: [{ content: 'yes' }] }).acts ?? [];
    return act?.resolve?.(asIs).pieces;
  };
  const carried = ['/run_agent_input/tools/*', '/tool_responses/0'];
  test('are all of them if nothing was replaced', () => {
    expect(pieces()).toEqual([
      '/run_agent_input/messages/*',
      '/run_agent_input/tools/*',
      '/run_agent_input/state',
      '/tool_responses/0',
    ]);
  });
  test('leave out messages and state that the agent has replaced', () => {
    expect(pieces({ type: 'MESSAGES_SNAPSHOT', messages: [] }, { type: 'STATE_SNAPSHOT', snapshot: {} })).toEqual(
      carried,
    );
  });
});

describe('AG-UI follow-up, answered calls', () => {
  const ending = (outcome: Value): ValueMap => ({ ...finished, outcome });
  const other = toolCall('d', 'search');
  const rows: [string, ValueMap[], string[]][] = [
    ['answers all calls after a success without a list', [...call, ending({ type: 'success' })], ['c']],
    [
      'answers only the calls that are listed as pending',
      [...call, ...other, ending({ type: 'success', pendingToolCallIds: ['d'] })],
      ['d'],
    ],
    [
      'answers none when the list of pending calls is empty',
      [...call, ending({ type: 'success', pendingToolCallIds: [] })],
      [],
    ],
    [
      'skips a pending call that the agent has answered',
      [...other, toolResult('d', 'x'), ending({ type: 'success', pendingToolCallIds: ['d'] })],
      [],
    ],
    [
      'answers none when the run ends with an interrupt',
      [...call, ending({ type: 'interrupt', interrupts: [{ id: 'i', toolCallId: 'c' }] })],
      [],
    ],
    ['answers none when the run was cancelled', [...call, ending({ type: 'cancelled' })], []],
    ['treats an unknown outcome as a success', [...call, ending({ type: 'splendid' })], ['c']],
  ];
  test.each(rows)('%s', (_, events, expected) => {
    const { acts = [] } = last([started, ...events]);
    const results = acts.flatMap((act) => act.carries?.(act.content(asIs) ?? {}) ?? []);
    expect(results.map(({ content }) => (content as ValueMap).toolCallId)).toEqual(expected);
  });
  test('reports a cancelled run as cut off', () => {
    expect(last([started, ending({ type: 'cancelled' })])).toMatchObject({
      isOver: true,
      cutOff: expect.any(String),
    });
  });
});

describe('AG-UI interrupts', () => {
  const interrupts = [
    { id: 'i1', reason: 'tool_call', toolCallId: 'c', message: 'Pay 900 EUR?' },
    { id: 'i2', reason: 'input_required' },
  ];
  const ended = [started, ...text('m', 'wait'), ...call, { ...finished, outcome: { type: 'interrupt', interrupts } }];
  const approve = { when: { reason: 'tool_call' }, payload: { approved: true } };

  test('end the run with a warning O-130 when the document does not answer them', () => {
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
    ['only some of them', [approve], [{ interruptId: 'i1', status: 'resolved', payload: { approved: true } }]],
    [
      'under the id of another',
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
      'with an invalid status',
      [{ ...approve, status: 7 }],
      [{ interruptId: 'i1', status: 7, payload: { approved: true } }],
    ],
  ];
  test.each(rows)('are answered by the next run: %s', (_, interrupt_responses, resume) => {
    const [input] = followUps(ended, { interrupt_responses });
    expect(input).toMatchObject({ threadId: 't', runId: 'fresh-1', resume });
    const messages = (input?.messages ?? []) as ValueMap[];
    expect(messages.map(({ id }) => id)).toEqual(['u', 'm', 'c']);
  });
  test('have their answers among the delivered pieces', () => {
    const [act] = last(ended, { interrupt_responses: [approve, { status: 'cancelled' }] }).acts ?? [];
    expect(act?.resolve?.(asIs).pieces).toEqual(
      expect.arrayContaining(['/interrupt_responses/0', '/interrupt_responses/1']),
    );
  });

  const langGraph = { type: 'CUSTOM', name: 'on_interrupt', value: { question: 'Pay?' } };
  test('suppress answers to frontend tools when they are LangGraph’s, with a warning O-130', () => {
    const { acts, warnings = [] } = last(run(call, [langGraph]));
    expect([acts, warnings.map(({ code }) => code)]).toEqual([[], ['O-130']]);
  });
  test('are answered in forwardedProps.command when they are LangGraph’s', () => {
    const input = { ...written, forwardedProps: { theme: 'dark' } };
    const [next] = followUps(run([langGraph]), { interrupt_responses: [{ payload: 'yes' }] }, input);
    expect(next).toMatchObject({ forwardedProps: { theme: 'dark', command: { resume: 'yes' } } });
    expect(next).not.toHaveProperty('resume');
  });
  test('get a warning O-130 when they are of a draft version and name only their kind', () => {
    const { warnings = [] } = last([started, { ...finished, outcome: 'interrupt', interrupt: { id: 'i' } }]);
    expect(warnings.map(({ code }) => code)).toEqual(['O-130']);
  });
});

describe('AG-UI reader, the end of our run', () => {
  const foreign = { threadId: 't', runId: 'other' };
  const end = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
  const begin = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
  const rows: [string, ValueMap[], boolean, string | undefined][] = [
    ['is its RUN_FINISHED event', [begin, end], true, undefined],
    ['is an end without an id', [{ type: 'RUN_STARTED' }, { type: 'RUN_FINISHED' }], true, undefined],
    ['is our id even when the run began under another id', [...asRunOf(foreign, [begin]), end], true, undefined],
    [
      'is only the end of the stream when the run ended under another id',
      [begin, ...asRunOf(foreign, [end])],
      false,
      undefined,
    ],
    ['is missing when the run had not begun', [end], false, 'it ended a run that it had not begun'],
    [
      'is missing when only another run ended',
      [...asRunOf(foreign, [begin, end])],
      false,
      'its stream reports another run than the one that was asked for',
    ],
    ['is found after another run ended', [...asRunOf(foreign, [begin, end]), begin, end], true, undefined],
    [
      'is missing when our run breaks off after another run',
      [...asRunOf(foreign, [begin, end]), begin],
      false,
      'the stream ended before the run did',
    ],
    [
      'is missing when our run begins again',
      [begin, ...asRunOf(foreign, [end]), begin],
      false,
      'the stream ended before the run did',
    ],
    ['is an error event without a beginning', [{ type: 'RUN_ERROR', message: 'no' }], true, undefined],
  ];
  test.each(rows)('%s', (_, events, isOver, early) => {
    const reading = last(events);
    expect(reading.isOver ?? false).toBe(isOver);
    if (!isOver) expect(reading.next.end()).toBe(early);
  });
  test('has a note when the run ended under another id', () => {
    expect(last([begin, ...asRunOf(foreign, [end])]).events[0]?.noted).toEqual(expect.any(String));
  });
  test('lets frontend tools be answered when the run ended under another id', () => {
    expect(followUps([begin, ...call, ...asRunOf(foreign, [end])])).toHaveLength(1);
  });
});
