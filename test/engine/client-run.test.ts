import { describe, expect, test } from 'vitest';
import type { NormalizedDocument, Value, ValueMap } from '../../src/index.ts';
import { failed, finished, run, started, text, toolCall, toolResult } from '../support/ag-ui-events.ts';
import { documentWith } from '../support/records.ts';
import { playVirtually, type VirtualRun } from '../support/virtual-run.ts';

/** A state in which the user says something. */
const says = (content: string, more: object = {}) => ({
  run_agent_input: { threadId: 't', runId: content, messages: [{ role: 'user', content }], ...more },
});
const confirm = { name: 'confirm', description: 'ask the user', parameters: {} };
const phased = (...phases: object[]) => documentWith({ execution: { mode: 'ag_ui_client', phases } });
const words = (content = 'hello', ...more: object[]) =>
  phased({ name: 'first', state: says(content) }, ...more);

/** What each call has said last. */
const lastMessages = (virtual: VirtualRun, actor?: string): Value[] =>
  virtual
    .peer(actor)
    .calls()
    .map((input) => ((input as ValueMap).messages as ValueMap[]).at(-1)?.content as Value);

const codes = async (virtual: VirtualRun) => {
  virtual.run.stop();
  return (await virtual.end()).diagnostics.map(({ code }) => code);
};

describe('entry', () => {
  test('a phase submits its input', async () => {
    const virtual = await playVirtually(words());
    expect(virtual.peer().calls()).toMatchObject([
      { threadId: 't', runId: 'hello', messages: [{ role: 'user', content: 'hello' }] },
    ]);
    expect(virtual.messages()).toMatchObject([
      { kind: 'request', origin: 'attacker', method: 'run_agent_input', phase: 'first' },
    ]);
  });
  test('a phase that inherits its state only watches', async () => {
    const virtual = await playVirtually(
      phased({ name: 'first', state: says('hello'), trigger: { event: 'run_started' } }, { name: 'second' }),
    );
    virtual.peer().stream(1, ...run(text('m', 'hi')));
    expect(virtual.phases()).toEqual(['first', 'second']);
    expect(lastMessages(virtual)).toEqual(['hello']);
  });
  test('a phase with a state of its own speaks, even while the run before it goes on', async () => {
    const virtual = await playVirtually(
      phased(
        { name: 'first', state: says('one'), trigger: { event: 'text_message_content' } },
        { name: 'second', state: says('two') },
      ),
    );
    virtual.peer().stream(1, started, ...text('m', 'hi'));
    expect(lastMessages(virtual)).toEqual(['one', 'two']);
  });
  test('entry actions go before the input of the phase, which waits until they are answered', async () => {
    const virtual = await playVirtually(
      phased({
        state: says('hello'),
        on_enter: [
          { send: { method: 'run_agent_input', params: { messages: [{ content: 'first of all' }] } } },
        ],
      }),
    );
    expect(lastMessages(virtual)).toEqual(['first of all']);
    virtual.peer().stream(1, ...run());
    expect(lastMessages(virtual)).toEqual(['first of all', 'hello']);
  });
  test('what an entry action asks is answered before the phase goes on', async () => {
    const virtual = await playVirtually(
      phased({
        state: says('hello'),
        on_enter: [{ send: { method: 'run_agent_input', params: { messages: [{ content: 'before' }] } } }],
      }),
    );
    virtual.peer().stream(1, ...run(toolCall('c', 'confirm')));
    expect(lastMessages(virtual)).toEqual(['before', '']);
    virtual.peer().stream(2, ...run());
    expect(lastMessages(virtual)).toEqual(['before', '', 'hello']);
  });
  test('what a phase had yet to say is over with it', async () => {
    const virtual = await playVirtually(
      phased(
        {
          name: 'first',
          state: says('never said'),
          on_enter: [{ send: { method: 'run_agent_input', params: { messages: [{ content: 'hangs' }] } } }],
          trigger: { after: '5s' },
        },
        { name: 'second', state: says('second') },
      ),
    );
    virtual.clock.advance(5_000);
    virtual.peer().stream(1, ...run());
    expect(lastMessages(virtual)).toEqual(['hangs', 'second']);
  });
});

describe('triggers', () => {
  const spoken = run(text('m', 'a', 'b'), toolCall('c', 'search', '{}'), toolResult('c', 'found'));
  const rows: [string, object, ValueMap[], string[]][] = [
    ['an event', { event: 'run_started' }, spoken, ['first', 'second']],
    ['an event that does not come', { event: 'run_error' }, spoken, ['first']],
    ['count not reached', { event: 'text_message_content', count: 3 }, spoken, ['first']],
    ['count reached', { event: 'text_message_content', count: 2 }, spoken, ['first', 'second']],
    ['match', { event: 'text_message_content', match: { delta: 'b' } }, spoken, ['first', 'second']],
    ['no match', { event: 'text_message_content', match: { delta: 'c' } }, spoken, ['first']],
    [
      'match on the tool’s name, which only its start carries',
      { event: 'tool_call_end', match: { toolCallName: 'search' } },
      spoken,
      ['first', 'second'],
    ],
    ['a result that the agent streams', { event: 'tool_call_result' }, spoken, ['first', 'second']],
    ['our own input', { event: 'run_agent_input' }, [], ['first', 'second']],
    ['our own input, once', { event: 'run_agent_input', count: 2 }, run(), ['first']],
    [
      'our own follow-up',
      { event: 'run_agent_input', count: 2 },
      run(toolCall('c', 'confirm')),
      ['first', 'second'],
    ],
    ['our own result', { event: 'tool_call_result' }, run(toolCall('c', 'confirm')), ['first', 'second']],
    [
      'our own result, by what it says',
      { event: 'tool_call_result', match: { toolCallId: 'c', content: 'sure' } },
      run(toolCall('c', 'confirm')),
      ['first', 'second'],
    ],
    [
      'our own input, by what it says',
      { event: 'run_agent_input', match: { runId: 'other' } },
      run(),
      ['first'],
    ],
  ];
  test.each(rows)('%s', async (_, trigger, events, expected) => {
    const state = { ...says('hello', { tools: [confirm] }), tool_responses: [{ content: 'sure' }] };
    const virtual = await playVirtually(phased({ name: 'first', state, trigger }, { name: 'second' }));
    virtual.peer().stream(1, ...events);
    expect(virtual.phases()).toEqual(expected);
  });

  test('`after` fires without any traffic', async () => {
    const virtual = await playVirtually(
      phased(
        { name: 'first', state: says('one'), trigger: { after: '30s' } },
        { name: 'second', state: says('two') },
      ),
    );
    virtual.clock.advance(29_999);
    expect(lastMessages(virtual)).toEqual(['one']);
    virtual.clock.advance(1);
    expect(lastMessages(virtual)).toEqual(['one', 'two']);
  });
  test('what the agent streams counts in the phase that it comes in, whoever asked for it', async () => {
    const virtual = await playVirtually(
      phased(
        { name: 'first', state: says('one'), trigger: { event: 'run_started' } },
        { name: 'second', trigger: { event: 'run_finished' } },
        { name: 'third' },
      ),
    );
    virtual.peer().stream(1, started);
    expect(virtual.phases()).toEqual(['first', 'second']);
    virtual.peer().stream(1, finished);
    expect(virtual.phases()).toEqual(['first', 'second', 'third']);
    expect(virtual.messages().map(({ method, phase }) => [method, phase])).toEqual([
      ['run_agent_input', 'first'],
      ['run_started', 'first'],
      ['run_finished', 'second'],
    ]);
  });
  test('an event ends one phase only, though our answer to it has ended another', async () => {
    const virtual = await playVirtually(
      phased(
        { name: 'first', state: says('one'), trigger: { event: 'tool_call_result' } },
        { name: 'second', trigger: { event: 'run_finished' } },
        { name: 'third' },
      ),
    );
    virtual.peer().stream(1, ...run(toolCall('c', 'confirm')));
    expect(virtual.phases()).toEqual(['first', 'second']);
    virtual.peer().stream(2, ...run());
    expect(virtual.phases()).toEqual(['first', 'second', 'third']);
  });
});

describe('values', () => {
  test('of events are there for the next phase', async () => {
    const virtual = await playVirtually(
      phased(
        {
          state: says('one'),
          extractors: [{ name: 'code', source: 'response', type: 'regex', selector: 'code (\\d+)' }],
          trigger: { event: 'run_finished' },
        },
        { state: says('you said {{code}}') },
      ),
    );
    virtual.peer().stream(1, ...run(text('m', 'the code 42 it is')));
    expect(lastMessages(virtual)).toEqual(['one', 'you said 42']);
  });
  test('of our inputs are taken as those of a request', async () => {
    const virtual = await playVirtually(
      phased(
        {
          state: says('one'),
          extractors: [
            { name: 'run', source: 'request', type: 'json_path', selector: '$.runId' },
            { name: 'none', source: 'response', type: 'json_path', selector: '$.messages' },
          ],
          trigger: { event: 'run_finished' },
        },
        { state: says('{{run}}{{none}}') },
      ),
    );
    virtual.peer().stream(1, ...run());
    expect(lastMessages(virtual)).toEqual(['one', 'one']);
  });
  test('cross to another actor’s input, as new as when it goes out', async () => {
    const actor = (name: string, ...phases: object[]) => ({ name, mode: 'ag_ui_client', phases });
    const virtual = await playVirtually(
      documentWith({
        execution: {
          actors: [
            actor('reader', {
              state: says('read'),
              extractors: [{ name: 'secret', source: 'response', type: 'json_path', selector: '$.delta' }],
            }),
            actor(
              'sender',
              { state: says('wait'), trigger: { event: 'run_finished' } },
              { state: says('send {{reader.secret}}') },
            ),
          ],
        },
      }),
    );
    virtual.peer('reader').stream(1, ...run(text('m', 's3cret')));
    virtual.peer('sender').stream(1, ...run());
    expect(lastMessages(virtual, 'sender')).toEqual(['wait', 'send s3cret']);
  });
  test('cross from a server to a client’s answer', async () => {
    const virtual = await playVirtually(
      documentWith({
        execution: {
          actors: [
            {
              name: 'tools',
              mode: 'mcp_server',
              phases: [
                {
                  state: { tools: [] },
                  extractors: [
                    { name: 'path', source: 'request', type: 'json_path', selector: '$.arguments.path' },
                  ],
                },
              ],
            },
            {
              name: 'user',
              mode: 'ag_ui_client',
              phases: [{ state: { ...says('hi'), tool_responses: [{ content: 'use {{tools.path}}' }] } }],
            },
          ],
        },
      }),
    );
    virtual.peer('user').stream(1, started, ...toolCall('c', 'confirm'));
    virtual.peer('tools').request('tools/call', { name: 'a', arguments: { path: '/etc' } });
    virtual.peer('user').stream(1, finished);
    expect(lastMessages(virtual, 'user')).toEqual(['hi', 'use /etc']);
  });
  test('are not taken from an answer that nobody has asked for, which is recorded', async () => {
    const virtual = await playVirtually(
      phased(
        {
          state: says('one'),
          extractors: [{ name: 'code', source: 'response', type: 'json_path', selector: '$.code' }],
          trigger: { event: 'run_finished' },
        },
        { state: says('got [{{code}}]') },
      ),
    );
    virtual.peer().reply('nobody', { code: 42 });
    virtual.peer().stream(1, ...run());
    expect(lastMessages(virtual)).toEqual(['one', 'got []']);
    expect(virtual.messages()).toMatchObject([
      {},
      { kind: 'response', method: 'unknown', content: { code: 42 } },
      {},
      {},
      {},
    ]);
  });
  test('what the agent says is never a template', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().stream(1, ...run(text('m', '{{run}}'), toolCall('c', 'confirm', '{{run}}')));
    expect(JSON.stringify(virtual.peer().calls()[1])).toContain('"arguments":"{{run}}"');
    expect(await codes(virtual)).toEqual([]);
  });
});

describe('a run that is cut off', () => {
  const closed = (virtual: VirtualRun) =>
    virtual.records.flatMap((record) =>
      record.kind === 'connection' && 'reason' in record ? record.reason : [],
    );

  test('between two phases: what was left to say is told', async () => {
    const virtual = await playVirtually(
      phased({ state: says('one'), trigger: { after: '1m' } }, { state: says('two') }),
      { sessionMs: 1_000 },
    );
    virtual.peer().stream(1, ...run());
    virtual.peer().hangUp(1);
    await virtual.end();
    expect(closed(virtual)).toEqual([expect.stringContaining('1 s')]);
  });
  test('after its last word: nothing is missing', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().stream(1, ...run());
    virtual.peer().hangUp(1);
    await virtual.end();
    expect(closed(virtual)).toEqual([]);
  });
});

describe('follow-ups', () => {
  const asked = (tool_responses?: object[]) =>
    phased({ state: { ...says('hello', { tools: [confirm] }), ...(tool_responses && { tool_responses }) } });

  test('carry the history, the call and its result, in a run of its own on the same thread', async () => {
    const virtual = await playVirtually(asked([{ content: 'yes' }]));
    virtual.peer().stream(1, ...run(text('m', 'let me ', 'ask'), toolCall('c', 'confirm', '{"a"', ':1}')));
    expect(virtual.peer().calls()[1]).toMatchObject({
      threadId: 't',
      runId: expect.stringMatching(/^id-/),
      tools: [confirm],
      messages: [
        { role: 'user', content: 'hello' },
        { id: 'm', role: 'assistant', content: 'let me ask' },
        {
          id: 'c',
          role: 'assistant',
          toolCalls: [{ id: 'c', type: 'function', function: { name: 'confirm', arguments: '{"a":1}' } }],
        },
        { id: expect.stringMatching(/^id-/), role: 'tool', toolCallId: 'c', content: 'yes' },
      ],
    });
  });
  test('are recorded as the result that they carry, and the input that carries it', async () => {
    const virtual = await playVirtually(asked([{ content: 'yes' }]));
    virtual.peer().stream(1, ...run(toolCall('c', 'confirm')));
    expect(virtual.messages().slice(-2)).toMatchObject([
      {
        kind: 'event',
        origin: 'attacker',
        method: 'tool_call_result',
        content: { type: 'TOOL_CALL_RESULT', toolCallId: 'c', content: 'yes', role: 'tool' },
      },
      { kind: 'request', origin: 'attacker', method: 'run_agent_input' },
    ]);
  });

  const rows: [string, object[] | undefined, Value][] = [
    ['no `tool_responses`: an empty result', undefined, ''],
    ['nothing that holds: an empty result', [{ when: { toolCallName: 'other' }, content: 'x' }], ''],
    ['an entry without content: an empty result', [{}], ''],
    [
      'the first that holds',
      [
        { when: { toolCallName: 'other' }, content: 'x' },
        { when: { toolCallName: 'confirm' }, content: 'yes' },
        { content: 'else' },
      ],
      'yes',
    ],
    [
      'else the one without `when`',
      [{ content: 'else' }, { when: { toolCallName: 'other' }, content: 'x' }],
      'else',
    ],
    ['`when` on any field of the start', [{ when: { toolCallId: 'c' }, content: 'by id' }], 'by id'],
    ['a template of the call', [{ content: '{{request.toolCallName}} {{request.toolCallId}}' }], 'confirm c'],
    ['what is no text goes out as it is', [{ content: [{ odd: null }] }], [{ odd: null }]],
    ['null is a value', [{ content: null }], null],
    ['`synthesize` falls back to content', [{ synthesize: { prompt: 'x' }, content: 'written' }], 'written'],
  ];
  test.each(rows)('%s', async (_, responses, expected) => {
    const virtual = await playVirtually(asked(responses));
    virtual.peer().stream(1, ...run(toolCall('c', 'confirm')));
    expect(lastMessages(virtual)).toEqual(['hello', expected]);
  });

  test('`synthesize` warns (W-006)', async () => {
    const virtual = await playVirtually(asked([{ synthesize: { prompt: 'x' } }]));
    virtual.peer().stream(1, ...run(toolCall('c', 'confirm')));
    expect(await codes(virtual)).toEqual(['W-006']);
  });
  test('one run answers all calls, in their order', async () => {
    const virtual = await playVirtually(asked([{ content: '{{request.toolCallId}}' }]));
    virtual.peer().stream(1, ...run(toolCall('a', 'confirm'), toolCall('b', 'confirm')));
    const messages = (virtual.peer().calls()[1] as ValueMap).messages as ValueMap[];
    expect(messages.slice(-2)).toMatchObject([
      { toolCallId: 'a', content: 'a' },
      { toolCallId: 'b', content: 'b' },
    ]);
    expect(virtual.peer().calls()).toHaveLength(2);
  });
  test('say what was recorded, whatever has been extracted from it meanwhile', async () => {
    const virtual = await playVirtually(
      phased({
        state: { ...says('hello'), tool_responses: [{ content: 'had [{{last}}]' }] },
        extractors: [{ name: 'last', source: 'response', type: 'json_path', selector: '$.content' }],
      }),
    );
    virtual.peer().stream(1, ...run(toolCall('c', 'confirm')));
    expect(lastMessages(virtual)[1]).toBe('had []');
  });
  test('answer a stream once, though it says twice that its run is finished', async () => {
    const virtual = await playVirtually(asked());
    virtual.peer().stream(1, ...run(toolCall('c', 'confirm')), finished);
    virtual.peer().stream(2, ...run());
    expect(virtual.peer().calls()).toHaveLength(2);
  });
  test('carry what was answered before', async () => {
    const virtual = await playVirtually(asked([{ content: '{{request.toolCallId}}' }]));
    virtual.peer().stream(1, ...run(toolCall('a', 'confirm')));
    virtual.peer().stream(2, ...run(toolCall('b', 'confirm')));
    const messages = (virtual.peer().calls()[2] as ValueMap).messages as ValueMap[];
    expect(messages.map(({ role, toolCallId }) => [role, toolCallId])).toEqual([
      ['user', undefined],
      ['assistant', undefined],
      ['tool', 'a'],
      ['assistant', undefined],
      ['tool', 'b'],
    ]);
  });
  test('are none after an error', async () => {
    const virtual = await playVirtually(asked());
    virtual.peer().stream(1, started, ...toolCall('c', 'confirm'), failed, finished);
    expect(virtual.peer().calls()).toHaveLength(1);
  });
  test('are none when the stream ends before the run does', async () => {
    const virtual = await playVirtually(asked());
    virtual.peer().stream(1, started, ...toolCall('c', 'confirm'));
    virtual.peer().hangUp(1);
    expect(virtual.peer().calls()).toHaveLength(1);
  });
  test('are bounded (O-106)', async () => {
    const virtual = await playVirtually(asked());
    for (let call = 1; call <= virtual.peer().calls().length; call++) {
      virtual.peer().stream(call, ...run(toolCall(`c${call}`, 'confirm')));
      virtual.peer().hangUp(call);
    }
    expect(virtual.peer().calls()).toHaveLength(26);
    expect(await virtual.end()).toMatchObject({ reason: 'finished', diagnostics: [{ code: 'O-106' }] });
  });
  test('the next phase’s input waits for one that is owed', async () => {
    const virtual = await playVirtually(
      phased(
        { state: says('one', { tools: [confirm] }), trigger: { event: 'run_finished' } },
        { state: says('two') },
      ),
    );
    virtual.peer().stream(1, ...run(toolCall('a', 'confirm')));
    expect(lastMessages(virtual)).toEqual(['one', '']);
    virtual.peer().stream(2, ...run());
    expect(lastMessages(virtual)).toEqual(['one', '', 'two']);
  });
  test('… and what ends that one does not end a phase that has not yet spoken', async () => {
    const state = (content: string) => says(content, { tools: [confirm] });
    const onFinish = { trigger: { event: 'run_finished' } };
    const virtual = await playVirtually(
      phased(
        { name: 'first', state: state('one'), ...onFinish },
        { name: 'second', state: state('two'), ...onFinish },
        { name: 'third', state: state('three') },
      ),
    );
    virtual.peer().stream(1, ...run(toolCall('c', 'confirm')));
    virtual.peer().stream(2, ...run(text('m', 'confirmed')));
    expect([lastMessages(virtual), virtual.phases()]).toEqual([
      ['one', '', 'two'],
      ['first', 'second'],
    ]);
  });
  test('an entry action and the input of its phase both count in it', async () => {
    const send = { send: { method: 'run_agent_input', params: { messages: [{ content: 'zero' }] } } };
    const virtual = await playVirtually(
      phased(
        { name: 'first', state: says('one'), on_enter: [send], trigger: { event: 'run_finished', count: 2 } },
        { name: 'second', state: says('two') },
      ),
    );
    virtual.peer().stream(1, ...run());
    virtual.peer().stream(2, ...run());
    expect(lastMessages(virtual)).toEqual(['zero', 'one', 'two']);
  });
  test('… and for the one that follows from it', async () => {
    const virtual = await playVirtually(
      phased(
        {
          state: {
            ...says('one', { tools: [confirm] }),
            tool_responses: [{ content: '{{request.toolCallId}}' }],
          },
          trigger: { event: 'run_finished' },
        },
        { state: says('two') },
      ),
    );
    virtual.peer().stream(1, ...run(toolCall('a', 'confirm')));
    virtual.peer().stream(2, ...run(toolCall('b', 'confirm')));
    expect(lastMessages(virtual)).toEqual(['one', 'a', 'b']);
    virtual.peer().stream(3, ...run());
    expect(lastMessages(virtual)).toEqual(['one', 'a', 'b', 'two']);
  });
  test('one that breaks off does not hold the next phase back', async () => {
    const virtual = await playVirtually(
      phased(
        { state: says('one', { tools: [confirm] }), trigger: { event: 'run_finished' } },
        { state: says('two') },
      ),
    );
    virtual.peer().stream(1, ...run(toolCall('a', 'confirm')));
    virtual.peer().hangUp(2, 'its stream broke off');
    expect(lastMessages(virtual)).toEqual(['one', '', 'two']);
  });
});

// What takes more than linear time does not come to an end within the time that a test has.
describe('a flood costs no more than it is long', () => {
  const rows: [string, (index: number) => ValueMap[]][] = [
    ['of ends', () => [finished]],
    ['of calls', (index) => [{ type: 'TOOL_CALL_START', toolCallId: `c${index}`, toolCallName: 'confirm' }]],
    ['of calls and ends', (index) => [...toolCall(`c${index}`, 'confirm'), finished]],
  ];
  test.each(rows)('%s', async (_, some) => {
    const virtual = await playVirtually(words());
    for (let index = 0; index < 40_000; index++) virtual.peer().stream(1, ...some(index));
    virtual.peer().stream(1, finished);
    expect(virtual.messages().filter(({ origin }) => origin === 'agent').length).toBeGreaterThanOrEqual(
      40_001,
    );
  });
});

describe('the end', () => {
  const trouble = (virtual: VirtualRun) =>
    virtual.records.flatMap((record) =>
      record.kind === 'connection' && 'reason' in record ? `${record.cause}: ${record.reason}` : [],
    );
  const patient = (document: NormalizedDocument, gracePeriod: string): NormalizedDocument => ({
    ...document,
    attack: { ...document.attack, gracePeriod },
  });

  test('when the stream of the terminal phase is over', async () => {
    const virtual = await playVirtually(words());
    virtual.clock.advance(5_000);
    virtual.peer().stream(1, ...run(text('m', 'hi')));
    virtual.peer().hangUp(1);
    expect((await virtual.end()).reason).toBe('finished');
    expect(virtual.clock.now()).toBeLessThanOrEqual(7_000);
    expect(virtual.peer().closed).toBe(true);
    expect(trouble(virtual)).toEqual([]);
  });
  test('… or its run is, a second later, where the agent keeps the stream open', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().stream(1, ...run());
    virtual.clock.advance(999);
    await Promise.resolve();
    expect(virtual.peer().closed).toBe(false);
    virtual.clock.advance(1);
    await Promise.resolve();
    expect(virtual.peer().closed).toBe(true);
    expect((await virtual.end()).reason).toBe('finished');
    expect(trouble(virtual)).toEqual([]);
  });
  test('… which begins anew with all that still comes', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().stream(1, ...run());
    for (let second = 0; second < 5; second++) {
      virtual.clock.advance(900);
      virtual.peer().stream(1, ...text(`late ${second}`, 'more'));
    }
    await virtual.end();
    expect(virtual.messages().at(-1)).toMatchObject({ content: { messageId: 'late 4' } });
  });
  test('after the grace period of the document, in which more may come', async () => {
    const virtual = await playVirtually(patient(words(), '30s'));
    virtual.peer().stream(1, ...run());
    virtual.peer().hangUp(1);
    virtual.clock.advance(29_000);
    await Promise.resolve();
    expect(virtual.peer().closed).toBe(false);
    await virtual.end();
    expect(virtual.clock.now()).toBeLessThanOrEqual(32_000);
  });
  test('not before every client is done', async () => {
    const actor = (name: string) => ({ name, mode: 'ag_ui_client', phases: [{ state: says(name) }] });
    const virtual = await playVirtually(
      documentWith({ execution: { actors: [actor('quick'), actor('slow')] } }),
    );
    virtual.peer('quick').stream(1, ...run());
    virtual.peer('quick').hangUp(1);
    virtual.clock.advance(20_000);
    await Promise.resolve();
    expect(virtual.peer('quick').closed).toBe(false);
    virtual.peer('slow').stream(1, ...run());
    virtual.peer('slow').hangUp(1);
    expect((await virtual.end()).reason).toBe('finished');
  });
  test('not while a phase waits for its time', async () => {
    const virtual = await playVirtually(
      phased({ state: says('one'), trigger: { event: 'run_error', after: '60s' } }, { state: says('two') }),
    );
    virtual.peer().stream(1, ...run());
    virtual.peer().hangUp(1);
    virtual.clock.advance(60_000);
    expect(lastMessages(virtual)).toEqual(['one', 'two']);
  });
  test('when nothing is left that could end a phase', async () => {
    const virtual = await playVirtually(
      phased({ state: says('one'), trigger: { event: 'run_error' } }, { state: says('two') }),
    );
    virtual.peer().stream(1, ...run());
    virtual.peer().hangUp(1);
    expect((await virtual.end()).reason).toBe('finished');
    expect(virtual.clock.now()).toBeLessThanOrEqual(2_000);
  });
  test('a stream that hangs is cut at the session limit, and the records say so', async () => {
    const virtual = await playVirtually(words(), { sessionMs: 10_000 });
    virtual.peer().stream(1, started, ...text('m', 'hi'));
    expect((await virtual.end()).reason).toBe('session_limit');
    expect(trouble(virtual)).toEqual([expect.stringMatching(/^cut_off: .* 10 s /)]);
    expect(virtual.peer().closed).toBe(true);
  });
  test('an agent that never answers is cut at the session limit, too', async () => {
    const virtual = await playVirtually(words(), { sessionMs: 10_000 });
    expect((await virtual.end()).reason).toBe('session_limit');
    expect(trouble(virtual)).toHaveLength(1);
  });
  test('the end of a stream that nobody has asked for is recorded as it is told', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().deliver({ kind: 'end', session: 's9', ask: 'nobody', reason: 'gone' });
    expect(virtual.records.at(-1)).toMatchObject({ kind: 'connection', session: 's9', reason: 'gone' });
  });
  test('a stream that ends before its run is trouble', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().stream(1, started);
    virtual.peer().hangUp(1);
    expect((await virtual.end()).reason).toBe('finished');
    expect(trouble(virtual)).toEqual(['cut_off: the stream ended before the run did']);
  });
  test('… and so is one that breaks off, for the reason that it has', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().stream(1, started);
    virtual.peer().hangUp(1, 'its stream broke off');
    await virtual.end();
    expect(trouble(virtual)).toEqual(['cut_off: its stream broke off']);
  });
  test('one that breaks off after its run is none', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().stream(1, ...run());
    virtual.peer().hangUp(1, 'its stream broke off');
    await virtual.end();
    expect(trouble(virtual)).toEqual([]);
  });
  test('an answer that is too long to be carried on is trouble, though its run is over', async () => {
    const virtual = await playVirtually(words());
    const long = 'x'.repeat(1024 * 1024);
    virtual.peer().stream(1, ...run(text('m', long), toolCall('c', 'confirm')));
    virtual.peer().hangUp(1);
    expect(lastMessages(virtual)).toEqual(['hello']);
    expect(trouble(virtual)).toEqual([expect.stringMatching(/^trouble: .* 1048576 characters/)]);
  });
  test('… for the reason that came first, where a part of it cannot be read either', async () => {
    const virtual = await playVirtually(words());
    const long = 'x'.repeat(1024 * 1024);
    virtual.peer().stream(1, { odd: true }, ...run(text('m', long), toolCall('c', 'confirm')));
    virtual.peer().hangUp(1);
    expect(trouble(virtual)).toEqual([expect.stringMatching(/^unread: .* cannot be read/)]);
  });
  test('what cannot be read of an answer is trouble', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().stream(1, started);
    virtual
      .peer()
      .deliver({ kind: 'malformed', session: 's1', ask: 'default-1', raw: '', reason: 'not valid UTF-8' });
    virtual.peer().stream(1, finished);
    virtual.peer().hangUp(1);
    await virtual.end();
    expect(trouble(virtual)).toEqual([expect.stringMatching(/^unread: .* not valid UTF-8/)]);
  });
  test('… also where the stream stays open', async () => {
    const virtual = await playVirtually(words());
    virtual
      .peer()
      .deliver({ kind: 'malformed', session: 's1', ask: 'default-1', raw: '', reason: 'not valid UTF-8' });
    virtual.peer().stream(1, ...run());
    await virtual.end();
    expect(trouble(virtual)).toEqual([expect.stringMatching(/^unread: .* not valid UTF-8/)]);
  });
  test('… but not behind the end of its run', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().stream(1, ...run());
    virtual
      .peer()
      .deliver({ kind: 'malformed', session: 's1', ask: 'default-1', raw: '', reason: 'not valid JSON' });
    virtual.peer().hangUp(1);
    await virtual.end();
    expect(trouble(virtual)).toEqual([]);
  });
  test('a flood is cut short, and the records say so', async () => {
    const virtual = await playVirtually(words(), { records: 50 });
    virtual.peer().stream(1, started, ...Array.from({ length: 100 }, () => text('m', 'x')).flat());
    expect((await virtual.end()).reason).toBe('flood');
    expect(trouble(virtual)).toEqual([expect.stringMatching(/^cut_off: .* 50 /)]);
    expect(virtual.peer().closed).toBe(true);
  });
  test('a caller who stops', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().stream(1, started);
    virtual.run.stop();
    expect((await virtual.end()).reason).toBe('stopped');
    expect(trouble(virtual)).toHaveLength(1);
  });
});

describe('readiness (§5.1)', () => {
  const both = documentWith({
    execution: {
      actors: [
        { name: 'user', mode: 'ag_ui_client', phases: [{ state: says('hello') }] },
        { name: 'tools', mode: 'mcp_server', phases: [{ state: { tools: [] } }] },
      ],
    },
  });

  test.each([
    ['that it has not visited', 'never', true, 0, false],
    ['where its session goes on', 'visited', true, 1, false],
    ['whose sessions it has ended', 'visited', true, 0, true],
    ['that knows no sessions', 'visited', false, 0, false],
  ])('an agent with a server %s', async (_, visit, hasSessions, sessions, isOver) => {
    const virtual = await playVirtually(both);
    if (visit === 'visited') virtual.peer('tools').request('tools/list');
    Object.assign(virtual.peer('tools'), { hasSessions, sessions });
    virtual.peer('user').stream(1, ...run());
    virtual.peer('user').hangUp(1);
    virtual.clock.advance(1_999);
    await Promise.resolve();
    expect(virtual.peer('user').closed).toBe(isOver);
    virtual.clock.advance(1);
    await Promise.resolve();
    expect(virtual.peer('user').closed).toBe(true);
  });
  test('servers are open when the agent is launched, and no client has spoken', async () => {
    let seen: unknown;
    const virtual: VirtualRun = await playVirtually(
      both,
      {},
      {
        launch: async (endpoints) => {
          seen = [...endpoints.keys()];
          return 'launched';
        },
      },
    );
    expect(seen).toEqual(['tools']);
    expect(virtual.records.map(({ kind, actor }) => [kind, actor])).toEqual([
      ['phase', 'tools'],
      ['phase', 'user'],
      ['request', 'user'],
    ]);
  });
  test('a launch that is stopped is a stopped run, in which nothing was said', async () => {
    const virtual = await playVirtually(both, {}, { launch: async () => 'stopped' });
    expect(await virtual.end()).toMatchObject({ reason: 'stopped' });
    expect(virtual.messages()).toEqual([]);
    expect(virtual.peer('tools').closed).toBe(true);
  });
  test('a launch that fails is a failed run; everything is closed and nothing was said', async () => {
    const virtual = await playVirtually(
      both,
      {},
      { launch: () => Promise.reject(new Error('no such agent')) },
    );
    expect(await virtual.end()).toMatchObject({
      reason: 'failed',
      trouble: expect.stringContaining('no such agent'),
    });
    expect(['tools', 'user'].map((name) => virtual.peer(name).closed)).toEqual([true, true]);
    expect(virtual.peer('user').sent).toEqual([]);
  });
});
