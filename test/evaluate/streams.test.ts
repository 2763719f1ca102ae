import { describe, expect, test } from 'vitest';
import { evaluateTrace, type IndicatorVerdict, type MessageRecord, type ValueMap } from '../../src/index.ts';
import { run, text, toolCall } from '../support/ag-ui-events.ts';
import { documentWith, message } from '../support/records.ts';

// Streams are put together before they are judged.

const execution = {
  actors: [
    { name: 'user', mode: 'ag_ui_client', phases: [{ state: { run_agent_input: {} } }] },
    { name: 'peer', mode: 'a2a_client', phases: [{ state: { actions: [] } }] },
  ],
};

function verdictOf(
  indicator: object,
  records: readonly MessageRecord[],
  projections?: boolean,
): IndicatorVerdict | undefined {
  const document = documentWith({ execution, indicators: [indicator] });
  return evaluateTrace(document, records, { projections }).verdict.indicatorVerdicts[0];
}

describe('AG-UI', () => {
  const records = (events: readonly ValueMap[], actor = 'user') =>
    events.map((content) =>
      message({
        actor,
        protocol: 'ag_ui',
        mode: 'ag_ui_client',
        kind: 'event',
        method: String(content.type).toLowerCase(),
        content,
      }),
    );
  const say = (surface: string | undefined, target: string, contains: string) => ({
    protocol: 'ag_ui',
    ...(surface !== undefined && { surface }),
    target,
    pattern: { contains },
  });
  const split = run(text('m', 'the pass', 'word is 1'));
  const args = run(toolCall('c', 'mail', '{"to":"ev', 'il@x","n":1}'));
  const chunk = (delta: string, fields: ValueMap = {}) => ({ type: 'TOOL_CALL_CHUNK', delta, ...fields });
  const chunks = run([chunk('{"to":"ev', { toolCallId: 'c', toolCallName: 'mail' }), chunk('il@x"}')]);
  const thought = ['START', 'CONTENT', 'CONTENT', 'END'].map((word, index) => ({
    type: `THINKING_TEXT_MESSAGE_${word}`,
    ...(word === 'CONTENT' && { delta: index === 1 ? 'the pass' : 'word' }),
  }));
  const textChunk = (delta: string, messageId = 'm') => ({ type: 'TEXT_MESSAGE_CHUNK', messageId, delta });
  const custom = { type: 'CUSTOM', name: 'tick', value: 1 };

  const rows: [string, object, readonly ValueMap[], boolean][] = [
    ['words over two deltas', say('text_message_content', 'delta', 'password'), split, true],
    ['… without a surface', say(undefined, 'delta', 'password'), split, true],
    ['… in the whole event', say(undefined, '', 'password'), split, true],
    ['… of another surface', say('tool_call_args', 'delta', 'password'), split, false],
    ['… of another actor', { ...say(undefined, 'delta', 'password'), actor: 'peer' }, split, false],
    ['… of this actor', { ...say(undefined, 'delta', 'password'), actor: 'user' }, split, true],
    [
      '… in our own direction',
      { ...say(undefined, 'delta', 'password'), direction: 'request' },
      split,
      false,
    ],
    ['of a message that never ends', say(undefined, 'delta', 'password'), split.slice(0, -2), true],
    [
      'not over two messages',
      say(undefined, 'delta', 'password'),
      run(text('m', 'the pass'), text('n', 'word')),
      false,
    ],
    [
      'over a message that is interrupted',
      say(undefined, 'delta', 'password'),
      run([textChunk('the pass'), custom, ...toolCall('c', 'x', '{}'), textChunk('word')]),
      true,
    ],
    [
      'not over two thoughts, which have no id',
      say('thinking_text_message_content', 'delta', 'password'),
      run([...thought.toSpliced(2, 1), ...thought.toSpliced(1, 1)]),
      false,
    ],
    ['thoughts', say('thinking_text_message_content', 'delta', 'password'), run(thought), true],
    ['arguments over two deltas', say('tool_call_args', 'delta', 'evil@x'), args, true],
    ['… at the end of the call', say('tool_call_end', 'delta', 'evil@x'), args, true],
    ['… as a text', say('tool_call_end', 'args', 'evil@x'), args, true],
    ['… as what they say', say('tool_call_end', 'arguments.to', 'evil@x'), args, true],
    ['… not at its start', say('tool_call_start', '', 'evil@x'), args, false],
    [
      '… by an expression',
      {
        protocol: 'ag_ui',
        target: 'delta',
        expression: { cel: "message.toolCallName == 'mail' && message.delta.contains('evil@x')" },
      },
      args.map((event) => (event.type === 'TOOL_CALL_ARGS' ? { ...event, toolCallName: 'mail' } : event)),
      true,
    ],
    ['arguments in chunks', say('tool_call_args', 'delta', 'evil@x'), chunks, true],
    ['… as chunks', say('tool_call_chunk', 'delta', 'evil@x'), chunks, true],
    ['a chunk is a start', say('tool_call_start', 'toolCallName', 'mail'), chunks, true],
    ['… and a part of the arguments', say('tool_call_args', 'delta', '"ev'), chunks, true],
    ['… and an end', say('tool_call_end', 'toolCallName', 'mail'), chunks, true],
    [
      'a text chunk is a part of a text',
      say('text_message_content', 'delta', 'pass'),
      run([textChunk('pass')]),
      true,
    ],
    [
      'that a field is absent is said of the parts only',
      {
        protocol: 'ag_ui',
        surface: 'tool_call_end',
        target: 'toolCallId',
        pattern: { condition: { exists: false } },
      },
      args,
      false,
    ],
  ];
  test.each(rows)('%s', (_, indicator, events, expected) => {
    expect(verdictOf(indicator, records(events))?.result === 'matched').toBe(expected);
  });

  test('a part that matches comes first', () => {
    const verdict = verdictOf(say('text_message_content', 'delta', 'word'), records(split));
    expect(verdict?.match).toMatchObject({ path: 'delta', from: 0, to: 4 });
    expect(verdict?.match?.projection).toBeUndefined();
  });
  test('evidence says that it was joined', () => {
    const found = records(split);
    const verdict = verdictOf(say('text_message_content', 'delta', 'password'), found);
    expect([verdict?.evidence, verdict?.match]).toEqual([
      'joined stream: the password is 1',
      { record: found[3]?.seq, path: 'delta', from: 4, to: 12, projection: 'joined stream' },
    ]);
  });
  test('streams are put together without projections, too', () => {
    expect(verdictOf(say(undefined, 'delta', 'password'), records(split), false)?.result).toBe('matched');
  });

  const megabyte = 'x'.repeat(1024 * 1024);
  test.each([
    ['in the first part', ['the pass', 'word', megabyte, megabyte]],
    ['across the border', [megabyte.slice(0, -4), 'pass', 'word', megabyte]],
    ['in the last', [megabyte, megabyte, 'the pass', 'word']],
  ])('a text that is longer than what is put together at once: %s', (_, deltas) => {
    const verdict = verdictOf(say(undefined, 'delta', 'password'), records(run(text('m', ...deltas))));
    expect(verdict?.result).toBe('matched');
  });
  test('… is reported', () => {
    const verdict = verdictOf(say(undefined, 'delta', 'password'), records(run(text('m', megabyte, 'x'))));
    expect(verdict?.looked?.sentence).toContain('a longer stream was looked at in parts');
  });
  test('of many streams that never end each is judged', () => {
    const events = Array.from({ length: 2_500 }, (_, index) => [
      { type: 'TEXT_MESSAGE_CONTENT', messageId: `m${index}`, delta: index === 7 ? 'pass' : 'a' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: `m${index}`, delta: index === 7 ? 'word' : 'b' },
    ]).flat();
    expect(verdictOf(say(undefined, 'delta', 'password'), records(events))?.result).toBe('matched');
  });
});

describe('A2A artifacts', () => {
  const update = (fields: object, words: string, method = 'task/artifact') =>
    message({
      actor: 'peer',
      protocol: 'a2a',
      mode: 'a2a_client',
      kind: 'event',
      method,
      content: {
        kind: 'artifact-update',
        taskId: 't',
        artifact: { artifactId: 'a', parts: [{ kind: 'text', text: words }] },
        ...fields,
      } as never,
    });
  const indicator = { protocol: 'a2a', target: 'artifact.parts[*].text', pattern: { contains: 'password' } };
  const appended = [update({}, 'the pass'), update({ append: true, lastChunk: true }, 'word')];
  const rows: [string, object, MessageRecord[], boolean][] = [
    ['words over two updates', indicator, appended, true],
    ['… of this surface', { ...indicator, surface: 'task/artifact' }, appended, true],
    ['… of another', { ...indicator, surface: 'message/stream' }, appended, false],
    [
      '… under the name of the call',
      { ...indicator, surface: 'message/stream' },
      [update({}, 'the pass', 'message/stream'), update({ append: true }, 'word', 'message/stream')],
      true,
    ],
    ['without a last one', indicator, [update({}, 'the pass'), update({ append: true }, 'word')], true],
    ['an update that begins anew', indicator, [update({}, 'the pass'), update({}, 'word')], false],
    [
      'another artifact',
      indicator,
      [
        update({}, 'the pass'),
        update({ append: true, artifact: { artifactId: 'b', parts: [{ kind: 'text', text: 'word' }] } }, ''),
      ],
      false,
    ],
    [
      'another task',
      indicator,
      [update({}, 'the pass'), update({ append: true, taskId: 'u' }, 'word')],
      false,
    ],
  ];
  test.each(rows)('%s', (_, scope, records, expected) => {
    expect(verdictOf(scope, records)?.result === 'matched').toBe(expected);
  });
});
