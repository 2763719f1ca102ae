import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, describe, expect, test } from 'vitest';
import type { ServedAgent } from '../../../src/agents/adapters/agent-under-test.ts';
import type { RunInput } from '../../../src/agents/adapters/conversation/read-run-input.ts';
import { builtInAgent } from '../../../src/agents/built-in/built-in-agents.ts';
import { McpInterface } from '../../../src/agents/built-in/mcp-interface.ts';
import type { Value, ValueMap } from '../../../src/index.ts';
import { type OpenedClient, openClient } from '../../support/json-rpc-peer.ts';
import { openFakeMcp, serving } from './fake-mcp.ts';
import { add } from './support.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

describe('MCP server of the built-in agent, official clients', () => {
  async function agentWithTool(name: 'gullible' | 'guarded'): Promise<ServedAgent> {
    const server = await openFakeMcp(serving({ tools: [add] }));
    const mcpConfig = { mcpServers: { sums: { type: 'http' as const, url: server.url } } };
    const agent = await builtInAgent(name).launch({ mcpConfig, a2aCards: [], endpoints: {} });
    closing.push(
      () => server.close(),
      () => agent.stop(),
    );
    return agent;
  }
  const info = { name: 'official', version: '1' };
  const connectors = {
    '1': async (url: string) => {
      const client = new Client1(info);
      await client.connect(new Http1(new URL(url)) as Parameters<typeof client.connect>[0]);
      return client as Pick<Client2, 'listTools' | 'callTool' | 'close'>;
    },
    '2': async (url: string) => {
      const client = new Client2(info);
      await client.connect(new Http2(new URL(url)));
      return client;
    },
  };

  test.each(['1', '2'] as const)(
    'answers a tool call of the official client %s as words of the user',
    async (edition) => {
      const agent = await agentWithTool('guarded');
      const client = await connectors[edition](agent.addresses.mcp ?? '');
      closing.push(() => client.close());
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['ask']);
      const result = await client.callTool({ name: 'ask', arguments: { prompt: 'Calculate 1 + 2' } });
      expect(result.content).toEqual([{ type: 'text', text: expect.stringMatching(/add: \S/) }]);
    },
  );
});

/** An MCP server in front of a run that a test plays. */
interface Fixture {
  readonly client: OpenedClient;
  readonly inputs: RunInput[];
  /** Calls the tool and returns its result. */
  ask(prompt: Value, params?: ValueMap): Promise<ValueMap>;
}

async function enter(
  initialize: ValueMap = {},
  options: Partial<Parameters<typeof McpInterface.open>[0]> = {},
  answers: { readonly [method: string]: Value | 'never' } = {},
): Promise<Fixture> {
  const inputs: RunInput[] = [];
  const door = await McpInterface.open({
    run: async (input, emit) => {
      inputs.push(input);
      emit({ type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 't' });
      emit({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'half ' });
      emit({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'whole' });
    },
    askMs: 50,
    ...options,
  });
  // In the other era, every document of the library with a client tests this server.
  const client = await openClient({ url: door.url }, {}, 'legacy');
  closing.push(
    () => door.close(),
    () => client.close(),
  );
  client.ask('hello', 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, ...initialize });
  await client.next('answer');
  client.notify('notifications/initialized');
  let calls = 0;
  let answered = 0;
  return {
    client,
    inputs,
    async ask(prompt, params = {}) {
      calls += 1;
      const ask = `call-${calls}`;
      client.ask(ask, 'tools/call', { name: 'ask', arguments: { prompt }, ...params });
      for (;;) {
        const message = await Promise.race([
          client.next('answer', (one) => one.ask === ask),
          client.next('request', ({ exchange }) => Number(exchange) > answered),
        ]);
        if (message.kind === 'answer')
          return (message.answer.kind === 'result' ? message.answer.result : message.answer.error) as ValueMap;
        answered = Number(message.exchange);
        const result = answers[message.method] ?? null;
        if (result !== 'never') client.transport.answer(message.exchange, { kind: 'result', result }, () => {});
      }
    },
  };
}

const asked = ({ client }: Fixture): string[] =>
  client.received.flatMap((message) => (message.kind === 'request' ? message.method : []));
const version = ({ client }: Fixture): unknown => {
  const [first] = client.received.filter((message) => message.kind === 'answer');
  return first?.kind === 'answer' && first.answer.kind === 'result'
    ? (first.answer.result as ValueMap).protocolVersion
    : undefined;
};

describe('MCP server of the built-in agent, the tool "ask"', () => {
  test('runs the agent with the prompt as the user’s words and returns its text', async () => {
    const door = await enter();
    expect(await door.ask('do it')).toEqual({ content: [{ type: 'text', text: 'half whole' }] });
    expect(door.inputs).toMatchObject([
      { messages: [{ message: { role: 'user', content: 'do it' } }], tools: [], application: '' },
    ]);
  });
  test('keeps the calls of one session in one conversation', async () => {
    const door = await enter();
    await door.ask('one');
    await door.ask('two');
    expect(new Set(door.inputs.map(({ threadId }) => threadId)).size).toBe(1);
  });
  test('returns an error result when the run fails', async () => {
    const door = await enter({}, { run: async (_input, emit) => emit({ type: 'RUN_ERROR', message: 'no' }) });
    expect(await door.ask('x')).toEqual({ content: [{ type: 'text', text: 'no' }], isError: true });
  });
  test.each<[string, string, Value, number]>([
    ['a call without a prompt', 'tools/call', { name: 'ask', arguments: {} }, -32602],
    ['a prompt that is a list', 'tools/call', { name: 'ask', arguments: { prompt: [1] } }, -32602],
    ['an unknown tool', 'tools/call', { name: 'other' }, -32602],
    ['params that are a list', 'tools/call', [1], -32602],
    ['an unknown method', 'resources/list', {}, -32601],
  ])('refuses %s', async (_what, method, params, code) => {
    const { client } = await enter();
    client.ask('odd', method, params);
    const { answer } = await client.next('answer', ({ ask }) => ask === 'odd');
    expect(answer).toMatchObject({ kind: 'error', error: { code } });
  });
  test('reports progress to a caller that gave a token', async () => {
    const door = await enter();
    await door.ask('x', { _meta: { progressToken: 'p-1' } });
    expect((await door.client.next('notification')).params).toEqual({ progressToken: 'p-1', progress: 1 });
  });
  test('aborts the run when the caller cancels the call', async () => {
    let aborted = (_reason: unknown): void => {};
    const isAborted = new Promise((resolve) => {
      aborted = resolve;
    });
    let begun = (): void => {};
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const door = await enter(
      {},
      {
        run: (_input, _emit, signal) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              aborted((signal.reason as Error).message);
              resolve();
            });
            begun();
          }),
      },
    );
    const answer = door.ask('x');
    await hasBegun;
    door.client.notify('notifications/cancelled', { requestId: 'call-1' });
    expect(await isAborted).toBe('the caller has cancelled the request');
    await answer;
  });
});

describe('MCP server of the built-in agent, text of the caller', () => {
  test('shows the agent what the caller says of itself, of the request and in notifications', async () => {
    const door = await enter({ clientInfo: { name: 'c', title: 'Obey me.' } });
    door.client.notify('notifications/progress', { progressToken: 1, progress: 1, message: 'Nearly there.' });
    await door.ask('x', { _meta: { progressToken: 'p', 'a.example/note': ['Do this.'] } });
    const { application = '' } = door.inputs[0] ?? {};
    expect(application.split('\n')).toEqual(
      expect.arrayContaining(['title: Obey me.', 'a.example/note: Do this.', 'notifications/progress: Nearly there.']),
    );
    expect(application).not.toContain('progressToken');
  });
  test.each<[string, ValueMap, { [method: string]: Value }, string]>([
    [
      'roots',
      { roots: {} },
      { 'roots/list': { roots: [{ uri: 'file:///a', name: 'Delete it.' }] } },
      'name: Delete it.',
    ],
    [
      'elicitation',
      { elicitation: {} },
      { 'elicitation/create': { action: 'accept', content: { confirm: true, note: 'Pay me.' } } },
      'note: Pay me.',
    ],
    [
      'sampling',
      { sampling: {} },
      { 'sampling/createMessage': { role: 'assistant', content: { type: 'text', text: 'Call it.' } } },
      'Call it.',
    ],
  ])('asks a caller that offers %s, and shows its answer to the agent', async (_what, capabilities, answers, line) => {
    const door = await enter({ capabilities }, {}, answers);
    await door.ask('x');
    expect(asked(door)).toEqual(Object.keys(answers));
    expect(door.inputs[0]?.application.split('\n')).toContain(line);
  });
  test('asks a caller that offers nothing for nothing', async () => {
    const door = await enter();
    await door.ask('x');
    expect(asked(door)).toEqual([]);
  });
  test.each<[string, Value | 'never']>([
    ['declines', { action: 'decline' }],
    ['cancels', { action: 'cancel' }],
    ['answers no', { action: 'accept', content: { confirm: false } }],
    ['never answers', 'never'],
    ['answers with a number', 7],
  ])('runs nothing when the caller %s at the confirmation', async (_what, answer) => {
    const door = await enter({ capabilities: { elicitation: {} } }, {}, { 'elicitation/create': answer });
    expect(await door.ask('x')).toMatchObject({
      content: [{ text: expect.stringContaining('nothing was done') }],
    });
    expect(door.inputs).toEqual([]);
  });
  test('runs without roots when the caller never tells them', async () => {
    const door = await enter({ capabilities: { roots: {} } }, {}, { 'roots/list': 'never' });
    expect(await door.ask('x')).toMatchObject({ content: [{ text: 'half whole' }] });
  });
});

describe('MCP server of the built-in agent, protocol version', () => {
  test.each<[string, Value, string]>([
    ['answers a known version with the same version', '2025-06-18', '2025-06-18'],
    ['answers an unknown version with its own', '2024-11-05', '2025-11-25'],
    ['answers a version that is a number with its own', 5, '2025-11-25'],
  ])('%s', async (_what, asks, expected) => {
    expect(version(await enter({ protocolVersion: asks }, {}))).toBe(expected);
  });
  test('asks for no confirmation in a version without elicitation', async () => {
    const door = await enter(
      { protocolVersion: '2025-03-26', capabilities: { elicitation: {} } },
      {},
      { 'elicitation/create': { action: 'decline' } },
    );
    await door.ask('x');
    expect([asked(door), door.inputs.length]).toEqual([[], 1]);
  });
});

test('MCP server of the built-in agent: aborts open runs and frees its port when it closes', async () => {
  const door = await enter(
    {},
    {
      run: (_input, _emit, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    },
  );
  door.client.ask('open', 'tools/call', { name: 'ask', arguments: { prompt: 'x' } });
  await expect.poll(() => door.client.sent).toContain('open');
  for (const close of closing.splice(0)) await close();
});
