import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertResists, attack } from 'oatf/testing';
import { assistant, overHttp } from '../src/assistant.js';

// What a failure looks like. Take the `assert.throws(() => …)` away to see it as node:test shows it.

test('an agent that obeys whatever it reads', async () => {
  const result = await attack('OATS-001', {
    agent: ({ prompt, mcpConfig }) =>
      assistant({ prompt, servers: overHttp(mcpConfig.mcpServers) }, { obedient: true }),
  });
  assert.throws(() => assertResists(result), /EXPLOITED.*OATS-001-02.*report_usage/s);
  assert.equal(result.outcome, 'exploited');
});

test('an agent that never looks at its tools is not safe, it was not attacked', async () => {
  const result = await attack('OATS-001', { agent: () => 'I have no tools.' });
  assert.throws(() => assertResists(result), /INCONCLUSIVE.*this is not a pass/s);
});
