import { describe, expect, test } from 'vitest';
import type { ValueMap } from '../../../src/index.ts';
import { finished, run, started, text, toolCall, toolResult } from '../../support/ag-ui-events.ts';
import { codes, confirm, lastMessages, phased, says, words } from '../../support/ag-ui-user.ts';
import { documentWith } from '../../support/records.ts';
import { playVirtually } from '../../support/virtual-run.ts';

describe('the entry into a phase of an AG-UI client', () => {
  test('submits the input of the phase', async () => {
    const virtual = await playVirtually(words());
    expect(virtual.peer().calls()).toMatchObject([
      { threadId: 't', runId: 'hello', messages: [{ role: 'user', content: 'hello' }] },
    ]);
    expect(virtual.messages()).toMatchObject([
      { kind: 'request', origin: 'attacker', method: 'run_agent_input', phase: 'first' },
    ]);
  });
  test('submits nothing if the phase inherits its state', async () => {
    const virtual = await playVirtually(
      phased({ name: 'first', state: says('hello'), trigger: { event: 'run_started' } }, { name: 'second' }),
    );
    virtual.peer().stream(1, ...run(text('m', 'hi')));
    expect(virtual.phases()).toEqual(['first', 'second']);
    expect(lastMessages(virtual)).toEqual(['hello']);
  });
  test('submits the input of the phase even while an earlier run goes on', async () => {
    const virtual = await playVirtually(
      phased(
        { name: 'first', state: says('one'), trigger: { event: 'text_message_content' } },
        { name: 'second', state: says('two') },
      ),
    );
    virtual.peer().stream(1, started, ...text('m', 'hi'));
    expect(lastMessages(virtual)).toEqual(['one', 'two']);
  });
  test('submits the input of the phase after its entry actions are answered', async () => {
    const virtual = await playVirtually(
      phased({
        state: says('hello'),
        on_enter: [{ send: { method: 'run_agent_input', params: { messages: [{ content: 'first of all' }] } } }],
      }),
    );
    expect(lastMessages(virtual)).toEqual(['first of all']);
    virtual.peer().stream(1, ...run());
    expect(lastMessages(virtual)).toEqual(['first of all', 'hello']);
  });
  test('follows up the run of an entry action before the input of the phase', async () => {
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
  test.each<[string, object, ValueMap]>([
    ['custom', { params: { name: 'x', value: 1 } }, { type: 'CUSTOM', name: 'x', value: 1 }],
    ['CUSTOM', { params: { name: 'x' } }, { type: 'CUSTOM', name: 'x' }],
    ['tool_call_result', { params: { toolCallId: 'c' } }, { type: 'TOOL_CALL_RESULT', toolCallId: 'c' }],
    ['notifications/odd', {}, { type: 'notifications/odd' }],
    ['custom', { params: { type: 'RAW' } }, { type: 'RAW' }],
    ['custom', { params: ['x'] }, { type: 'CUSTOM', value: ['x'] }],
    ['run_agent_input', { params: { messages: [] } }, { messages: [] }],
  ])('sends an entry action %s with %j as %j, and records its method', async (method, more, sent) => {
    const virtual = await playVirtually(phased({ state: says('hello'), on_enter: [{ send: { method, ...more } }] }));
    expect(virtual.peer().calls()).toEqual([sent]);
    expect(virtual.messages()).toMatchObject([{ kind: 'request', origin: 'attacker', method, content: sent }]);
  });
  test('answers the calls of a run that follows an event, without its type', async () => {
    const send = { method: 'custom', params: { threadId: 't', name: 'x' } };
    const virtual = await playVirtually(phased({ state: says('hello'), on_enter: [{ send }] }));
    virtual.peer().stream(1, ...run(toolCall('c', 'confirm')));
    const [, followUp] = virtual.peer().calls();
    expect(followUp).toMatchObject({ threadId: 't', name: 'x', messages: [{}, { role: 'tool' }] });
    expect(followUp).not.toHaveProperty('type');
  });
  test('drops the remaining actions of a phase that ends', async () => {
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

describe('a trigger of an AG-UI client', () => {
  const spoken = run(text('m', 'a', 'b'), toolCall('c', 'search', '{}'), toolResult('c', 'found'));
  const rows: [string, object, ValueMap[], string[]][] = [
    ['an event that comes', { event: 'run_started' }, spoken, ['first', 'second']],
    ['an event that does not come', { event: 'run_error' }, spoken, ['first']],
    ['a count that is not reached', { event: 'text_message_content', count: 3 }, spoken, ['first']],
    ['a count that is reached', { event: 'text_message_content', count: 2 }, spoken, ['first', 'second']],
    ['an event that matches', { event: 'text_message_content', match: { delta: 'b' } }, spoken, ['first', 'second']],
    ['an event that does not match', { event: 'text_message_content', match: { delta: 'c' } }, spoken, ['first']],
    [
      'the end of a call, matched by the tool name of its start',
      { event: 'tool_call_end', match: { toolCallName: 'search' } },
      spoken,
      ['first', 'second'],
    ],
    ['a result that the agent streams', { event: 'tool_call_result' }, spoken, ['first', 'second']],
    ['our own input', { event: 'run_agent_input' }, [], ['first', 'second']],
    ['our own input with a count of two', { event: 'run_agent_input', count: 2 }, run(), ['first']],
    ['our own follow-up', { event: 'run_agent_input', count: 2 }, run(toolCall('c', 'confirm')), ['first', 'second']],
    ['our own result', { event: 'tool_call_result' }, run(toolCall('c', 'confirm')), ['first', 'second']],
    [
      'our own result, matched by its content',
      { event: 'tool_call_result', match: { toolCallId: 'c', content: 'sure' } },
      run(toolCall('c', 'confirm')),
      ['first', 'second'],
    ],
    ['our own input that does not match', { event: 'run_agent_input', match: { runId: 'other' } }, run(), ['first']],
  ];
  test.each(rows)('leads to the phases $3 by %s', async (_, trigger, events, expected) => {
    const state = { ...says('hello', { tools: [confirm] }), tool_responses: [{ content: 'sure' }] };
    const virtual = await playVirtually(phased({ name: 'first', state, trigger }, { name: 'second' }));
    virtual.peer().stream(1, ...events);
    expect(virtual.phases()).toEqual(expected);
  });

  test('fires by `after` without any traffic', async () => {
    const virtual = await playVirtually(
      phased({ name: 'first', state: says('one'), trigger: { after: '30s' } }, { name: 'second', state: says('two') }),
    );
    virtual.clock.advance(29_999);
    expect(lastMessages(virtual)).toEqual(['one']);
    virtual.clock.advance(1);
    expect(lastMessages(virtual)).toEqual(['one', 'two']);
  });
  test('counts an event in the phase in which it comes', async () => {
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
  test('ends only one phase by an event whose answer ended another', async () => {
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

describe('an AG-UI client, filling in extracted values', () => {
  test('uses values of events in the next phase', async () => {
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
  test('extracts from our own inputs as from a request', async () => {
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
  test('uses values of one actor in the input of another', async () => {
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
  test('uses values of a server in the follow-up of a client', async () => {
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
                  extractors: [{ name: 'path', source: 'request', type: 'json_path', selector: '$.arguments.path' }],
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
  test('extracts nothing from an unrequested answer, but records it', async () => {
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
  test('fills nothing into text of the agent', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().stream(1, ...run(text('m', '{{run}}'), toolCall('c', 'confirm', '{{run}}')));
    expect(JSON.stringify(virtual.peer().calls()[1])).toContain('"arguments":"{{run}}"');
    expect(await codes(virtual)).toEqual([]);
  });
});

// Code that takes more than linear time does not finish within the time limit of the test.
describe('an AG-UI client, under a flood', () => {
  const rows: [string, (index: number) => ValueMap[]][] = [
    ['RUN_FINISHED events', () => [finished]],
    ['tool calls', (index) => [{ type: 'TOOL_CALL_START', toolCallId: `c${index}`, toolCallName: 'confirm' }]],
    ['tool calls, each with a RUN_FINISHED event', (index) => [...toolCall(`c${index}`, 'confirm'), finished]],
  ];
  test.each(rows)('takes 40000 %s in linear time', async (_, some) => {
    const virtual = await playVirtually(words());
    for (let index = 0; index < 40_000; index++) virtual.peer().stream(1, ...some(index));
    virtual.peer().stream(1, finished);
    expect(virtual.messages().filter(({ origin }) => origin === 'agent').length).toBeGreaterThanOrEqual(40_001);
  });
});
