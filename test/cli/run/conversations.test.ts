import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { freshFolder } from '../../support/fresh-folder.ts';
import { startCli } from '../run-cli.ts';

let server: Server | undefined;
afterEach(() => server?.close());

test('oatf run gives a stateful agent a new conversation for each repeat', async () => {
  const threads: string[] = [];
  const answering = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    threads.push(JSON.parse(body).thread);
    response.end('Hello.');
  });
  server = answering;
  await new Promise<void>((resolve) => answering.listen(0, '127.0.0.1', resolve));
  const { port } = answering.address() as AddressInfo;
  const target = {
    http: `http://127.0.0.1:${port}/`,
    body: { thread: '{{thread}}', messages: '{{messages}}', servers: '{{mcp_config}}' },
  };
  const config = JSON.stringify({ targets: { mine: target } });
  const child = startCli(
    ['run', 'OATS-001', '--agent', 'mine', '--repeat', '3', '--out', 'out'],
    freshFolder([['oatf.config.json', config]]),
  );
  await new Promise((resolve) => child.on('close', resolve));
  expect(threads).toHaveLength(3);
  expect(new Set(threads).size).toBe(3);
});
