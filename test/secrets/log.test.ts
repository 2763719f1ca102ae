import { expect, test } from 'vitest';
import { mcpServer } from '../../src/attack/bindings/mcp/mcp-server-binding.ts';
import { createMemoryServer } from '../../src/attack/transport/mcp-server/in-memory.ts';
import { load } from '../../src/format/load.ts';
import { playDocument } from '../../src/suite/play/play-run.ts';
import { VirtualClock } from '../support/virtual-run.ts';

const secret = 'given-9f8e7d6c5b4a';
const loaded = load(`
oatf: "0.1"
attack:
  name: Logs
  execution:
    mode: mcp_server
    phases:
      - { name: first, state: { tools: [] }, trigger: { after: 1m } }
      - { name: last, state: { tools: [] }, on_enter: [{ log: { message: "it has ${secret}" } }] }
  indicators: [{ target: name, pattern: { contains: x } }]
`);

test('log messages of a document are masked where they hold a secret that the agent was given', async () => {
  if (!loaded.ok) throw new Error('the document is not valid');
  const ending = new AbortController();
  const clock = new VirtualClock();
  const logs: string[] = [];
  await playDocument(loaded.document, {
    modes: [{ binding: mcpServer, transport: () => createMemoryServer() }],
    agent: {
      name: 'a',
      kind: 'test',
      speaks: [],
      isTold: true,
      async launch() {
        setImmediate(() => clock.advance(60_000));
        return { addresses: {}, secrets: [secret], stop: async () => {} };
      },
    },
    clock,
    signal: ending.signal,
    log(_actor, _level, message) {
      logs.push(message);
      ending.abort();
    },
  });
  expect(logs).toEqual(['it has ******']);
});
