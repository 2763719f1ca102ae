import { describe, expect, test } from 'vitest';
import { evaluateTrace, type IndicatorVerdict, type MessageRecord, type ValueMap } from '../../../src/index.ts';
import { run, text, toolCall } from '../../support/ag-ui-events.ts';
import { documentWith, message } from '../../support/records.ts';

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

describe('evaluateTrace, for AG-UI streams', () => {
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
    [
      'words over two deltas, for an indicator with the surface',
      say('text_message_content', 'delta', 'password'),
      split,
      true,
    ],
    ['words over two deltas, for an indicator without a surface', say(undefined, 'delta', 'password'), split, true],
    ['words over two deltas, for a pattern over the whole event', say(undefined, '', 'password'), split, true],
    [
      'words over two deltas, for an indicator of another surface',
      say('tool_call_args', 'delta', 'password'),
      split,
      false,
    ],
    [
      'words over two deltas, for an indicator of another actor',
      { ...say(undefined, 'delta', 'password'), actor: 'peer' },
      split,
      false,
    ],
    [
      'words over two deltas, for an indicator of this actor',
      { ...say(undefined, 'delta', 'password'), actor: 'user' },
      split,
      true,
    ],
    [
      'words over two deltas, for an indicator of our direction',
      { ...say(undefined, 'delta', 'password'), direction: 'request' },
      split,
      false,
    ],
    [
      'words over two deltas of a message that never ends',
      say(undefined, 'delta', 'password'),
      split.slice(0, -2),
      true,
    ],
    [
      'words over two messages',
      say(undefined, 'delta', 'password'),
      run(text('m', 'the pass'), text('n', 'word')),
      false,
    ],
    [
      'words over two deltas of an interrupted message',
      say(undefined, 'delta', 'password'),
      run([textChunk('the pass'), custom, ...toolCall('c', 'x', '{}'), textChunk('word')]),
      true,
    ],
    [
      'words over two thoughts without an id',
      say('thinking_text_message_content', 'delta', 'password'),
      run([...thought.toSpliced(2, 1), ...thought.toSpliced(1, 1)]),
      false,
    ],
    [
      'words over two deltas of a thought',
      say('thinking_text_message_content', 'delta', 'password'),
      run(thought),
      true,
    ],
    ['an argument over two deltas', say('tool_call_args', 'delta', 'evil@x'), args, true],
    ['an argument over two deltas, at the end of the call', say('tool_call_end', 'delta', 'evil@x'), args, true],
    ['an argument over two deltas, in the text of all arguments', say('tool_call_end', 'args', 'evil@x'), args, true],
    ['an argument over two deltas, at its path', say('tool_call_end', 'arguments.to', 'evil@x'), args, true],
    ['an argument over two deltas, at the start of the call', say('tool_call_start', '', 'evil@x'), args, false],
    [
      'an argument over two deltas, for an expression',
      {
        protocol: 'ag_ui',
        target: 'delta',
        expression: { cel: "message.toolCallName == 'mail' && message.delta.contains('evil@x')" },
      },
      args.map((event) => (event.type === 'TOOL_CALL_ARGS' ? { ...event, toolCallName: 'mail' } : event)),
      true,
    ],
    ['an argument over two chunks, as tool_call_args', say('tool_call_args', 'delta', 'evil@x'), chunks, true],
    ['an argument over two chunks, as tool_call_chunk', say('tool_call_chunk', 'delta', 'evil@x'), chunks, true],
    ['the tool name in a chunk, as tool_call_start', say('tool_call_start', 'toolCallName', 'mail'), chunks, true],
    ['a part of an argument in a chunk, as tool_call_args', say('tool_call_args', 'delta', '"ev'), chunks, true],
    ['the tool name in a chunk, as tool_call_end', say('tool_call_end', 'toolCallName', 'mail'), chunks, true],
    [
      'words in a text chunk, as text_message_content',
      say('text_message_content', 'delta', 'pass'),
      run([textChunk('pass')]),
      true,
    ],
    [
      'an absent field that only the joined stream lacks',
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
  test.each(rows)('finds %s: $3', (_, indicator, events, expected) => {
    expect(verdictOf(indicator, records(events))?.result === 'matched').toBe(expected);
  });

  test('prefers a match in one delta to one in the joined stream', () => {
    const verdict = verdictOf(say('text_message_content', 'delta', 'word'), records(split));
    expect(verdict?.match).toMatchObject({ path: 'delta', from: 0, to: 4 });
    expect(verdict?.match?.projection).toBeUndefined();
  });
  test('says in the evidence that the stream was joined', () => {
    const found = records(split);
    const verdict = verdictOf(say('text_message_content', 'delta', 'password'), found);
    expect([verdict?.evidence, verdict?.match]).toEqual([
      'joined stream: the password is 1',
      { record: found[3]?.seq, path: 'delta', from: 4, to: 12, projection: 'joined stream' },
    ]);
  });
  test('joins streams also without projections', () => {
    expect(verdictOf(say(undefined, 'delta', 'password'), records(split), false)?.result).toBe('matched');
  });

  const megabyte = 'x'.repeat(1024 * 1024);
  test.each([
    ['in its first part', ['the pass', 'word', megabyte, megabyte]],
    ['across the border of two parts', [megabyte.slice(0, -4), 'pass', 'word', megabyte]],
    ['in its last part', [megabyte, megabyte, 'the pass', 'word']],
  ])('finds words in a text longer than a joined part: %s', (_, deltas) => {
    const verdict = verdictOf(say(undefined, 'delta', 'password'), records(run(text('m', ...deltas))));
    expect(verdict?.result).toBe('matched');
  });
  test('says that it looked at a longer stream in parts', () => {
    const verdict = verdictOf(say(undefined, 'delta', 'password'), records(run(text('m', megabyte, 'x'))));
    expect(verdict?.looked?.sentence).toContain('a longer stream was looked at in parts');
  });
  test('finds words in each of many streams that never end', () => {
    const events = Array.from({ length: 2_500 }, (_, index) => [
      { type: 'TEXT_MESSAGE_CONTENT', messageId: `m${index}`, delta: index === 7 ? 'pass' : 'a' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: `m${index}`, delta: index === 7 ? 'word' : 'b' },
    ]).flat();
    expect(verdictOf(say(undefined, 'delta', 'password'), records(events))?.result).toBe('matched');
  });
});

describe('evaluateTrace, for streamed A2A artifacts', () => {
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
    ['words over two updates, for an indicator without a surface', indicator, appended, true],
    [
      'words over two updates, for an indicator of the surface',
      { ...indicator, surface: 'task/artifact' },
      appended,
      true,
    ],
    [
      'words over two updates, for an indicator of another surface',
      { ...indicator, surface: 'message/stream' },
      appended,
      false,
    ],
    [
      'words over two updates under the name of the call',
      { ...indicator, surface: 'message/stream' },
      [update({}, 'the pass', 'message/stream'), update({ append: true }, 'word', 'message/stream')],
      true,
    ],
    [
      'words over two updates without a last chunk',
      indicator,
      [update({}, 'the pass'), update({ append: true }, 'word')],
      true,
    ],
    ['words over two updates that do not append', indicator, [update({}, 'the pass'), update({}, 'word')], false],
    [
      'words over updates of two artifacts',
      indicator,
      [
        update({}, 'the pass'),
        update({ append: true, artifact: { artifactId: 'b', parts: [{ kind: 'text', text: 'word' }] } }, ''),
      ],
      false,
    ],
    [
      'words over updates of two tasks',
      indicator,
      [update({}, 'the pass'), update({ append: true, taskId: 'u' }, 'word')],
      false,
    ],
  ];
  test.each(rows)('finds %s: $3', (_, scope, records, expected) => {
    expect(verdictOf(scope, records)?.result === 'matched').toBe(expected);
  });
});
