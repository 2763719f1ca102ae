import { afterEach, expect, test } from 'vitest';
import { createStdioServer } from '../../../src/attack/transport/mcp-server/stdio-server.ts';
import type { MessageRecord } from '../../../src/index.ts';
import { linePeer, openPipes } from '../../contract/raw-peers.ts';
import { eventually, openSocket } from '../../support/http-peer.ts';
import { type RunningActor, runActor } from '../../support/run-actor.ts';
import { asking, document, elicited, hello, others, requests, sampled, turning, versions } from './session.ts';

// For clients before 2026-07-28, every byte is as it was before that era was served: the two files beside this test
// were recorded from a server that knew only sessions.

let actor: RunningActor;
afterEach(() => actor.stop());

/** Without chance and time. */
function settled(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/^Date: .*$/gm, 'Date: NOW')
    .replace(/^(mcp-session-id): .*$/gim, '$1: SESSION');
}

function countedFrames(): (message: object) => string {
  let id = 0;
  return (message) => {
    id += 1;
    return JSON.stringify({ jsonrpc: '2.0', id, ...message });
  };
}

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** Sends a request over its own connection. */
function send(method: string, headers: Record<string, string>, body = ''): ReturnType<typeof openSocket> {
  const { port, pathname, host } = new URL(actor.url);
  const opened = openSocket(Number(port));
  const all = { host, connection: 'close', 'content-length': `${Buffer.byteLength(body)}`, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  opened.socket.write(`${method} ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  return opened;
}

/** The question of this name that the server has asked. */
const question = (method: string): MessageRecord | undefined =>
  actor.records.find(
    (record): record is typeof record & MessageRecord =>
      record.kind === 'request' && record.method === method && record.origin === 'attacker',
  );

test('our MCP server answers a legacy client over Streamable HTTP with exactly the recorded bytes', async () => {
  actor = await runActor(document, { askMs: 5_000 });
  const framed = countedFrames();
  const log: string[] = [];
  /** Logged at its beginning, because two may be in progress at a time. */
  const exchange = async (what: string, ...sent: Parameters<typeof send>): Promise<void> => {
    const place = log.push('') - 1;
    log[place] = `== ${what}\n${await send(...sent).closed}`;
  };
  for (const version of versions) await exchange(`hello in ${version}`, 'POST', json, framed(hello(version)));
  const [, session = ''] = /^mcp-session-id: (.*)\r$/im.exec(log[0] ?? '') ?? [];
  const own = { ...json, 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' };
  const post = (what: string, body: string, headers: Record<string, string> = own): Promise<void> =>
    exchange(what, 'POST', headers, body);
  await post('ready', '{"jsonrpc":"2.0","method":"notifications/initialized"}');
  const stream = send('GET', { accept: 'text/event-stream', 'mcp-session-id': session });
  await eventually(stream.text).toContain('\r\n\r\n');

  for (const [what, message] of requests) await post(what, framed(message));
  for (const [what, bytes] of others) await post(what, bytes);
  const ping = { method: 'ping' };
  const { accept: _, ...unaccepting } = own;
  await post('who accepts nothing', framed(ping), unaccepting);
  await post('who accepts JSON', framed(ping), { ...own, accept: 'application/json' });
  await post('who sends text', framed(ping), { ...own, 'content-type': 'text/plain' });
  await post('no session', framed(ping), json);
  await post('a session of nobody', framed(ping), { ...json, 'mcp-session-id': 'none' });
  await post('an odd version', framed(ping), { ...own, 'mcp-protocol-version': '1999-01-01' });
  await post('another origin', framed(ping), { ...own, origin: 'http://evil.example' });
  await exchange('PUT', 'PUT', own, '{}');
  await exchange('OPTIONS', 'OPTIONS', own);
  await exchange('a stream for nobody', 'GET', { accept: 'text/event-stream', 'mcp-session-id': 'none' });

  const asked = post('a call that asks', framed(asking));
  for (const [method, result] of [
    ['elicitation/create', elicited],
    ['sampling/createMessage', sampled],
  ] as const) {
    await eventually(() => question(method)).toBeDefined();
    await post(method, JSON.stringify({ jsonrpc: '2.0', id: question(method)?.id, result }));
  }
  await asked;
  await post('a call that ends the phase', framed(turning));
  await eventually(stream.text).toContain('roots/list');
  await post('the list that has changed', framed({ method: 'tools/list' }));
  await exchange('the end', 'DELETE', own);
  await post('after the end', framed(ping));
  await exchange('the end again', 'DELETE', own);
  log.push(`== the stream\n${await stream.closed}`);
  await expect(settled(log.join('\n'))).toMatchFileSnapshot('http.txt');
});

test('our MCP server answers a legacy client over standard streams with exactly the recorded bytes', async () => {
  const { toServer, fromServer } = openPipes();
  actor = await runActor(document, { transport: createStdioServer({ input: toServer, output: fromServer }) });
  const peer = linePeer(toServer, fromServer, async () => {});
  const framed = countedFrames();
  const log: string[] = [];
  let pings = 0;
  /** Sends bytes, then a ping: everything before the ping's answer belongs to the bytes. */
  const exchange = async (what: string, bytes: string): Promise<void> => {
    const before = peer.received.length;
    pings += 1;
    await peer.send(bytes);
    await peer.send(`{"jsonrpc":"2.0","id":"after ${pings}","method":"ping"}`);
    const last = `{"jsonrpc":"2.0","id":"after ${pings}","result":{}}`;
    await eventually(() => peer.received).toContain(last);
    log.push(`== ${what}`, ...peer.received.slice(before).filter((line) => line !== last));
  };
  for (const version of versions) await exchange(`hello in ${version}`, framed(hello(version)));
  await exchange('ready', '{"jsonrpc":"2.0","method":"notifications/initialized"}');
  for (const [what, message] of requests) await exchange(what, framed(message));
  for (const [what, bytes] of others) await exchange(what, bytes);
  await exchange('a call that asks', framed(asking));
  for (const [method, result] of [
    ['elicitation/create', elicited],
    ['sampling/createMessage', sampled],
  ] as const)
    await exchange(method, JSON.stringify({ jsonrpc: '2.0', id: question(method)?.id, result }));
  await exchange('a call that ends the phase', framed(turning));
  await exchange('the list that has changed', framed({ method: 'tools/list' }));
  await expect(settled(log.join('\n'))).toMatchFileSnapshot('stdio.txt');
});
