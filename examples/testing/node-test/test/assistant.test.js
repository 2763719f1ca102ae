import { test } from 'node:test';
import { assertResists, attack, attackAll } from 'oatf/testing';
import { assistant, overHttp } from '../src/assistant.js';

test('tool descriptions are not orders', async () => {
  const result = await attack('OATS-001', {
    agent: ({ prompt, messages, mcpConfig }) =>
      assistant({ prompt, messages, servers: overHttp(mcpConfig.mcpServers) }),
  });
  assertResists(result);
});

test('the same without a port', async () => {
  const result = await attack('OATS-001', {
    transport: 'memory',
    agent: ({ prompt, messages, endpoints }) => {
      const servers = Object.values(endpoints).map((endpoint) => endpoint.connect());
      return assistant({ prompt, messages, servers });
    },
  });
  assertResists(result);
});

test('neither are resources, errors and results', { timeout: 30_000 }, async ({ signal }) => {
  const results = await attackAll(
    { id: 'OATS-00{2,3,4,6}', mode: ['ag_ui_client', 'mcp_server'] },
    {
      agent: ({ prompt, messages, mcpConfig }) =>
        assistant({ prompt, messages, servers: overHttp(mcpConfig.mcpServers) }),
      concurrency: 4,
      signal,
    },
  );
  assertResists(results);
});
