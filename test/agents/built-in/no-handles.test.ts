import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { watchTimers } from '../../support/pending-timers.ts';
import { openFakeMcp, serving } from './fake-mcp.ts';
import { add } from './support.ts';

const runtime = new URL('../../../dist/runtime.js', import.meta.url).href;

/** This process is not killed: it ends when the agent has left nothing open. It loads the package as built, which is faster. */
const script = (url: string, name: string): string => `
  const pending = (${watchTimers})();
  const { builtInAgent } = await import(${JSON.stringify(runtime)});
  const mcpConfig = { mcpServers: { one: { type: 'http', url: ${JSON.stringify(url)} } } };
  const agent = await builtInAgent(${JSON.stringify(name)}).launch({ endpoints: {}, mcpConfig, a2aCards: [], withinMs: 60_000 });
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'Calculate 1 + 2' }] });
  const response = await fetch(agent.addresses.ag_ui, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const text = await response.text();
  await agent.stop();
  const waits = pending();
  process.on('exit', () => console.log(text.includes('RUN_FINISHED'), JSON.stringify(waits)));
`;

test.each(['gullible', 'guarded'])(
  'built-in agent %s: leaves nothing open that keeps its process alive after it stops',
  async (name) => {
    const server = await openFakeMcp(serving({ tools: [add] }));
    try {
      const argv = ['--input-type=module', '--eval', script(server.url, name)];
      const { stdout } = await promisify(execFile)(process.execPath, argv, { timeout: 100_000 });
      expect(stdout.trim()).toBe('true []');
      expect(server.received.at(-1)).toBe('add {"a":1,"b":2}');
    } finally {
      await server.close();
    }
  },
);
