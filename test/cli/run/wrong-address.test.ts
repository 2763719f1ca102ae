import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { freshFolder } from '../../support/fresh-folder.ts';
import { openAgent } from '../../support/http-agent.ts';
import { call } from '../../support/http-peer.ts';
import { runCommand } from '../run-cli.ts';

// An agent that is already running was configured with an address by hand, and the address may be wrong.

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Runs an attack on an agent that first sends `initialize` to its server as often as this, and then answers its user. */
async function runMistaken(findServer: (listening: number) => string, times: number) {
  const port = await findFreePort();
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const agent = await openAgent(async (response, { threadId, runId }) => {
    for (let count = 0; count < times; count += 1)
      await fetch(findServer(port), { method: 'POST', headers, body: JSON.stringify(call('initialize', {}, 0)) }).catch(
        () => {},
      );
    const events = [
      { type: 'RUN_STARTED', threadId, runId },
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', role: 'assistant', delta: 'Hello.' },
      { type: 'RUN_FINISHED', threadId, runId },
    ];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
  });
  onTestFinished(() => agent.close());
  const command = `oatf run OATS-001 --agent ag-ui:${agent.url} --listen 127.0.0.1:${port} --out out`;
  return { port, ...(await runCommand(command, freshFolder([]))) };
}

test('a run tells an agent that knows another path of our server which path is right', async () => {
  const { stdout, stderr, exit, port } = await runMistaken((own) => `http://127.0.0.1:${own}/`, 2);
  expect(exit).toBe(2);
  expect(stdout).toContain(
    'Reason (not_delivered)  the tool "find_hotels" was never listed; 2 requests to "stays" came to /; the endpoint is /mcp\n',
  );
  expect(stdout).toContain('insufficient data: every message of the agent to "stays" was refused\n');
  expect(stderr).toContain(`oatf: note: "stays" listens at http://127.0.0.1:${port}/mcp\n`);
});

test('a run tells an agent that knows another port which address it did not contact', async () => {
  const { stdout, exit, port } = await runMistaken(() => 'http://127.0.0.1:9/mcp', 1);
  expect(exit).toBe(2);
  expect(stdout).toContain(`was never listed; nothing came to "stays" at http://127.0.0.1:${port}/mcp\n`);
  expect(stdout).toContain('insufficient data: the agent never contacted "stays"\n');
});
