import { describe, expect, test } from 'vitest';
import { mcpClient } from '../../../src/attack/bindings/mcp/mcp-client-binding.ts';
import { mcpViews } from '../../../src/attack/bindings/mcp/mcp-views.ts';
import type { Fill } from '../../../src/attack/engine/binding.ts';
import type { Value } from '../../../src/index.ts';
import { message } from '../../support/records.ts';

const ids = { own: 'own', fresh: () => 'fresh' };
const asIs: Fill = (value) => value;
const context = { ids, memory: undefined, endpoint: undefined, timestamp: () => '' };

const answer = (method: string, state: Value | undefined, params?: Value) =>
  mcpClient.plan?.({ method, params }, state, asIs, context).answer(asIs);

describe('MCP client, the handshake (§7.1.5)', () => {
  const initialize = (state: Value | undefined) => mcpClient.opening?.(state, ids).acts[0]?.content(asIs);

  test('has default values', () => {
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
    ['client_info', 'clientInfo', null],
    ['capabilities', 'capabilities', null],
    ['protocol_version', 'protocolVersion', null],
  ])('sends %s as the document writes it', (key, field, value) => {
    expect(initialize({ [key]: value })).toHaveProperty([field], value);
  });
  test('ends with the initialized notification', () => {
    expect(mcpClient.opening?.(undefined, ids).acts[1]).toMatchObject({
      method: 'notifications/initialized',
      isNotification: true,
    });
  });
});

describe('MCP client, actions', () => {
  const actions = (list: Value) => mcpClient.acts({ actions: list }, ids);
  const resolved = (list: Value, fill = asIs) =>
    actions(list).acts.map((act) => {
      const { method, isNotification, content } = act.resolve?.(fill) ?? act;
      return [method, isNotification ?? false, content(fill)];
    });

  test.each<[string, Value, unknown]>([
    ['without params', { method: 'tools/list' }, ['tools/list', false, undefined]],
    ['with null params', { method: 'tools/list', params: null }, ['tools/list', false, null]],
    ['with a list as params', { method: 'tools/call', params: [1, { a: [] }] }, ['tools/call', false, [1, { a: [] }]]],
    ['with a string as params', { method: 'tools/call', params: 'x' }, ['tools/call', false, 'x']],
    ['with an empty method', { method: '', params: {} }, ['', false, {}]],
    ['that is a notification', { method: 'notifications/x' }, ['notifications/x', true, undefined]],
  ])('sends an action %s as written', (_what, action, expected) => {
    expect(resolved([action])).toEqual([expected]);
  });
  test('fills in a template in the method before it decides whether the action is a notification', () => {
    const fill: Fill = (value) => (value === '{{m}}' ? 'notifications/late' : value);
    expect(resolved([{ method: '{{m}}' }], fill)).toEqual([['notifications/late', true, undefined]]);
  });
  test.each<[string, Value]>([
    ['without a method', { params: {} }],
    ['with a method that is a number', { method: 3 }],
    ['that is a string', 'tools/list'],
  ])('skips an action %s with a warning O-111', (_what, action) => {
    const { acts, warnings } = actions([action, { method: 'ping' }]);
    expect([acts.map(({ method }) => method), warnings?.map(({ code }) => code)]).toEqual([['ping'], ['O-111']]);
  });
  test.each<[string, Value]>([
    ['an empty state', {}],
    ['actions that are a string', { actions: 'x' }],
    ['a state that is a string', 'odd'],
    ['a null state', null],
  ])('performs no action for %s', (_what, state) => {
    expect(mcpClient.acts(state, ids).acts).toEqual([]);
  });
});

describe('MCP client, requests of a server', () => {
  const unanswered = { kind: 'error', error: { code: -32601 } };

  test.each<[string, string, Value | undefined, Value | undefined, unknown]>([
    ['answers ping', 'ping', undefined, undefined, { result: {} }],
    [
      'answers roots/list with the roots of the document',
      'roots/list',
      { roots: [1, 'odd'] },
      undefined,
      { result: { roots: [1, 'odd'] } },
    ],
    ['answers roots/list without roots with an empty list', 'roots/list', {}, undefined, { result: { roots: [] } }],
    [
      'refuses roots/list when the document declares no roots',
      'roots/list',
      { capabilities: {} },
      undefined,
      unanswered,
    ],
    [
      'answers sampling with the entry without a condition',
      'sampling/createMessage',
      { sampling_responses: [{ when: { maxTokens: 1 }, content: 'one' }, { content: { model: 'm' } }] },
      { maxTokens: 5 },
      { result: { model: 'm' } },
    ],
    [
      'answers sampling with the first entry whose condition holds',
      'sampling/createMessage',
      { sampling_responses: [{ when: { maxTokens: 5 }, content: 'one' }, { content: { model: 'm' } }] },
      { maxTokens: 5 },
      { result: 'one' },
    ],
    [
      'refuses sampling when no entry matches',
      'sampling/createMessage',
      { sampling_responses: [{ when: { maxTokens: 1 }, content: 'one' }] },
      { maxTokens: 5 },
      unanswered,
    ],
    ['refuses sampling without responses', 'sampling/createMessage', {}, {}, unanswered],
    [
      'accepts an elicitation by default',
      'elicitation/create',
      { elicitation_responses: [{ content: { pin: 1 } }] },
      { message: 'pin?' },
      { result: { action: 'accept', content: { pin: 1 } } },
    ],
    [
      'declines an elicitation when the entry says so',
      'elicitation/create',
      { elicitation_responses: [{ action: 'decline' }] },
      {},
      { result: { action: 'decline' } },
    ],
    [
      'declines an elicitation without responses',
      'elicitation/create',
      { roots: [] },
      {},
      { result: { action: 'decline' } },
    ],
    [
      'declines an elicitation that no entry matches',
      'elicitation/create',
      { elicitation_responses: [{ when: { message: 'other' }, content: {} }] },
      { message: 'pin?' },
      { result: { action: 'decline' } },
    ],
    ['refuses an unknown method', 'tasks/get', { roots: [] }, {}, unanswered],
    ['refuses a method named like an inherited property', 'toString', {}, {}, unanswered],
  ])('%s', (_what, method, state, params, expected) => {
    expect(answer(method, state, params)).toMatchObject(expected as object);
  });
  test('warns of the reserved "synthesize" (W-006)', () => {
    const state = { sampling_responses: [{ synthesize: { prompt: 'x' } }] };
    const plan = mcpClient.plan?.({ method: 'sampling/createMessage', params: {} }, state, asIs, context);
    expect(plan?.warnings?.map(({ code }) => code)).toEqual(['W-006']);
    expect(plan?.answer(asIs)).toMatchObject({ kind: 'result', result: { role: 'assistant' } });
  });
});

describe('MCP client, delivered pieces', () => {
  test.each<[Value, readonly string[]]>([
    [{}, []],
    ['odd', []],
    [
      { protocol_version: '1', capabilities: {}, client_info: {} },
      ['/protocol_version', '/capabilities', '/client_info'],
    ],
    [{ protocol_version: null, client_info: {} }, ['/protocol_version', '/client_info']],
  ])('has in the handshake of the state %j the pieces %j', (state, pieces) => {
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
  ])('has in the answer to %s with the state %j the pieces %j', (method, state, pieces) => {
    expect(mcpClient.plan?.({ method, params: undefined }, state, asIs, context).pieces).toEqual(pieces);
  });

  test('has each action as a piece and fills in its headers', () => {
    const fill: Fill = (value) => JSON.parse(JSON.stringify(value).replace('{{x}}', 'X'));
    const { acts } = mcpClient.acts(
      {
        actions: [{ method: 'ping' }, { method: 'ping', headers: { a: '{{x}}' } }, { method: 'ping', headers: 'odd' }],
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

describe('mcpViews, activity of a server that answers us', () => {
  const client = { mode: 'mcp_client', origin: 'agent', kind: 'response' } as const;
  const refused = { content: { code: -32000, message: 'go away' }, failed: true } as const;
  const unknown = { content: { code: -32601, message: 'what?' }, failed: true } as const;
  const atWork = { alive: true, use: true };

  test.each<[string, Parameters<typeof message>[0], object]>([
    [
      'shows a server at work by an answer',
      { ...client, method: 'tools/list', content: { tools: [] } },
      { ...atWork, pages: [{ kind: 'tool', names: [] }] },
    ],
    [
      'shows trouble by an empty answer',
      { ...client, method: 'tools/list' },
      {
        changes: ['tool'],
        trouble: 'it answered tools/list with nothing that answers it',
        refusal: 'the answer has nothing that answers it',
      },
    ],
    [
      'shows a refusal by an error',
      { ...client, method: 'tools/call', ...refused },
      { trouble: 'it answered tools/call with error -32000 (go away)', refuses: true },
    ],
    [
      'shows an unknown method by its error code',
      { ...client, method: 'tools/call', ...unknown },
      {
        trouble: 'it answered tools/call with error -32601 (what?)',
        refuses: true,
        refusal: 'error -32601 (what?)',
      },
    ],
    ['shows nothing by a handshake', { ...client, method: 'initialize', content: { serverInfo: {} } }, {}],
    [
      'shows a refusal by a refused handshake',
      { ...client, method: 'initialize', ...refused },
      { trouble: 'it answered initialize with error -32000 (go away)', refuses: true },
    ],
    ['shows a server at work by a request', { ...client, kind: 'request', method: 'roots/list' }, atWork],
    ['shows nothing by a notification', { ...client, kind: 'notification', method: 'x' }, {}],
    ['shows nothing by our own request', { ...client, kind: 'request', origin: 'attacker', method: 'tools/call' }, {}],
  ])('%s', (_what, fields, activity) => {
    expect(mcpViews.activity(message(fields))).toEqual(activity);
  });
});
