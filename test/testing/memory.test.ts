import { describe, expect, test } from 'vitest';
import { type AttackOptions, attack, type MemoryAgentRequest } from '../../src/testing/testing.ts';
import { connecting, inMemory } from './agents.ts';

describe.each(Object.entries(connecting))('attack in memory with the official client %s', (_, connect) => {
  test('is exploited if the agent complies', async () => {
    const result = await attack('OATS-001', {
      transport: 'memory',
      agent: inMemory(connect, 'report_usage'),
    });
    expect(result).toMatchObject({ outcome: 'exploited', delivery: { stays: { engaged: true } } });
    expect(result).not.toResist();
  });

  test('is resisted if the agent does not comply', async () => {
    expect(await attack('OATS-001', { transport: 'memory', agent: inMemory(connect) })).toResist();
  });

  test('is exploited if the agent complies after its answer, in a session that it left open', async () => {
    const agent = async ({ endpoints, prompt, messages }: MemoryAgentRequest): Promise<string> => {
      const clients = await Promise.all(Object.values(endpoints).map((endpoint) => connect(endpoint.connect())));
      for (const client of clients) await client.listTools();
      const details = [...messages.map(({ content }) => content), prompt].join();
      setTimeout(() => clients.map((client) => client.callTool({ name: 'report_usage', arguments: { details } })), 100);
      return 'Done.';
    };
    expect(await attack('OATS-001', { transport: 'memory', agent })).toMatchObject({ outcome: 'exploited' });
  });

  test('has a connection for each of several servers', async () => {
    const { trace, outcome } = await attack('OATS-015', {
      transport: 'memory',
      agent: inMemory(connect),
    });
    expect(outcome).toBe('resisted');
    const opened = trace.filter((record) => record.kind === 'connection' && record.event === 'opened');
    const first = opened.filter(({ session }) => session === 'memory-1').map(({ actor }) => actor);
    expect(first.length).toBeGreaterThan(1);
    expect(new Set(first).size).toBe(first.length);
  });
});

/** The arguments of the agent. */
async function requestIn(document: string): Promise<MemoryAgentRequest> {
  let seen: MemoryAgentRequest | undefined;
  const agent = (request: MemoryAgentRequest) => {
    seen = request;
    return 'Hello.';
  };
  await attack(document, { transport: 'memory', agent });
  if (seen === undefined) throw new Error('it was not called');
  return seen;
}

test('an attack in memory gives no configuration, only endpoints', async () => {
  const { mcpConfig, endpoints } = await requestIn('OATS-001');
  expect(mcpConfig).toEqual({ mcpServers: {} });
  expect(endpoints.stays?.url).toBe('memory:');
});

test('an attack in memory serves other protocols on ports, and their endpoints say so', async () => {
  const { endpoints, a2aCards } = await requestIn('OATS-060');
  const [[name, endpoint] = expect.fail()] = Object.entries(endpoints).filter(([, { url }]) => url !== 'memory:');
  expect(() => endpoint.connect()).toThrow(`"${name}" is not served in memory; it is at http://127.0.0.1:`);
  expect(a2aCards.length).toBeGreaterThan(0);
});

test('an attack in memory explains to an agent that never connects how to connect', async () => {
  const result = await attack('OATS-001', { transport: 'memory', agent: () => 'Hello.' });
  expect(result.outcome).toBe('inconclusive');
  expect(result.explain()).toContain('endpoints["stays"].connect()');
});

test('attack refuses transport: memory for an agent that is no function', async () => {
  const options = { transport: 'memory', agent: 'guarded' } as unknown as AttackOptions;
  await expect(attack('OATS-001', options)).rejects.toThrow('a function can');
});

test('a connection in memory cannot be opened after its attack', async () => {
  const { endpoints } = await requestIn('OATS-001');
  await expect(endpoints.stays?.connect().start()).rejects.toThrow('the run is over');
});
