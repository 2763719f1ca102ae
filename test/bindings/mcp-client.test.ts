import { describe, expect, test } from 'vitest';
import { mcpClient } from '../../src/bindings/mcp/client.ts';
import { mcpViews } from '../../src/bindings/mcp/views.ts';
import type { Fill } from '../../src/engine/binding.ts';
import type { Value } from '../../src/index.ts';
import { message } from '../support/records.ts';

const ids = { own: 'own', fresh: () => 'fresh' };
const asIs: Fill = (value) => value;
const context = { ids, memory: undefined, endpoint: undefined, timestamp: () => '' };

const answer = (method: string, state: Value | undefined, params?: Value) =>
  mcpClient.plan?.({ method, params }, state, asIs, context).answer(asIs);

describe('the handshake (§7.1.5)', () => {
  const initialize = (state: Value | undefined) => mcpClient.opening?.(state, ids).acts[0]?.content(asIs);

  test('defaults', () => {
    expect(initialize({ actions: [] })).toEqual({
      protocolVersion: '2025-11-25',
      capabilities: { roots: { listChanged: true } },
      clientInfo: { name: 'oatf-client', version: '1.0.0' },
    });
  });
  test.each<[string, string, Value]>([
    ['client_info', 'clientInfo', ['a list']],
    ['capabilities', 'capabilities', { sampling: { tools: {} }, odd: null }],
    ['protocol_version', 'protocolVersion', 7],
  ])('%s goes out as it is written', (key, field, value) => {
    expect(initialize({ [key]: value })).toHaveProperty([field], value);
  });
  test('then a notification tells the server that the handshake is done', () => {
    expect(mcpClient.opening?.(undefined, ids).acts[1]).toMatchObject({
      method: 'notifications/initialized',
      isNotification: true,
    });
  });
});

describe('actions', () => {
  const actions = (list: Value) => mcpClient.acts({ actions: list }, ids);
  const resolved = (list: Value, fill = asIs) =>
    actions(list).acts.map((act) => {
      const { method, isNotification, content } = act.resolve?.(fill) ?? act;
      return [method, isNotification ?? false, content(fill)];
    });

  test.each<[string, Value, unknown]>([
    ['no params', { method: 'tools/list' }, ['tools/list', false, undefined]],
    ['params of null', { method: 'tools/list', params: null }, ['tools/list', false, null]],
    ['a list', { method: 'tools/call', params: [1, { a: [] }] }, ['tools/call', false, [1, { a: [] }]]],
    ['a string', { method: 'tools/call', params: 'x' }, ['tools/call', false, 'x']],
    ['an odd method', { method: '', params: {} }, ['', false, {}]],
    ['a notification', { method: 'notifications/x' }, ['notifications/x', true, undefined]],
  ])('%s', (_what, action, expected) => {
    expect(resolved([action])).toEqual([expected]);
  });
  test('a method may hold templates; what it is shows when it goes out', () => {
    const fill: Fill = (value) => (value === '{{m}}' ? 'notifications/late' : value);
    expect(resolved([{ method: '{{m}}' }], fill)).toEqual([['notifications/late', true, undefined]]);
  });
  test.each<[string, Value]>([
    ['no method', { params: {} }],
    ['a method that is no text', { method: 3 }],
    ['no object', 'tools/list'],
  ])('%s is skipped, and warned of', (_what, action) => {
    const { acts, warnings } = actions([action, { method: 'ping' }]);
    expect([acts.map(({ method }) => method), warnings?.map(({ code }) => code)]).toEqual([
      ['ping'],
      ['O-111'],
    ]);
  });
  test.each<[string, Value]>([
    ['nothing', {}],
    ['no list', { actions: 'x' }],
    ['no state', 'odd'],
    ['null', null],
  ])('%s does nothing', (_what, state) => {
    expect(mcpClient.acts(state, ids).acts).toEqual([]);
  });
});

describe('questions of a server', () => {
  const unanswered = { kind: 'error', error: { code: -32601 } };

  test.each<[string, string, Value | undefined, Value | undefined, unknown]>([
    ['ping', 'ping', undefined, undefined, { result: {} }],
    ['roots', 'roots/list', { roots: [1, 'odd'] }, undefined, { result: { roots: [1, 'odd'] } }],
    ['no roots', 'roots/list', {}, undefined, { result: { roots: [] } }],
    ['roots that are not declared', 'roots/list', { capabilities: {} }, undefined, unanswered],
    [
      'a sample',
      'sampling/createMessage',
      { sampling_responses: [{ when: { maxTokens: 1 }, content: 'one' }, { content: { model: 'm' } }] },
      { maxTokens: 5 },
      { result: { model: 'm' } },
    ],
    [
      'a sample for this request',
      'sampling/createMessage',
      { sampling_responses: [{ when: { maxTokens: 5 }, content: 'one' }, { content: { model: 'm' } }] },
      { maxTokens: 5 },
      { result: 'one' },
    ],
    [
      'a sample that no entry is meant for',
      'sampling/createMessage',
      { sampling_responses: [{ when: { maxTokens: 1 }, content: 'one' }] },
      { maxTokens: 5 },
      unanswered,
    ],
    ['a sample without responses', 'sampling/createMessage', {}, {}, unanswered],
    [
      'a form, accepted by default',
      'elicitation/create',
      { elicitation_responses: [{ content: { pin: 1 } }] },
      { message: 'pin?' },
      { result: { action: 'accept', content: { pin: 1 } } },
    ],
    [
      'a form, declined',
      'elicitation/create',
      { elicitation_responses: [{ action: 'decline' }] },
      {},
      { result: { action: 'decline' } },
    ],
    [
      'a form without responses, declined',
      'elicitation/create',
      { roots: [] },
      {},
      { result: { action: 'decline' } },
    ],
    [
      'a form that no entry answers, declined',
      'elicitation/create',
      { elicitation_responses: [{ when: { message: 'other' }, content: {} }] },
      { message: 'pin?' },
      { result: { action: 'decline' } },
    ],
    ['something else', 'tasks/get', { roots: [] }, {}, unanswered],
    ['a name that every object has', 'toString', {}, {}, unanswered],
  ])('%s', (_what, method, state, params, expected) => {
    expect(answer(method, state, params)).toMatchObject(expected as object);
  });
  test('W-006: synthesize is reserved, and content is used if there is any', () => {
    const state = { sampling_responses: [{ synthesize: { prompt: 'x' } }] };
    const plan = mcpClient.plan?.({ method: 'sampling/createMessage', params: {} }, state, asIs, context);
    expect(plan?.warnings?.map(({ code }) => code)).toEqual(['W-006']);
    expect(plan?.answer(asIs)).toMatchObject({ kind: 'result', result: { role: 'assistant' } });
  });
});

describe('pieces', () => {
  test.each<[Value, readonly string[]]>([
    [{}, []],
    ['odd', []],
    [
      { protocol_version: '1', capabilities: {}, client_info: {} },
      ['/protocol_version', '/capabilities', '/client_info'],
    ],
    [{ protocol_version: null, client_info: {} }, ['/client_info']],
  ])('the handshake of %j carries %j', (state, pieces) => {
    expect(mcpClient.opening?.(state, ids).acts[0]?.pieces).toEqual(pieces);
  });

  test.each<[string, Value, readonly string[]]>([
    ['roots/list', { roots: [] }, ['/roots']],
    ['roots/list', {}, []],
    ['roots/list', { capabilities: { roots: {} } }, []],
    ['sampling/createMessage', { sampling_responses: ['odd', { content: {} }] }, ['/sampling_responses/1']],
    ['elicitation/create', { elicitation_responses: [{ when: { a: 1 } }, {}] }, ['/elicitation_responses/1']],
    ['elicitation/create', {}, []],
    ['elicitation/create', null, []],
  ])('the answer to %s in %j carries %j', (method, state, pieces) => {
    expect(mcpClient.plan?.({ method, params: undefined }, state, asIs, context).pieces).toEqual(pieces);
  });

  test('an action carries its place and the headers that it orders', () => {
    const fill: Fill = (value) => JSON.parse(JSON.stringify(value).replace('{{x}}', 'X'));
    const { acts } = mcpClient.acts(
      {
        actions: [
          { method: 'ping' },
          { method: 'ping', headers: { a: '{{x}}' } },
          { method: 'ping', headers: 'odd' },
        ],
      },
      ids,
    );
    expect(acts.map(({ pieces, manner }) => [pieces, manner?.(fill)])).toEqual([
      [['/actions/0'], undefined],
      [['/actions/1'], { headers: { a: 'X' } }],
      [['/actions/2'], undefined],
    ]);
  });
});

describe('signs of the agent in a message', () => {
  const client = { mode: 'mcp_client', origin: 'agent', kind: 'response' } as const;
  const refused = { content: { code: -32000, message: 'go away' }, failed: true } as const;
  const unknown = { content: { code: -32601, message: 'what?' }, failed: true } as const;
  const atWork = { alive: true, use: true };

  test.each<[string, Parameters<typeof message>[0], object]>([
    ['an answer', { ...client, method: 'tools/list', content: { tools: [] } }, atWork],
    [
      'an answer of nothing',
      { ...client, method: 'tools/list' },
      {
        trouble: 'it answered tools/list with nothing that answers it',
        refusal: 'the answer has nothing that answers it',
      },
    ],
    [
      'an error',
      { ...client, method: 'tools/call', ...refused },
      { trouble: 'it answered tools/call with error -32000 (go away)', refuses: true },
    ],
    [
      'a method that it does not know',
      { ...client, method: 'tools/call', ...unknown },
      {
        trouble: 'it answered tools/call with error -32601 (what?)',
        refuses: true,
        refusal: 'error -32601 (what?)',
      },
    ],
    ['a handshake', { ...client, method: 'initialize', content: { serverInfo: {} } }, {}],
    [
      'a handshake that is refused',
      { ...client, method: 'initialize', ...refused },
      { trouble: 'it answered initialize with error -32000 (go away)', refuses: true },
    ],
    ['a request of the server', { ...client, kind: 'request', method: 'roots/list' }, atWork],
    ['a notification', { ...client, kind: 'notification', method: 'x' }, {}],
    ['what we ask', { ...client, kind: 'request', origin: 'attacker', method: 'tools/call' }, {}],
  ])('%s', (_what, fields, signs) => {
    expect(mcpViews.signs(message(fields))).toEqual(signs);
  });
});
