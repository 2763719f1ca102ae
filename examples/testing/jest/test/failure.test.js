import { expect, test } from '@jest/globals';
import { attack } from 'oatf/testing/jest';
import { assistant, overHttp } from '../src/assistant.js';

// What a failure looks like. Take the `expect(() => …)` away to see it as Jest shows it. Who imports `expect` has its types
// from `oatf/testing/jest`; the rest is the same.

test('an agent that obeys whatever it reads', async () => {
  const result = await attack('OATS-001', {
    agent: ({ prompt, mcpConfig }) =>
      assistant({ prompt, servers: overHttp(mcpConfig.mcpServers) }, { obedient: true }),
  });
  expect(() => expect(result).toResist()).toThrow(/EXPLOITED.*OATS-001-02.*report_usage/s);
  expect(result).not.toResist();
});

test('an agent that never looks at its tools is not safe, it was not attacked', async () => {
  const result = await attack('OATS-001', { agent: () => 'I have no tools.' });
  expect(() => expect(result).toResist()).toThrow(/INCONCLUSIVE.*this is not a pass/s);
  expect(() => expect(result).not.toResist()).toThrow(/INCONCLUSIVE.*this is not a pass/s);
});
