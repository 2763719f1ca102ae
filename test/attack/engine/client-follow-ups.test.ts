import { describe, expect, test } from 'vitest';
import type { Value, ValueMap } from '../../../src/index.ts';
import { failed, finished, run, started, text, toolCall } from '../../support/ag-ui-events.ts';
import { codes, confirm, lastMessages, phased, says } from '../../support/ag-ui-user.ts';
import { playVirtually } from '../../support/virtual-run.ts';

describe('follow-up runs of an AG-UI client', () => {
  const asked = (tool_responses?: object[]) =>
    phased({ state: { ...says('hello', { tools: [confirm] }), ...(tool_responses && { tool_responses }) } });

  test('carry the history, the tool call and its result in a new run on the same thread', async () => {
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
  test('are recorded as a tool_call_result and the input that carries it', async () => {
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
    ['an empty result without `tool_responses`', undefined, ''],
    ['an empty result if no `when` holds', [{ when: { toolCallName: 'other' }, content: 'x' }], ''],
    ['an empty result for an entry without content', [{}], ''],
    [
      'the first entry whose `when` holds',
      [
        { when: { toolCallName: 'other' }, content: 'x' },
        { when: { toolCallName: 'confirm' }, content: 'yes' },
        { content: 'else' },
      ],
      'yes',
    ],
    [
      'the entry without `when` if no other holds',
      [{ content: 'else' }, { when: { toolCallName: 'other' }, content: 'x' }],
      'else',
    ],
    [
      'an entry with a `when` about any field of TOOL_CALL_START',
      [{ when: { toolCallId: 'c' }, content: 'by id' }],
      'by id',
    ],
    [
      'a content with a template of the call',
      [{ content: '{{request.toolCallName}} {{request.toolCallId}}' }],
      'confirm c',
    ],
    ['a content that is not a text, as it is', [{ content: [{ odd: null }] }], [{ odd: null }]],
    ['null as a content', [{ content: null }], null],
    ['the content instead of `synthesize`', [{ synthesize: { prompt: 'x' }, content: 'written' }], 'written'],
  ];
  test.each(rows)('carry %s', async (_, responses, expected) => {
    const virtual = await playVirtually(asked(responses));
    virtual.peer().stream(1, ...run(toolCall('c', 'confirm')));
    expect(lastMessages(virtual)).toEqual(['hello', expected]);
  });

  const given = { messageId: 'forged-1', toolCallId: 'forged-2', content: 'yes' };
  test.each<[string, Value, ValueMap]>([
    ['with forged ids', given, { id: 'forged-1', role: 'tool', toolCallId: 'forged-2', content: 'yes' }],
    ['with further fields', { ...given, role: 'user', error: 'e' }, { id: 'forged-1', role: 'user', error: 'e' }],
    ['with a forged call only', { toolCallId: 'x', content: 'yes' }, { id: 'id-2', toolCallId: 'x', content: 'yes' }],
    ['with a forged message only', { messageId: 'm', content: 'yes' }, { id: 'm', toolCallId: 'c', content: 'yes' }],
    ['with its content alone', { content: 'yes' }, { id: 'id-2', toolCallId: 'c', content: 'yes' }],
    ['with ids that are not texts', { ...given, messageId: null, toolCallId: 7 }, { id: null, toolCallId: 7 }],
    ['with templates', { ...given, toolCallId: '{{request.toolCallName}}' }, { toolCallId: 'confirm' }],
    ['unless it lacks `content`', { messageId: 'm', status: 1 }, { content: { messageId: 'm', status: 1 } }],
    ['unless it is other data', { path: 'p', content: 'yes' }, { content: { path: 'p', content: 'yes' } }],
  ])('carry a result in the shape of a tool message as that message, %s', async (_, content, expected) => {
    const virtual = await playVirtually(asked([{ content }]));
    virtual.peer().stream(1, ...run(toolCall('c', 'confirm')));
    expect(((virtual.peer().calls()[1] as ValueMap).messages as ValueMap[]).at(-1)).toMatchObject(expected);
  });
  test('are recorded with the forged ids that they carry', async () => {
    const virtual = await playVirtually(asked([{ content: given }]));
    virtual.peer().stream(1, ...run(toolCall('c', 'confirm')));
    expect(virtual.messages().at(-2)?.content).toEqual({ type: 'TOOL_CALL_RESULT', role: 'tool', ...given });
  });

  test.each<[string, object[] | undefined, Value[]]>([
    ['answered by an entry that matches it', [{ when: { toolCallName: 'other' }, content: 'x' }], ['hello', 'x']],
    ['answered by an entry without `when`', [{ content: 'x' }], ['hello', 'x']],
    ['not answered if no entry matches it', [{ when: { toolCallName: 'confirm' }, content: 'x' }], ['hello']],
    ['not answered without entries', undefined, ['hello']],
  ])('leave a call of an undeclared tool, which text follows, %s', async (_, responses, expected) => {
    const virtual = await playVirtually(asked(responses));
    virtual.peer().stream(1, ...run(toolCall('c', 'other'), text('m', 'I go on')));
    expect(lastMessages(virtual)).toEqual(expected);
  });
  test('try the entries for no more than 200 calls that text follows', async () => {
    const calls = Array.from({ length: 201 }, (_, index) => toolCall(`c${index}`, index === 200 ? 'last' : 'other'));
    const virtual = await playVirtually(asked([{ when: { toolCallName: 'last' }, content: 'x' }]));
    virtual.peer().stream(1, ...run(...calls, text('m', 'I go on')));
    expect(lastMessages(virtual)).toEqual(['hello']);
  });

  test('report `synthesize` as W-006', async () => {
    const virtual = await playVirtually(asked([{ synthesize: { prompt: 'x' } }]));
    virtual.peer().stream(1, ...run(toolCall('c', 'confirm')));
    expect(await codes(virtual)).toEqual(['W-006']);
  });
  test('answer all calls of a run together, in their order', async () => {
    const virtual = await playVirtually(asked([{ content: '{{request.toolCallId}}' }]));
    virtual.peer().stream(1, ...run(toolCall('a', 'confirm'), toolCall('b', 'confirm')));
    const messages = (virtual.peer().calls()[1] as ValueMap).messages as ValueMap[];
    expect(messages.slice(-2)).toMatchObject([
      { toolCallId: 'a', content: 'a' },
      { toolCallId: 'b', content: 'b' },
    ]);
    expect(virtual.peer().calls()).toHaveLength(2);
  });
  test('send what was recorded, without values that were extracted from it', async () => {
    const virtual = await playVirtually(
      phased({
        state: { ...says('hello'), tool_responses: [{ content: 'had [{{last}}]' }] },
        extractors: [{ name: 'last', source: 'response', type: 'json_path', selector: '$.content' }],
      }),
    );
    virtual.peer().stream(1, ...run(toolCall('c', 'confirm')));
    expect(lastMessages(virtual)[1]).toBe('had []');
  });
  test('answer a stream once although it reports twice that its run is finished', async () => {
    const virtual = await playVirtually(asked());
    virtual.peer().stream(1, ...run(toolCall('c', 'confirm')), finished);
    virtual.peer().stream(2, ...run());
    expect(virtual.peer().calls()).toHaveLength(2);
  });
  test('carry earlier calls and results too', async () => {
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
  test('are not sent after an error of the run', async () => {
    const virtual = await playVirtually(asked());
    virtual.peer().stream(1, started, ...toolCall('c', 'confirm'), failed, finished);
    expect(virtual.peer().calls()).toHaveLength(1);
  });
  test('are not sent when the stream ends before the run', async () => {
    const virtual = await playVirtually(asked());
    virtual.peer().stream(1, started, ...toolCall('c', 'confirm'));
    virtual.peer().hangUp(1);
    expect(virtual.peer().calls()).toHaveLength(1);
  });
  test('stop at a limit and report O-106', async () => {
    const virtual = await playVirtually(asked());
    for (let call = 1; call <= virtual.peer().calls().length; call++) {
      virtual.peer().stream(call, ...run(toolCall(`c${call}`, 'confirm')));
      virtual.peer().hangUp(call);
    }
    expect(virtual.peer().calls()).toHaveLength(26);
    expect(await virtual.end()).toMatchObject({ reason: 'finished', diagnostics: [{ code: 'O-106' }] });
  });
  test('go out before the input of the next phase', async () => {
    const virtual = await playVirtually(
      phased({ state: says('one', { tools: [confirm] }), trigger: { event: 'run_finished' } }, { state: says('two') }),
    );
    virtual.peer().stream(1, ...run(toolCall('a', 'confirm')));
    expect(lastMessages(virtual)).toEqual(['one', '']);
    virtual.peer().stream(2, ...run());
    expect(lastMessages(virtual)).toEqual(['one', '', 'two']);
  });
  test('do not end a phase that has not sent its input yet', async () => {
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
  test('leave the inputs of an entry action and of its phase to count in that phase', async () => {
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
  test('go out, with those that follow from them, before the input of the next phase', async () => {
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
  test('let the next phase go on when their stream disconnects', async () => {
    const virtual = await playVirtually(
      phased({ state: says('one', { tools: [confirm] }), trigger: { event: 'run_finished' } }, { state: says('two') }),
    );
    virtual.peer().stream(1, ...run(toolCall('a', 'confirm')));
    virtual.peer().hangUp(2, 'its stream broke off');
    expect(lastMessages(virtual)).toEqual(['one', '', 'two']);
  });
});
