import { Client as Client2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, test } from 'vitest';
import {
  createMemoryServer,
  type MemoryConnection,
  type MemoryEndpoint,
  type MemoryLimits,
} from '../../../src/attack/transport/mcp-server/in-memory.ts';
import { eventually } from '../../support/http-peer.ts';
import { type RunningActor, runActor } from '../../support/run-actor.ts';

let actor: RunningActor | undefined;
afterEach(() => actor?.stop());

async function serve(phases: readonly object[], limits: Partial<MemoryLimits> = {}): Promise<MemoryEndpoint> {
  let endpoint: MemoryEndpoint | undefined;
  const server = createMemoryServer(limits);
  const transport = {
    ...server,
    async open(receive: Parameters<typeof server.open>[0]) {
      endpoint = await server.open(receive);
      return endpoint;
    },
  };
  const text = JSON.stringify({ oatf: '0.1', attack: { execution: { mode: 'mcp_server', phases } } });
  actor = await runActor(text, { transport });
  if (endpoint === undefined) throw new Error('it was not opened');
  return endpoint;
}

const tool = {
  name: 'read',
  description: 'Reads',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  responses: [{ content: { content: [{ type: 'text', text: 'read it' }] } }],
};

interface Official {
  readonly changes: number[];
  tools(): Promise<readonly string[]>;
  call(name: string): Promise<unknown>;
  close(): Promise<void>;
}

const info = { name: 'official', version: '1' };
const capabilities = { elicitation: {} };
const accepted = { action: 'accept' as const, content: { key: 'k' } };

const clients: readonly (readonly [string, (connection: MemoryConnection) => Promise<Official>])[] = [
  [
    '1.x',
    async (connection) => {
      const client = new Client1(info, { capabilities });
      const changes: number[] = [];
      client.setRequestHandler(ElicitRequestSchema, async () => accepted);
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => void changes.push(1));
      await client.connect(connection);
      return {
        changes,
        tools: async () => (await client.listTools()).tools.map(({ name }) => name),
        call: (name) => client.callTool({ name, arguments: {} }),
        close: () => client.close(),
      };
    },
  ],
  [
    '2.x',
    async (connection) => {
      const client = new Client2(info, { capabilities });
      const changes: number[] = [];
      client.setRequestHandler('elicitation/create', async () => accepted);
      client.setNotificationHandler('notifications/tools/list_changed', () => void changes.push(1));
      await client.connect(connection);
      return {
        changes,
        tools: async () => (await client.listTools()).tools.map(({ name }) => name),
        call: (name) => client.callTool({ name, arguments: {} }),
        close: () => client.close(),
      };
    },
  ],
];

describe.each(clients)('our MCP server in memory and the official client %s', (_, connect) => {
  test('exchange lists, calls, questions and notifications', async () => {
    const endpoint = await serve([
      {
        state: {
          tools: [tool],
          elicitations: [{ message: 'your key?', requestedSchema: { type: 'object', properties: {} } }],
        },
        trigger: { event: 'tools/call' },
      },
      { name: 'after', on_enter: [{ send: { method: 'notifications/tools/list_changed' } }] },
    ]);
    const client = await connect(endpoint.connect());
    expect(await client.tools()).toEqual(['read']);
    expect(await client.call('read')).toMatchObject({ content: [{ text: 'read it' }] });
    await eventually(() => client.changes.length).toBe(1);
    const asked = actor?.records.filter((record) => 'method' in record && record.method === 'elicitation/create');
    expect(asked).toMatchObject([{ origin: 'attacker' }, { origin: 'agent', content: accepted }]);
    await client.close();
    expect(actor?.transport.openSessions()).toBe(0);
  });

  test('have a session of its own for each connection', async () => {
    const endpoint = await serve([{ state: { tools: [tool] } }]);
    const [one, other] = [await connect(endpoint.connect()), await connect(endpoint.connect())];
    await Promise.all([one.tools(), other.tools()]);
    const sessions = actor?.records.flatMap((record) => ('session' in record ? (record.session ?? []) : []));
    expect([...new Set(sessions)].sort()).toEqual(['memory-1', 'memory-2']);
    await one.close();
    expect(await other.tools()).toEqual(['read']);
  });

  test('notice the end of the run', async () => {
    const endpoint = await serve([{ state: { tools: [{ ...tool, responses: [] }], elicitations: [] } }]);
    const client = await connect(endpoint.connect());
    await actor?.stop();
    await expect(client.tools()).rejects.toThrow(/not connected|closed/i);
    await expect(connect(endpoint.connect())).rejects.toThrow('the run is over');
  });
});

describe('a connection in memory', () => {
  test('is started once, and sends only while it lasts', async () => {
    const connection = (await serve([{ state: {} }])).connect();
    await expect(connection.send({})).rejects.toThrow('not connected');
    await connection.start();
    await expect(connection.start()).rejects.toThrow('started already');
    await connection.close();
    await connection.close();
    await expect(connection.send({})).rejects.toThrow('not connected');
    await expect(connection.start()).rejects.toThrow('started already');
  });

  test('reports its end once', async () => {
    const connection = (await serve([{ state: {} }])).connect();
    let ends = 0;
    connection.onclose = () => {
      ends += 1;
    };
    await connection.start();
    await connection.close();
    await actor?.stop();
    expect(ends).toBe(1);
  });

  test('reports an error of its listener and does not break the run', async () => {
    const connection = (await serve([{ state: {} }])).connect();
    const errors: string[] = [];
    connection.onmessage = () => {
      throw new Error('deaf');
    };
    connection.onerror = ({ message }) => void errors.push(message);
    await connection.start();
    await connection.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    await eventually(() => errors).toEqual(['deaf']);
  });

  test('refuses to send a value that is not JSON', async () => {
    const connection = (await serve([{ state: {} }])).connect();
    await connection.start();
    const circle: { self?: unknown } = {};
    circle.self = circle;
    await expect(connection.send(circle)).rejects.toThrow(/circular/i);
    await expect(connection.send(undefined)).rejects.toThrow('not JSON');
  });

  test('is refused if there are too many', async () => {
    const endpoint = await serve([{ state: {} }], { sessions: 1 });
    await endpoint.connect().start();
    await expect(endpoint.connect().start()).rejects.toThrow('too many sessions');
  });

  test('leaves room for timers while a peer sends without end', async () => {
    const connection = (await serve([{ state: {} }])).connect();
    await connection.start();
    let isOver = false;
    setTimeout(() => {
      isOver = true;
    }, 0);
    let sent = 0;
    while (!isOver && sent < 100_000) {
      await connection.send({ jsonrpc: '2.0', method: 'notifications/x' });
      sent += 1;
    }
    expect(isOver).toBe(true);
  });
});
