import { describe, expect, test } from 'vitest';
import {
  evaluateIndicatorAsync,
  evaluateTrace,
  evaluateTraceAsync,
  type MessageRecord,
  type SemanticEvaluator,
  selects,
  traceEvaluator,
} from '../src/index.ts';
import { documentWith, message, phase } from './support/records.ts';

const server = { mode: 'mcp_server', state: { tools: [] } };
const twoActors = {
  actors: [
    { name: 'tools', mode: 'mcp_server', phases: [{ state: { tools: [] } }] },
    { name: 'user', mode: 'ag_ui_client', phases: [{ state: { run_agent_input: { messages: [] } } }] },
  ],
};
const listed = message({
  kind: 'response',
  origin: 'attacker',
  method: 'tools/list',
  content: { tools: [] },
});

describe('selection (§6.1)', () => {
  const base = { protocol: 'mcp' };
  const rows: [string, Parameters<typeof selects>[0], Partial<MessageRecord>, boolean][] = [
    ['protocol', base, {}, true],
    ['another protocol', { protocol: 'a2a' }, {}, false],
    ['surface', { ...base, surface: 'tools/call' }, {}, true],
    ['another surface', { ...base, surface: 'tools/list' }, {}, false],
    ['actor', { ...base, actor: 'default' }, {}, true],
    ['another actor', { ...base, actor: 'other' }, {}, false],
    ['without a direction: what the agent sent', base, { origin: 'agent' }, true],
    ['without a direction: not what we sent', base, { origin: 'attacker', kind: 'response' }, false],
    [
      'without a direction, client mode: not what we sent',
      base,
      { mode: 'mcp_client', origin: 'attacker' },
      false,
    ],
    ['server mode: what the agent sent is a request', { ...base, direction: 'request' }, {}, true],
    [
      'server mode: what we sent is a response',
      { ...base, direction: 'response' },
      { origin: 'attacker' },
      true,
    ],
    [
      'server mode: a request of ours is still a response',
      { ...base, direction: 'request' },
      { origin: 'attacker', kind: 'request' },
      false,
    ],
    [
      'client mode: what we sent is a request',
      { ...base, direction: 'request' },
      { mode: 'mcp_client', origin: 'attacker' },
      true,
    ],
    [
      'client mode: what the agent sent is a response',
      { ...base, direction: 'response' },
      { mode: 'mcp_client', kind: 'response' },
      true,
    ],
  ];
  test.each(rows)('%s', (_, indicator, record, expected) => {
    expect(selects(indicator, message(record))).toBe(expected);
  });
});

describe('the result of one indicator over a whole trace', () => {
  const regex = { target: 'arguments.path', pattern: { regex: 'id_rsa' } };
  const cel = { target: '', expression: { cel: "message.arguments.path == 'x'" } };
  const divides = { target: '', expression: { cel: '10 / message.arguments.path == 1' } };
  const call = (path: unknown) => message({ content: { arguments: { path } } as never });
  const rows: [string, object, MessageRecord[], string][] = [
    ['one match is a match', regex, [call('a'), call('~/.ssh/id_rsa'), call('b')], 'matched'],
    ['no match', regex, [call('a')], 'not_matched'],
    [
      'no message of that operation, but the agent came',
      { ...regex, surface: 'prompts/get' },
      [call('a')],
      'not_matched',
    ],
    ['nothing from the agent at all', regex, [], 'skipped'],
    ['only our own messages', regex, [listed], 'skipped'],
    ['only our own messages, which it names', { ...regex, direction: 'response' }, [listed], 'not_matched'],
    ['a field that some messages lack', cel, [message({ content: {} }), call('y')], 'not_matched'],
    ['a field that every message lacks', cel, [message({ content: {} })], 'error'],
    [
      'a real error outweighs a clean miss',
      { target: '', expression: { cel: '1 / 0 == 1' } },
      [call('y')],
      'error',
    ],
    ['… on another message after it', divides, [call(0), call(5)], 'error'],
    ['… on another message before it', divides, [call(5), call(0)], 'error'],
    ['… though other messages lack the field', divides, [message({ content: {} }), call(0)], 'error'],
    [
      'a match outweighs an error',
      { target: '', expression: { cel: "message.arguments.path + 'x' == 'yx'" } },
      [call(1), call('y')],
      'matched',
    ],
    ['the right actor', { ...regex, actor: 'default' }, [call('id_rsa')], 'matched'],
  ];
  test.each(rows)('%s', (_, indicator, records, expected) => {
    const document = documentWith({ execution: server, indicators: [indicator] });
    expect(evaluateTrace(document, records).verdict.indicatorVerdicts[0]?.result).toBe(expected);
  });

  test('records that are not messages are never shown to indicators', () => {
    const document = documentWith({
      execution: server,
      indicators: [{ target: '', pattern: { condition: { exists: true } } }],
    });
    expect(evaluateTrace(document, [phase('default', 'phase-1')]).verdict.indicatorVerdicts[0]?.result).toBe(
      'skipped',
    );
  });

  test('evidence says where the match stands', () => {
    const document = documentWith({
      execution: server,
      indicators: [{ target: 'items[*].text', pattern: { regex: 'b+' } }],
    });
    const record = message({ content: { items: [{ text: 'aaa' }, { text: 'aabba' }] } });
    const { evidence, match } = evaluateTrace(document, [record]).verdict.indicatorVerdicts[0] ?? {};
    expect({ evidence, match }).toEqual({
      evidence: 'aabba',
      match: { record: record.seq, path: 'items[1].text', from: 2, to: 4 },
    });
  });

  test('on the client’s side a response carries what was asked', () => {
    const document = documentWith({
      execution: { mode: 'mcp_client', state: { actions: [] } },
      indicators: [{ target: '_request.name', direction: 'response', pattern: { condition: 'read_file' } }],
    });
    const record = message({
      mode: 'mcp_client',
      kind: 'response',
      content: { content: [] },
      request: { name: 'read_file' },
    });
    expect(evaluateTrace(document, [record]).verdict.result).toBe('exploited');
  });
});

test('a generated id that equals a written one hides neither', () => {
  const document = documentWith({
    execution: server,
    indicators: [
      { target: 'name', pattern: { contains: 'evil' } },
      { id: 'indicator-01', target: 'name', pattern: { contains: 'other' } },
    ],
  });
  const { verdict } = evaluateTrace(document, [message({ content: { name: 'evil' } })]);
  expect(verdict.indicatorVerdicts.map(({ result }) => result)).toEqual(['matched', 'not_matched']);
});

describe('projections', () => {
  const delta = (text: string) =>
    message({
      actor: 'user',
      protocol: 'ag_ui',
      mode: 'ag_ui_client',
      kind: 'event',
      method: 'text_message_content',
      content: { messageId: 'm1', delta: text },
    });
  const end = message({
    actor: 'user',
    protocol: 'ag_ui',
    mode: 'ag_ui_client',
    kind: 'event',
    method: 'text_message_end',
    content: { messageId: 'm1' },
  });
  const agUi = { actor: 'user', protocol: 'ag_ui', mode: 'ag_ui_client', kind: 'event' } as const;
  const chunk = (text: string, messageId?: string, session?: string) =>
    message({
      ...agUi,
      method: 'text_message_chunk',
      content: { delta: text, ...(messageId !== undefined && { messageId }) },
      ...(session !== undefined && { session }),
    });
  const start = (role: string) =>
    message({ ...agUi, method: 'text_message_start', content: { messageId: 'm1', role } });
  const said = [listed, delta('my system '), delta('prompt is'), end];
  const task = message({
    protocol: 'a2a',
    mode: 'a2a_server',
    method: 'message/send',
    content: { message: { parts: [{ kind: 'text', text: 'the api_key is 1' }] } },
  });
  const card = message({
    protocol: 'a2a',
    mode: 'a2a_server',
    kind: 'response',
    origin: 'attacker',
    method: 'agent_card/get',
    content: { name: 'Helper' },
  });
  const withSkills = { ...card, content: { name: 'Helper', skills: [{ id: 'look-up' }, null, { id: 7 }] } };
  const pair = message({ content: ['a', 'b'] });
  const text = { target: 'response.content', pattern: { contains: 'system prompt' } };
  const rows: [string, object, MessageRecord[], boolean][] = [
    ['the assistant’s text', { protocol: 'ag_ui', ...text }, said, true],
    ['… whatever protocol the indicator names', { protocol: 'mcp', ...text }, said, true],
    ['… in direction response', { protocol: 'ag_ui', direction: 'response', ...text }, said, true],
    ['… not in direction request', { protocol: 'ag_ui', direction: 'request', ...text }, said, false],
    ['not with a surface', { protocol: 'ag_ui', surface: 'text_message_content', ...text }, said, false],
    ['not with an actor', { protocol: 'ag_ui', actor: 'user', ...text }, said, false],
    [
      'not for another path',
      { protocol: 'ag_ui', target: 'response.contents', pattern: { contains: 'system prompt' } },
      said,
      false,
    ],
    [
      'never for exists: false',
      {
        protocol: 'ag_ui',
        target: 'response.content.x',
        pattern: { condition: { exists: false } },
        direction: 'request',
      },
      said,
      false,
    ],
    [
      'the text of an A2A message',
      { protocol: 'a2a', target: 'a2a.task.message', pattern: { contains: 'api_key' } },
      [task],
      true,
    ],
    [
      'the called agent’s name',
      { protocol: 'a2a', target: 'name', pattern: { condition: 'Helper' } },
      [card, task],
      true,
    ],
    [
      'the id of a skill on its card',
      { protocol: 'a2a', target: 'name', pattern: { regex: 'look-up$' } },
      [withSkills, task],
      true,
    ],
    [
      'by the actor that the message went to',
      { protocol: 'a2a', actor: 'user', target: 'name', pattern: { condition: 'Helper' } },
      [
        { ...card, actor: 'user' },
        { ...task, actor: 'user' },
      ],
      true,
    ],
    [
      '… and by no other',
      { protocol: 'a2a', actor: 'user', target: 'name', pattern: { condition: 'Helper' } },
      [card, task],
      false,
    ],
    [
      '… which is not known before its card',
      { protocol: 'a2a', target: 'name', pattern: { condition: 'Helper' } },
      [task],
      false,
    ],
    [
      'the message as arguments',
      { protocol: 'a2a', target: 'arguments', pattern: { contains: 'api_key' } },
      [task],
      true,
    ],
    ...[{ method: 'tasks/get' }, { kind: 'response' }, { content: 'api_key' }].map(
      (other): [string, object, MessageRecord[], boolean] => [
        `… and nothing else that has ${JSON.stringify(other)}`,
        { protocol: 'a2a', target: 'arguments', pattern: { contains: 'api_key' } },
        [{ ...task, ...other } as MessageRecord],
        false,
      ],
    ),
    [
      'the whole message as body',
      { protocol: 'mcp', target: 'body.name', pattern: { condition: { exists: true } } },
      [message({ content: { name: 'a' } })],
      true,
    ],
    [
      '… of the agent’s messages only',
      { protocol: 'mcp', target: 'body.tools', pattern: { condition: { exists: true } } },
      [listed],
      false,
    ],
    [
      '… of any protocol, and in its direction',
      {
        protocol: 'a2a',
        direction: 'request',
        target: 'body.message',
        pattern: { condition: { exists: true } },
      },
      [task],
      true,
    ],
    ['… or an item of it', { protocol: 'mcp', target: 'body[*]', pattern: { condition: 'b' } }, [pair], true],
    ['… or all of it', { protocol: 'mcp', target: 'body', pattern: { contains: '"b"' } }, [pair], true],
    [
      'not for another field that begins like it',
      { protocol: 'mcp', target: 'bodyguard', pattern: { contains: 'tools' } },
      [listed],
      false,
    ],
    [
      'not for expressions',
      { protocol: 'mcp', target: '', expression: { cel: 'has(message.body)' } },
      [listed],
      false,
    ],
  ];
  const matches = (indicator: object, records: MessageRecord[], projections?: boolean): boolean =>
    evaluateTrace(documentWith({ execution: twoActors, indicators: [indicator] }), records, { projections })
      .verdict.indicatorVerdicts[0]?.result === 'matched';

  test.each(rows)('%s', (_, indicator, records, expected) => {
    expect(matches(indicator, records)).toBe(expected);
  });
  test.each([
    ['chunks without an id belong to the message before', [chunk('my system ', 'm'), chunk('prompt')], true],
    [
      'another connection does not end a message',
      [chunk('my system ', 'm'), chunk('x', 'n', 's2'), chunk('prompt', 'm')],
      true,
    ],
    [
      'ids mean something within a connection only',
      [chunk('my system ', 'm'), chunk('prompt', 'm', 's2')],
      false,
    ],
    ['the user’s own words are not the answer', [start('user'), delta('system prompt')], false],
  ])('%s', (_, records, expected) => {
    expect(matches({ protocol: 'ag_ui', ...text }, records)).toBe(expected);
  });
  test('an evaluator that fails on one is not swallowed', () => {
    const document = documentWith({
      execution: twoActors,
      indicators: [{ protocol: 'ag_ui', target: 'response.content', semantic: { intent: 'leak' } }],
    });
    const semantic: SemanticEvaluator = {
      evaluate: () => {
        throw new Error('no model');
      },
    };
    expect(evaluateTrace(document, said, { semantic }).verdict.result).toBe('error');
  });
  test.each([
    ['before', true],
    ['after', false],
  ])('`body` %s an indicator that has no use for it', (_, isFirst) => {
    const body = { protocol: 'mcp', target: 'body.tools', pattern: { condition: { exists: true } } };
    const other = { protocol: 'mcp', target: 'tools', pattern: { condition: { exists: true } } };
    const document = documentWith({
      execution: twoActors,
      indicators: isFirst ? [body, other] : [other, body],
    });
    const { indicatorVerdicts } = evaluateTrace(document, [message({ content: { tools: [] } })]).verdict;
    expect(indicatorVerdicts.map(({ result }) => result)).toEqual(['matched', 'matched']);
  });
  test('can be turned off', () => {
    expect(matches({ protocol: 'ag_ui', ...text }, said, false)).toBe(false);
  });
  test('evidence names the projection', () => {
    const document = documentWith({ execution: twoActors, indicators: [{ protocol: 'ag_ui', ...text }] });
    expect(evaluateTrace(document, said).verdict.indicatorVerdicts[0]?.match?.projection).toBe(
      'response.content',
    );
  });
  test('a real match comes first', () => {
    const document = documentWith({
      execution: twoActors,
      indicators: [{ protocol: 'mcp', target: 'body.x', pattern: { condition: 1 } }],
    });
    const real = message({ content: { body: { x: 1 } } });
    const { match } =
      evaluateTrace(document, [message({ content: { x: 1 } }), real]).verdict.indicatorVerdicts[0] ?? {};
    expect(match).toEqual({ record: real.seq, path: 'body.x', from: 0, to: 1 });
  });
});

describe('limits and evaluators', () => {
  const slow = {
    target: '',
    expression: { cel: 'message.l.all(a, message.l.all(b, message.l.all(c, a + b + c >= 0)))' },
  };
  const large = message({ content: { l: Array.from({ length: 2_000 }, (_, index) => index) } });

  test('an expression that takes too long is an error', () => {
    const document = documentWith({ execution: server, indicators: [slow] });
    const [verdict] = evaluateTrace(document, [large], { limits: { expressionMs: 20 } }).verdict
      .indicatorVerdicts;
    expect(verdict?.error?.kind).toBe('cel_error');
  });
  test('a document that takes too long is an error', () => {
    const document = documentWith({
      execution: server,
      indicators: [slow, { target: 'x', pattern: { contains: 'y' } }],
    });
    const { verdict } = evaluateTrace(document, [large, large], {
      limits: { expressionMs: 30, documentMs: 1 },
    });
    expect(verdict.indicatorVerdicts.map(({ error }) => error?.kind)).toEqual(['cel_error', 'regex_timeout']);
  });
  test('the time of a document is looked at between indicators too', () => {
    const document = documentWith({ execution: server, indicators: Array.from({ length: 8 }, () => slow) });
    const { verdict } = evaluateTrace(document, [large], { limits: { expressionMs: 30, documentMs: 40 } });
    const messages = new Set(verdict.indicatorVerdicts.map(({ error }) => error?.message));
    expect(messages).toEqual(new Set(['evaluating the document took longer than 40 ms']));
  });
  test('without its evaluator an indicator is skipped even when no message was selected', () => {
    const document = documentWith({
      execution: server,
      indicators: [{ target: '', surface: 'prompts/get', expression: { cel: 'true' } }],
    });
    expect(evaluateTrace(document, [large], { cel: null }).verdict.indicatorVerdicts[0]?.result).toBe(
      'skipped',
    );
  });
  test('without CEL expressions are skipped', () => {
    const document = documentWith({
      execution: server,
      indicators: [{ target: '', expression: { cel: 'true' } }],
    });
    expect(evaluateTrace(document, [large], { cel: null }).verdict.indicatorVerdicts[0]?.result).toBe(
      'skipped',
    );
  });

  const semantic = { target: 'text', semantic: { intent: 'leak', threshold: 0.5 } };
  const texts = ['a', 'bb', 'ccc'].map((text) => message({ content: { text } }));
  const byLength: SemanticEvaluator = { evaluate: (text) => text.length / 4 };

  test('the highest score decides', () => {
    const document = documentWith({ execution: server, indicators: [semantic] });
    const verdict = evaluateTrace(document, texts, { semantic: byLength }).verdict.indicatorVerdicts[0];
    expect(verdict).toMatchObject({ result: 'matched', evidence: 'score 0.5' });
  });
  test('an asynchronous evaluator, and records that arrive over time', async () => {
    const document = documentWith({ execution: server, indicators: [semantic] });
    async function* arriving() {
      yield* texts;
    }
    const waiting = { evaluate: async (text: string) => text.length / 4 };
    const evaluation = await evaluateTraceAsync(document, arriving(), { semantic: waiting });
    expect(evaluation.verdict.result).toBe('exploited');
  });
  test('an evaluator that fails gives an error', () => {
    const document = documentWith({ execution: server, indicators: [semantic] });
    const failing: SemanticEvaluator = {
      evaluate: () => {
        throw new Error('no model');
      },
    };
    expect(evaluateTrace(document, texts, { semantic: failing }).verdict.indicatorVerdicts[0]).toMatchObject({
      result: 'error',
      error: { kind: 'semantic_error', message: 'no model' },
    });
  });
  describe('an asynchronous judge', () => {
    const document = documentWith({ execution: server, indicators: [semantic] });
    const rows: [string, () => Promise<number>, object][] = [
      [
        'that rejects',
        () => Promise.reject(new Error('no model')),
        { result: 'error', error: { kind: 'semantic_error', message: 'no model' } },
      ],
      [
        'that rejects with what is no error',
        () => Promise.reject('busy'),
        { result: 'error', error: { kind: 'semantic_error', message: 'busy' } },
      ],
      [
        'that throws before it gives a promise',
        () => {
          throw new Error('no model');
        },
        { result: 'error', error: { kind: 'semantic_error', message: 'no model' } },
      ],
      ['whose score is none', async () => 2, { result: 'error', error: { kind: 'semantic_error' } }],
      ['that finds nothing', async () => 0.1, { result: 'not_matched', evidence: 'score 0.1' }],
    ];
    test.each(rows)('%s', async (_, evaluate, expected) => {
      const { verdict } = await evaluateTraceAsync(document, texts, { semantic: { evaluate } });
      expect(verdict.indicatorVerdicts[0]).toMatchObject(expected);
    });
    test.each(rows)('%s, on one message', async (_, evaluate, expected) => {
      const [indicator] = document.attack.indicators ?? [];
      if (indicator === undefined) throw new Error('there is no indicator');
      const verdict = await evaluateIndicatorAsync(indicator, { text: 'a' }, { semantic: { evaluate } });
      expect(verdict).toMatchObject(expected);
    });
    test('that rejects on one message and finds nothing in another', async () => {
      const evaluate = async (text: string) => (text === 'bb' ? Promise.reject(new Error('no model')) : 0);
      const { verdict } = await evaluateTraceAsync(document, texts, { semantic: { evaluate } });
      expect(verdict.indicatorVerdicts[0]).toMatchObject({ result: 'error', error: { message: 'no model' } });
    });
  });
  test('the incremental twin gives the same', () => {
    const document = documentWith({
      execution: server,
      indicators: [{ target: 'text', pattern: { contains: 'cc' } }],
    });
    const evaluator = traceEvaluator(document);
    for (const record of texts) evaluator.add(record);
    expect(evaluator.finish().verdict.result).toBe('exploited');
  });
});
