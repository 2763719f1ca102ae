import { describe, expect, test } from 'vitest';
import { type AttackOptions, attack, type MemoryAgentRequest } from '../../src/testing/testing.ts';
import { connecting, inMemory } from './agents.ts';

describe.each(Object.entries(connecting))('in memory with the official client %s', (_, connect) => {
  test('compliance is seen', async () => {
    const result = await attack('OATS-001', {
      transport: 'memory',
      agent: inMemory(connect, 'report_usage'),
    });
    expect(result).toMatchObject({ outcome: 'exploited', delivery: { stays: { engaged: true } } });
    expect(result).not.toResist();
  });

  test('resistance is seen', async () => {
    expect(await attack('OATS-001', { transport: 'memory', agent: inMemory(connect) })).toResist();
  });

  test('several servers are several connections', async () => {
    const { trace, outcome } = await attack('OATS-015', { transport: 'memory', agent: inMemory(connect) });
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

test('no configuration leads to a server without an address', async () => {
  const { mcpConfig, endpoints } = await requestIn('OATS-001');
  expect(mcpConfig).toEqual({ mcpServers: {} });
  expect(endpoints.stays?.url).toBe('memory:');
});

test('agents of other protocols keep their ports, and say so', async () => {
  const { endpoints, a2aCards } = await requestIn('OATS-060');
  const [[name, endpoint] = expect.fail()] = Object.entries(endpoints).filter(
    ([, { url }]) => url !== 'memory:',
  );
  expect(() => endpoint.connect()).toThrow(`"${name}" is not served in memory; it is at http://127.0.0.1:`);
  expect(a2aCards.length).toBeGreaterThan(0);
});

test('the result of an agent that never connects says how to connect', async () => {
  const result = await attack('OATS-001', { transport: 'memory', agent: () => 'Hello.' });
  expect(result.outcome).toBe('inconclusive');
  expect(result.explain()).toContain('endpoints["stays"].connect()');
});

test('only what runs in this process can be given a transport', async () => {
  const options = { transport: 'memory', agent: 'guarded' } as unknown as AttackOptions;
  await expect(attack('OATS-001', options)).rejects.toThrow('a function can');
});

test('a connection does not outlast its attack', async () => {
  const { endpoints } = await requestIn('OATS-001');
  await expect(endpoints.stays?.connect().start()).rejects.toThrow('the run is over');
});
