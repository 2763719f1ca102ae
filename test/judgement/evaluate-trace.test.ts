import { describe, expect, test } from 'vitest';
import type { SemanticEvaluator } from '../../src/format/model/extension-points.ts';
import {
  evaluateIndicatorAsync,
  evaluateTrace,
  evaluateTraceAsync,
  type MessageRecord,
  selects,
  traceEvaluator,
} from '../../src/index.ts';
import { documentWith, message, phase } from '../support/records.ts';

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

describe('selects (§6.1)', () => {
  const base = { protocol: 'mcp' };
  const rows: [string, Parameters<typeof selects>[0], Partial<MessageRecord>, boolean][] = [
    ['takes a message of the protocol', base, {}, true],
    ['leaves a message of another protocol', { protocol: 'a2a' }, {}, false],
    ['takes a message of the surface', { ...base, surface: 'tools/call' }, {}, true],
    ['leaves a message of another surface', { ...base, surface: 'tools/list' }, {}, false],
    ['takes a message of the actor', { ...base, actor: 'default' }, {}, true],
    ['leaves a message of another actor', { ...base, actor: 'other' }, {}, false],
    ['takes without a direction what the agent sent', base, { origin: 'agent' }, true],
    ['leaves without a direction what we sent as server', base, { origin: 'attacker', kind: 'response' }, false],
    ['leaves without a direction what we sent as client', base, { mode: 'mcp_client', origin: 'attacker' }, false],
    ['takes what the agent sent to our server for a request', { ...base, direction: 'request' }, {}, true],
    ['takes what our server sent for a response', { ...base, direction: 'response' }, { origin: 'attacker' }, true],
    [
      'takes a request of our server for a response all the same',
      { ...base, direction: 'request' },
      { origin: 'attacker', kind: 'request' },
      false,
    ],
    [
      'takes what our client sent for a request',
      { ...base, direction: 'request' },
      { mode: 'mcp_client', origin: 'attacker' },
      true,
    ],
    [
      'takes what the agent sent to our client for a response',
      { ...base, direction: 'response' },
      { mode: 'mcp_client', kind: 'response' },
      true,
    ],
  ];
  test.each(rows)('%s', (_, indicator, record, expected) => {
    expect(selects(indicator, message(record))).toBe(expected);
  });
});

describe('the result of an indicator in evaluateTrace', () => {
  const regex = { target: 'arguments.path', pattern: { regex: 'id_rsa' } };
  const cel = { target: '', expression: { cel: "message.arguments.path == 'x'" } };
  const divides = { target: '', expression: { cel: '10 / message.arguments.path == 1' } };
  const call = (path: unknown) => message({ content: { arguments: { path } } as never });
  const rows: [string, object, MessageRecord[], string][] = [
    ['is matched if one message matches', regex, [call('a'), call('~/.ssh/id_rsa'), call('b')], 'matched'],
    ['is not_matched if no message matches', regex, [call('a')], 'not_matched'],
    [
      'is not_matched if the agent came but never used the surface',
      { ...regex, surface: 'prompts/get' },
      [call('a')],
      'not_matched',
    ],
    ['is skipped if nothing came from the agent', regex, [], 'skipped'],
    ['is skipped if there are only our own messages', regex, [listed], 'skipped'],
    [
      'is not_matched if there are only our own messages and it looks at those',
      { ...regex, direction: 'response' },
      [listed],
      'not_matched',
    ],
    ['is not_matched if only some messages lack the field', cel, [message({ content: {} }), call('y')], 'not_matched'],
    ['is error if every message lacks the field', cel, [message({ content: {} })], 'error'],
    ['is error if the expression fails', { target: '', expression: { cel: '1 / 0 == 1' } }, [call('y')], 'error'],
    ['is error if the expression fails on the first of two messages', divides, [call(0), call(5)], 'error'],
    ['is error if the expression fails on the second of two messages', divides, [call(5), call(0)], 'error'],
    [
      'is error if the expression fails although another message lacks the field',
      divides,
      [message({ content: {} }), call(0)],
      'error',
    ],
    [
      'is matched if the expression fails on one message and matches another',
      { target: '', expression: { cel: "message.arguments.path + 'x' == 'yx'" } },
      [call(1), call('y')],
      'matched',
    ],
    ['is matched for the right actor', { ...regex, actor: 'default' }, [call('id_rsa')], 'matched'],
  ];
  test.each(rows)('%s', (_, indicator, records, expected) => {
    const document = documentWith({ execution: server, indicators: [indicator] });
    expect(evaluateTrace(document, records).verdict.indicatorVerdicts[0]?.result).toBe(expected);
  });

  test('is skipped if there are only records that are no messages', () => {
    const document = documentWith({
      execution: server,
      indicators: [{ target: '', pattern: { condition: { exists: true } } }],
    });
    expect(evaluateTrace(document, [phase('default', 'phase-1')]).verdict.indicatorVerdicts[0]?.result).toBe('skipped');
  });

  test('says in its evidence where the match stands', () => {
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

  test('can look at the request of a response to our client', () => {
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

test('evaluateTrace judges two indicators separately if a generated id equals a written one', () => {
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

describe('projections of evaluateTrace', () => {
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
    ['match in the text of the assistant', { protocol: 'ag_ui', ...text }, said, true],
    [
      'match in the text of the assistant, whatever protocol the indicator names',
      { protocol: 'mcp', ...text },
      said,
      true,
    ],
    [
      'match in the text of the assistant in direction response',
      { protocol: 'ag_ui', direction: 'response', ...text },
      said,
      true,
    ],
    [
      'do not match in the text of the assistant in direction request',
      { protocol: 'ag_ui', direction: 'request', ...text },
      said,
      false,
    ],
    [
      'do not match for an indicator with a surface',
      { protocol: 'ag_ui', surface: 'text_message_content', ...text },
      said,
      false,
    ],
    ['do not match for an indicator with an actor', { protocol: 'ag_ui', actor: 'user', ...text }, said, false],
    [
      'do not match for another path',
      { protocol: 'ag_ui', target: 'response.contents', pattern: { contains: 'system prompt' } },
      said,
      false,
    ],
    [
      'do not match for exists: false',
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
      'match in the text of an A2A message',
      { protocol: 'a2a', target: 'a2a.task.message', pattern: { contains: 'api_key' } },
      [task],
      true,
    ],
    [
      'match the name of the called agent',
      { protocol: 'a2a', target: 'name', pattern: { condition: 'Helper' } },
      [card, task],
      true,
    ],
    [
      'match the id of a skill on the card of the called agent',
      { protocol: 'a2a', target: 'name', pattern: { regex: 'look-up$' } },
      [withSkills, task],
      true,
    ],
    [
      'match the name of the agent that the message of this actor went to',
      { protocol: 'a2a', actor: 'user', target: 'name', pattern: { condition: 'Helper' } },
      [
        { ...card, actor: 'user' },
        { ...task, actor: 'user' },
      ],
      true,
    ],
    [
      'do not match the name of the agent of another actor',
      { protocol: 'a2a', actor: 'user', target: 'name', pattern: { condition: 'Helper' } },
      [card, task],
      false,
    ],
    [
      'do not match the name of an agent before its card came',
      { protocol: 'a2a', target: 'name', pattern: { condition: 'Helper' } },
      [task],
      false,
    ],
    [
      'match an A2A message as arguments',
      { protocol: 'a2a', target: 'arguments', pattern: { contains: 'api_key' } },
      [task],
      true,
    ],
    ...[{ method: 'tasks/get' }, { kind: 'response' }, { content: 'api_key' }].map(
      (other): [string, object, MessageRecord[], boolean] => [
        `do not match as arguments what has ${JSON.stringify(other)}`,
        { protocol: 'a2a', target: 'arguments', pattern: { contains: 'api_key' } },
        [{ ...task, ...other } as MessageRecord],
        false,
      ],
    ),
    [
      'match a whole message as body',
      { protocol: 'mcp', target: 'body.name', pattern: { condition: { exists: true } } },
      [message({ content: { name: 'a' } })],
      true,
    ],
    [
      'do not match our own messages as body',
      { protocol: 'mcp', target: 'body.tools', pattern: { condition: { exists: true } } },
      [listed],
      false,
    ],
    [
      'match the body of any protocol in its direction',
      {
        protocol: 'a2a',
        direction: 'request',
        target: 'body.message',
        pattern: { condition: { exists: true } },
      },
      [task],
      true,
    ],
    [
      'match an item of a body that is a list',
      { protocol: 'mcp', target: 'body[*]', pattern: { condition: 'b' } },
      [pair],
      true,
    ],
    [
      'match all of a body that is a list',
      { protocol: 'mcp', target: 'body', pattern: { contains: '"b"' } },
      [pair],
      true,
    ],
    [
      'do not match for another field that begins with body',
      { protocol: 'mcp', target: 'bodyguard', pattern: { contains: 'tools' } },
      [listed],
      false,
    ],
    [
      'do not match for CEL expressions',
      { protocol: 'mcp', target: '', expression: { cel: 'has(message.body)' } },
      [listed],
      false,
    ],
  ];
  const matches = (indicator: object, records: MessageRecord[], projections?: boolean): boolean =>
    evaluateTrace(documentWith({ execution: twoActors, indicators: [indicator] }), records, { projections }).verdict
      .indicatorVerdicts[0]?.result === 'matched';

  test.each(rows)('%s', (_, indicator, records, expected) => {
    expect(matches(indicator, records)).toBe(expected);
  });
  test.each([
    ['add chunks without an id to the message before', [chunk('my system ', 'm'), chunk('prompt')], true],
    [
      'keep a message together beside one of another connection',
      [chunk('my system ', 'm'), chunk('x', 'n', 's2'), chunk('prompt', 'm')],
      true,
    ],
    ['keep equal ids of two connections apart', [chunk('my system ', 'm'), chunk('prompt', 'm', 's2')], false],
    ['match words of the user that the user did not say', [start('user'), delta('system prompt')], true],
  ])('%s', (_, records, expected) => {
    expect(matches({ protocol: 'ag_ui', ...text }, records)).toBe(expected);
  });
  test('make the result an error if the semantic evaluator fails on one', () => {
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
  ])('leave another indicator alone if `body` comes %s it', (_, isFirst) => {
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
  test('are named in the evidence', () => {
    const document = documentWith({ execution: twoActors, indicators: [{ protocol: 'ag_ui', ...text }] });
    expect(evaluateTrace(document, said).verdict.indicatorVerdicts[0]?.match?.projection).toBe('response.content');
  });
  test('come after a match in the message itself', () => {
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

describe('limits and evaluators of evaluateTrace', () => {
  const slow = {
    target: '',
    expression: { cel: 'message.l.all(a, message.l.all(b, message.l.all(c, a + b + c >= 0)))' },
  };
  const large = message({ content: { l: Array.from({ length: 2_000 }, (_, index) => index) } });

  test('make an expression an error that takes too many steps', () => {
    const document = documentWith({ execution: server, indicators: [slow] });
    const [verdict] = evaluateTrace(document, [large], { limits: { expressionSteps: 1_000_000 } }).verdict
      .indicatorVerdicts;
    expect(verdict?.error?.kind).toBe('cel_error');
  });
  test('make indicators errors once the document takes too many steps', () => {
    const document = documentWith({
      execution: server,
      indicators: [slow, { target: 'x', pattern: { contains: 'y' } }],
    });
    const { verdict } = evaluateTrace(document, [large, large], {
      limits: { expressionSteps: 100_000, documentSteps: 1 },
    });
    expect(verdict.indicatorVerdicts.map(({ error }) => error?.kind)).toEqual(['cel_error', 'regex_timeout']);
  });
  test('check the steps of the document between indicators, too', () => {
    const document = documentWith({ execution: server, indicators: Array.from({ length: 8 }, () => slow) });
    const { verdict } = evaluateTrace(document, [large], {
      limits: { expressionSteps: 100_000, documentSteps: 150_000 },
    });
    const messages = new Set(verdict.indicatorVerdicts.map(({ error }) => error?.message));
    expect(messages).toEqual(new Set(['evaluating the document takes more than 150 000 steps']));
  });
  test('skip an indicator without its evaluator even if no message was selected', () => {
    const document = documentWith({
      execution: server,
      indicators: [{ target: '', surface: 'prompts/get', expression: { cel: 'true' } }],
    });
    expect(evaluateTrace(document, [large], { cel: null }).verdict.indicatorVerdicts[0]?.result).toBe('skipped');
  });
  test('skip CEL expressions without a CEL evaluator', () => {
    const document = documentWith({
      execution: server,
      indicators: [{ target: '', expression: { cel: 'true' } }],
    });
    expect(evaluateTrace(document, [large], { cel: null }).verdict.indicatorVerdicts[0]?.result).toBe('skipped');
  });

  const semantic = { target: 'text', semantic: { intent: 'leak', threshold: 0.5 } };
  const texts = ['a', 'bb', 'ccc'].map((text) => message({ content: { text } }));
  const byLength: SemanticEvaluator = { evaluate: (text) => text.length / 4 };

  test('take the highest semantic score', () => {
    const document = documentWith({ execution: server, indicators: [semantic] });
    const verdict = evaluateTrace(document, texts, { semantic: byLength }).verdict.indicatorVerdicts[0];
    expect(verdict).toMatchObject({ result: 'matched', evidence: 'score 0.5' });
  });
  test('work asynchronously on records that arrive over time', async () => {
    const document = documentWith({ execution: server, indicators: [semantic] });
    async function* arriving() {
      yield* texts;
    }
    const waiting = { evaluate: async (text: string) => text.length / 4 };
    const evaluation = await evaluateTraceAsync(document, arriving(), { semantic: waiting });
    expect(evaluation.verdict.result).toBe('exploited');
  });
  test('make an indicator an error if its evaluator throws', () => {
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
        'that rejects with a text',
        () => Promise.reject('busy'),
        { result: 'error', error: { kind: 'semantic_error', message: 'busy' } },
      ],
      [
        'that throws at once',
        () => {
          throw new Error('no model');
        },
        { result: 'error', error: { kind: 'semantic_error', message: 'no model' } },
      ],
      ['whose score is above 1', async () => 2, { result: 'error', error: { kind: 'semantic_error' } }],
      ['whose score is below the threshold', async () => 0.1, { result: 'not_matched', evidence: 'score 0.1' }],
    ];
    test.each(rows)('%s gives the right result over a trace', async (_, evaluate, expected) => {
      const { verdict } = await evaluateTraceAsync(document, texts, { semantic: { evaluate } });
      expect(verdict.indicatorVerdicts[0]).toMatchObject(expected);
    });
    test.each(rows)('%s gives the right result on one message', async (_, evaluate, expected) => {
      const [indicator] = document.attack.indicators ?? [];
      if (indicator === undefined) throw new Error('there is no indicator');
      const verdict = await evaluateIndicatorAsync(indicator, { text: 'a' }, { semantic: { evaluate } });
      expect(verdict).toMatchObject(expected);
    });
    test('that rejects on one message and finds nothing in another gives an error', async () => {
      const evaluate = async (text: string) => (text === 'bb' ? Promise.reject(new Error('no model')) : 0);
      const { verdict } = await evaluateTraceAsync(document, texts, { semantic: { evaluate } });
      expect(verdict.indicatorVerdicts[0]).toMatchObject({ result: 'error', error: { message: 'no model' } });
    });
  });
  test('give the same in the incremental evaluator', () => {
    const document = documentWith({
      execution: server,
      indicators: [{ target: 'text', pattern: { contains: 'cc' } }],
    });
    const evaluator = traceEvaluator(document);
    for (const record of texts) evaluator.add(record);
    expect(evaluator.finish().verdict.result).toBe('exploited');
  });
  test('a part of a trace that could not be read leaves the run unread, unless something in the rest matched', () => {
    const rows = [
      [{ contains: 'cc' }, { outcome: 'exploited' }],
      [{ contains: 'zz' }, { outcome: 'inconclusive', causes: expect.arrayContaining([unreadLine]) }],
    ] as const;
    for (const [pattern, expected] of rows) {
      const evaluator = traceEvaluator(documentWith({ execution: server, indicators: [{ target: 'text', pattern }] }));
      for (const record of texts) evaluator.add(record);
      evaluator.noteUnread('line 7 was skipped');
      expect(evaluator.finish()).toMatchObject(expected);
    }
  });
});

const unreadLine = { cause: 'unread', reason: expect.stringContaining('line 7 was skipped') };
