import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openFakeMcp, serving } from './fake-mcp.ts';
import { add } from './support.ts';

const timers = new URL('../support/pending-timers.ts', import.meta.url).href;
const agents = new URL('../../src/built-in/built-in-agents.ts', import.meta.url).href;

/** This process is not killed: it ends when the agent has left nothing open. */
const script = (url: string, name: string): string => `
  const { watchTimers } = await import(${JSON.stringify(timers)});
  const pending = watchTimers();
  const { serveBuiltInAgent } = await import(${JSON.stringify(agents)});
  const mcpConfig = { mcpServers: { one: { type: 'http', url: ${JSON.stringify(url)} } } };
  const agent = await serveBuiltInAgent({ name: ${JSON.stringify(name)}, mcpConfig });
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'Calculate 1 + 2' }] });
  const response = await fetch(agent.doors.ag_ui, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const text = await response.text();
  await agent.stop();
  const waits = pending();
  process.on('exit', () => console.log(text.includes('RUN_FINISHED'), JSON.stringify(waits)));
`;

test.each(['gullible', 'guarded'])('a process that has stopped %s comes to its end', async (name) => {
  const server = await openFakeMcp(serving({ tools: [add] }));
  try {
    const argv = ['--import', 'tsx', '--input-type=module', '--eval', script(server.url, name)];
    const { stdout } = await promisify(execFile)(process.execPath, argv, { timeout: 100_000 });
    expect(stdout.trim()).toBe('true []');
    expect(server.received.at(-1)).toBe('add {"a":1,"b":2}');
  } finally {
    await server.close();
  }
});
