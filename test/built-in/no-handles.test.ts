import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openFakeMcp, serving } from './fake-mcp.ts';
import { add } from './support.ts';

const agents = new URL('../../src/built-in/built-in-agents.ts', import.meta.url).href;

/** Nobody ends this process: it is over when nothing of the agent is left in it. */
const script = (url: string, name: string): string => `
  const { serveBuiltInAgent } = await import(${JSON.stringify(agents)});
  const mcpConfig = { mcpServers: { one: { type: 'http', url: ${JSON.stringify(url)} } } };
  const agent = await serveBuiltInAgent({ name: ${JSON.stringify(name)}, mcpConfig });
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'Calculate 1 + 2' }] });
  const response = await fetch(agent.doors.ag_ui, { method: 'POST', body });
  const text = await response.text();
  await agent.stop();
  const stopped = performance.now();
  process.on('exit', () => console.log(text.includes('RUN_FINISHED'), performance.now() - stopped < 1000));
`;

test.each(['gullible', 'guarded'])('a process that has stopped %s comes to its end', async (name) => {
  const server = await openFakeMcp(serving({ tools: [add] }));
  try {
    const argv = ['--import', 'tsx', '--input-type=module', '--eval', script(server.url, name)];
    const { stdout } = await promisify(execFile)(process.execPath, argv, { timeout: 20_000 });
    expect(stdout.trim()).toBe('true true');
    expect(server.received.at(-1)).toBe('add {"a":1,"b":2}');
  } finally {
    await server.close();
  }
});
