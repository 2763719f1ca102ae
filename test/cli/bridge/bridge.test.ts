import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { freshFolder } from '../../support/fresh-folder.ts';
import { call, eventually, openProxy } from '../../support/http-peer.ts';
import { launch1, launch2, launch2Probing } from '../../support/mcp-clients.ts';
import { type RunningActor, runActor } from '../../support/run-actor.ts';
import { launched, mall, startLaunched } from '../launched.ts';
import { runCommand } from '../run-cli.ts';
import { begin, key } from '../started-run.ts';

const shop = JSON.stringify({
  oatf: '0.1',
  attack: {
    execution: {
      mode: 'mcp_server',
      state: {
        tools: [{ name: 'buy', inputSchema: { type: 'object' }, responses: [{ content: [] }] }],
        elicitations: [{ message: 'key?', requestedSchema: { type: 'object', properties: {} } }],
      },
    },
  },
});

let actor: RunningActor | undefined;
afterEach(async () => {
  await actor?.stop();
  actor = undefined;
});

const say = (...messages: object[]): string =>
  messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
const hello = say(call('initialize', {}, 0));
const closed = () => actor?.records.filter((record) => 'event' in record && record.event === 'closed').length;

describe.each([
  ['sdk 1.32', launch1],
  ['client 2.4', launch2],
])('oatf bridge, for clients of %s', (_, launch) => {
  test('connects three clients to three actors of one attack at once', async () => {
    const run = begin(['mall.yaml'], { 'mall.yaml': mall });
    const urls = await run.urls(3);
    const clients = await Promise.all(urls.map((url) => launch(launched(['bridge', url]))));
    const names = clients.map(({ serverName }) => serverName ?? '');
    expect(names).toEqual(['left', 'middle', 'right']);
    const results = await Promise.all(
      clients.map((client, index) => client.call(`buy_${names[index]}`, { what: 'tea', key })),
    );
    expect(results.map(({ content }) => content[0]?.text)).toEqual(names.map((name) => `${name} sells tea`));
    expect(clients.map(({ asked }) => asked.length)).toEqual([1, 1, 1]);
    await eventually(() => clients.map(({ listChanged }) => listChanged)).toEqual([1, 1, 1]);
    const tools = await Promise.all(clients.map((client) => client.tools()));
    expect(tools.flat().map(({ name }) => name)).toEqual(names.map((name) => `resell_${name}`));
    await Promise.all(clients.map((client) => client.leave()));
    expect(await run.ended).toBe(1);
    expect(run.results().runs[0]).toMatchObject({ outcome: 'exploited', end: 'idle' });
  });
});

describe('oatf bridge', () => {
  test('carries an MCP version without sessions', async () => {
    actor = await runActor(shop);
    const client = await launch2Probing(launched(['bridge', actor.url]));
    expect(await client.call('buy')).toMatchObject({ content: [] });
    expect(client.asked).toHaveLength(1);
    await client.leave();
    expect(new Set(actor.records.flatMap((record) => ('era' in record ? [record.era] : [])))).toEqual(
      new Set(['2026-07-28']),
    );
  });

  test('forwards lines, ends its session with its input and exits with 0', async () => {
    actor = await runActor(shop);
    const { child, output, ended } = startLaunched(['bridge', actor.url]);
    child.stdin.end(`${hello}not a message\n${say(call('ping', {}, 1))}`);
    expect(await ended).toBe(0);
    const lines = output.stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ id: 0 }, { error: { code: -32700 } }, { id: 1 }]);
    expect(output.stderr).toBe('');
    expect(actor.records.filter(({ kind }) => kind === 'malformed')).toMatchObject([
      { raw: Buffer.from('not a message').toString('base64') },
    ]);
    expect(closed()).toBe(1);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends its session on %s', async (signal, exit) => {
    actor = await runActor(shop);
    const { child, output, ended } = startLaunched(['bridge', actor.url]);
    child.stdin.write(hello);
    await eventually(() => output.stdout).toContain('"result"');
    child.kill(signal);
    expect(await ended).toBe(exit);
    expect(closed()).toBe(1);
  });

  test('forwards an elicitation before its call is answered', async () => {
    actor = await runActor(shop);
    const { child, output, ended } = startLaunched(['bridge', actor.url]);
    child.stdin.write(hello);
    await eventually(() => output.stdout).toContain('"result"');
    child.stdin.write(say(call('tools/call', { name: 'buy' }, 1), call('ping', {}, 2)));
    await eventually(() => output.stdout).toContain('elicitation/create');
    await eventually(() => output.stdout).toContain('"id":2');
    expect(output.stdout).not.toContain('"id":1');
    const asked = output.stdout.split('\n').find((line) => line.includes('elicitation/create')) ?? '{}';
    child.stdin.write(say({ id: JSON.parse(asked).id, result: { action: 'decline' } }));
    await eventually(() => output.stdout).toContain('"id":1');
    child.stdin.end();
    expect(await ended).toBe(0);
  });

  test('resumes a broken stream without losing anything', async () => {
    actor = await runActor(shop, { allowedHosts: ['127.0.0.1'] });
    const proxy = await openProxy(Number(new URL(actor.url).port));
    const { child, output, ended } = startLaunched(['bridge', `http://127.0.0.1:${proxy.port}/mcp`]);
    child.stdin.write(hello);
    await eventually(() => output.stdout).toContain('"result"');
    child.stdin.write(say(call('tools/call', { name: 'buy' }, 1)));
    await eventually(() => output.stdout).toContain('elicitation/create');
    proxy.cut();
    const asked = output.stdout.split('\n').find((line) => line.includes('elicitation/create')) ?? '{}';
    child.stdin.write(say({ id: JSON.parse(asked).id, result: { action: 'decline' } }));
    await eventually(() => output.stdout).toContain('"id":1');
    child.stdin.end();
    expect(await ended).toBe(0);
    await proxy.close();
  });

  test('exits with 69 when nothing listens at the address', async () => {
    const { child, output, ended } = startLaunched(['bridge', 'http://127.0.0.1:1/mcp']);
    child.stdin.write(hello);
    expect(await ended).toBe(69);
    expect(output.stderr).toContain('nothing listens at 127.0.0.1:1');
    expect(output.stdout).toBe('');
  });

  test('exits with 69 when the endpoint goes away', async () => {
    actor = await runActor(shop);
    const { child, output, ended } = startLaunched(['bridge', actor.url]);
    child.stdin.write(hello);
    await eventually(() => output.stdout).toContain('"result"');
    await actor.stop();
    expect(await ended).toBe(69);
  });

  test('reports bytes that are not a message on standard error', async () => {
    const server = createServer((_request, response) => response.writeHead(500).end('<html>'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { child, output, ended } = startLaunched(['bridge', `http://127.0.0.1:${port}/`]);
    child.stdin.end(hello);
    expect(await ended).toBe(0);
    expect(output).toEqual({
      stdout: '',
      stderr: 'oatf: bridge: the endpoint answered HTTP 500 with something that is not a message\n',
    });
    server.close();
  });

  test('prints a message of several lines on one line', async () => {
    const server = createServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{\r\n  "a": "b"\n}'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { child, output, ended } = startLaunched(['bridge', `http://127.0.0.1:${port}/`]);
    child.stdin.end(hello);
    await ended;
    expect(output.stdout).toBe('{    "a": "b" }\n');
    server.close();
  });

  test('forwards an answer that is streamed after the last line of input', async () => {
    const server = createServer((_request, response) => {
      // Longer than the next line, or the end, waits for an answer.
      setTimeout(() => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end('data: {"jsonrpc":"2.0","id":0,"result":{}}\n\n');
      }, 400);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { child, output, ended } = startLaunched(['bridge', `http://127.0.0.1:${port}/`]);
    child.stdin.end(hello);
    expect(await ended).toBe(0);
    expect(output.stdout).toBe('{"jsonrpc":"2.0","id":0,"result":{}}\n');
    server.close();
  });

  test('stops reading from the endpoint when the client never reads', async () => {
    let sent = 0;
    const event = `data: {"jsonrpc":"2.0","method":"m","params":"${'y'.repeat(65_000)}"}\n\n`;
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const more = (): void => {
        do sent += event.length;
        while (!response.destroyed && response.write(event));
      };
      response.on('drain', more);
      more();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { child } = startLaunched(['bridge', `http://127.0.0.1:${port}/`]);
    child.stdout.removeAllListeners('data');
    child.stdout.pause();
    child.stdin.write(hello);
    await eventually(() => sent).toBeGreaterThan(0);
    await eventually(async () => {
      const before = sent;
      await new Promise((resolve) => setTimeout(resolve, 300));
      return sent - before;
    }).toBe(0);
    expect(sent).toBeLessThan(20_000_000);
    const exited = new Promise((resolve) => child.on('exit', resolve));
    child.stdin.end();
    expect(await exited).toBe(69);
    server.closeAllConnections();
    server.close();
  });

  test.each([['nowhere'], ['ftp://127.0.0.1/'], ['']])('refuses "%s" as wrong usage', async (url) => {
    const { exit, stderr } = await runCommand(`oatf bridge '${url}'`, freshFolder());
    expect(exit).toBe(64);
    expect(stderr).toContain('is not an http or https URL');
  });
});

test('oatf bridge writes no files where it runs', async () => {
  actor = await runActor(shop);
  const folder = freshFolder([['here', '']]);
  const { child, ended } = startLaunched(['bridge', actor.url], folder);
  child.stdin.end(hello);
  await ended;
  expect(existsSync(join(folder, 'oatf-results'))).toBe(false);
  expect(readFileSync(join(folder, 'here'), 'utf8')).toBe('');
});
