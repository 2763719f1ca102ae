import { afterEach, describe, expect, test } from 'vitest';
import type { HttpServerOptions } from '../../../src/attack/transport/mcp-server/streamable-http.ts';
import {
  bothTypes,
  call,
  echo,
  eventually,
  initialize,
  type OpenTransport,
  openTransport,
  post,
  type Request,
  rawRequest,
} from '../../support/http-peer.ts';

let peer: OpenTransport;
afterEach(() => peer.transport.close());

async function open(options?: HttpServerOptions, onRequest?: Parameters<typeof openTransport>[1]) {
  peer = await openTransport(options, onRequest);
  return initialize(peer.url);
}

const toolCall = call('tools/call', { name: 'add' });

interface Row {
  readonly what: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly status: number;
  readonly code: number;
  readonly raw?: Buffer;
}

describe('the Streamable HTTP server refuses a POST', () => {
  const invalidUtf8 = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
  test.each<Row>([
    {
      what: 'whose body is not JSON',
      body: '{"jsonrpc"',
      status: 400,
      code: -32700,
      raw: Buffer.from('{"jsonrpc"'),
    },
    { what: 'whose body is empty', body: '', status: 400, code: -32700 },
    { what: 'whose body is invalid UTF-8', body: invalidUtf8, status: 400, code: -32700, raw: invalidUtf8 },
    { what: 'whose body is a million brackets', body: '['.repeat(1_000_000), status: 400, code: -32700 },
    {
      what: 'whose body is no JSON-RPC message',
      body: '"hello"',
      status: 400,
      code: -32600,
      raw: Buffer.from('"hello"'),
    },
    { what: 'without a JSON-RPC version', body: { id: 3, method: 'm' }, status: 400, code: -32600 },
    {
      what: 'whose method is an object',
      body: { jsonrpc: '2.0', id: 3, method: {} },
      status: 400,
      code: -32600,
    },
    {
      what: 'with the content type text/plain',
      headers: { 'content-type': 'text/plain' },
      status: 415,
      code: -32000,
    },
    { what: 'with a compressed body', headers: { 'content-encoding': 'gzip' }, status: 415, code: -32000 },
    {
      what: 'that accepts no type that we have',
      headers: { accept: 'text/html' },
      status: 406,
      code: -32000,
    },
    { what: 'in an unknown session', headers: { 'mcp-session-id': 'who' }, status: 404, code: -32001 },
    { what: 'whose body is too large', body: `"${'x'.repeat(70_000)}"`, status: 413, code: -32000 },
  ])('$what', async ({ body = toolCall, headers = {}, status, code, raw }) => {
    const session = await open({ limits: { bodyBytes: 65_536, recordedBytes: 1_000 } });
    const big = typeof body === 'string' && body.length > 100_000;
    if (big) await peer.transport.close();
    const own = big ? await open() : session;
    const response = await post(peer.url, body, { ...own, ...headers });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code } });
    const reasons = peer.turnedAway().map(({ reason }) => reason);
    expect(reasons).not.toEqual([]);
    for (const reason of reasons) expect(reason).toContain(`(${status})`);
    if (raw !== undefined) expect(peer.malformed().map((record) => Buffer.from(record.raw, 'base64'))).toEqual([raw]);
    expect((await post(peer.url, toolCall, own)).status).toBe(200);
  });

  test('that is invalid under its own id', async () => {
    const session = await open();
    const response = await post(peer.url, { id: 'mine', method: 'm' }, session);
    expect(await response.json()).toMatchObject({ id: 'mine' });
  });

  test.each(['tools/list', 'ping', 'notifications/initialized'])(
    'of %s without a session, with 400',
    async (method) => {
      await open();
      expect((await post(peer.url, call(method))).status).toBe(400);
      expect(peer.turnedAway()).toMatchObject([
        { kind: 'refused', message: { method }, reason: expect.stringContaining('no Mcp-Session-Id') },
      ]);
    },
  );

  test('of initialize under an unknown session, with 404, so that the client starts anew', async () => {
    await open();
    expect((await post(peer.url, call('initialize', {}), { 'mcp-session-id': 'old' })).status).toBe(404);
  });

  test('that is too large, and records only its beginning', async () => {
    const session = await open({ limits: { bodyBytes: 4_000, recordedBytes: 100 } });
    await post(peer.url, 'x'.repeat(3_000), session);
    expect(Buffer.from(peer.malformed()[0]?.raw ?? '', 'base64').toString()).toBe('x'.repeat(100));
    expect(peer.malformed()[0]?.reason).toContain('first 100 bytes');
  });

  test('beyond the limits of open requests', async () => {
    const waiting: Request[] = [];
    const limits = { sessions: 2, exchangesPerSession: 2, exchanges: 3 };
    const session = await open({ limits }, (request) => waiting.push(request));
    const other = await initialize(peer.url);
    const held = [post(peer.url, toolCall, session), post(peer.url, toolCall, session)];
    await eventually(() => waiting.length).toBe(2);
    expect((await post(peer.url, toolCall, session)).status).toBe(429);
    expect((await post(peer.url, [call('a'), call('b')], other)).status).toBe(503);
    for (const request of waiting) echo(request, peer.transport);
    for (const response of held) expect((await response).status).toBe(200);
  });

  test('beyond the limit of sessions, as long as each of them waits for something', async () => {
    const waiting: Request[] = [];
    const first = await open({ limits: { sessions: 2 } }, (request) => waiting.push(request));
    const second = await initialize(peer.url);
    const held = [post(peer.url, toolCall, first), post(peer.url, toolCall, second)];
    await eventually(() => waiting.length).toBe(2);
    expect((await post(peer.url, call('initialize', {}))).status).toBe(503);
    for (const request of waiting) echo(request, peer.transport);
    for (const response of held) expect((await response).status).toBe(200);
    expect((await post(peer.url, call('initialize', {}))).status).toBe(200);
    expect(peer.transport.openSessions()).toBe(2);
    // The one that was used least recently has made room, and its client learns that it must begin again.
    const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const after = [await post(peer.url, note, first), await post(peer.url, note, second)];
    expect(after.map(({ status }) => status).sort()).toEqual([202, 404]);
  });
});

describe('the Streamable HTTP server', () => {
  test.each([
    ['PUT', '', {}, 405],
    ['HEAD', '', {}, 405],
    ['OPTIONS', '', {}, 405],
    ['POST', '/elsewhere', {}, 404],
    ['GET', '/.well-known/oauth-protected-resource', {}, 404],
    ['GET', '', { accept: '*/*' }, 400],
    ['GET', '', { accept: 'text/event-stream', 'mcp-session-id': 'who' }, 404],
    ['GET', '', { accept: 'application/json' }, 406],
    ['DELETE', '', {}, 400],
    ['DELETE', '', { 'mcp-session-id': 'who' }, 404],
    ['GET', '', { host: 'evil.example.com' }, 403],
    ['POST', '', { host: 'evil.example.com', origin: 'http://evil.example.com' }, 403],
    ['POST', '', { origin: 'http://evil.example.com' }, 403],
    ['GET', '', { 'sec-fetch-site': 'cross-site' }, 403],
    ['GET', '/sse', { 'sec-fetch-site': 'cross-site' }, 403],
  ] as const)('answers %s %s with the headers %j with %i', async (method, path, headers, status) => {
    await open();
    const url = path === '' ? peer.url : new URL(path, peer.url).href;
    const response = await rawRequest(url, method, { ...headers });
    expect(response.status).toBe(status);
    if (status === 405) expect(response.headers.allow).toBe('POST, GET, DELETE');
    expect(peer.turnedAway()).toHaveLength(1);
  });

  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['0.0.0.0', '127.0.0.1'],
    ['localhost', 'localhost'],
  ])('listens on %s with an address for peers on %s', async (host, name) => {
    await open({ host, path: '/other' });
    expect(peer.url).toBe(`http://${name}:${peer.port}/other`);
  });

  test('accepts loopback and allowed origins and hosts', async () => {
    await open({ allowedHosts: ['agent.test'], allowedOrigins: ['https://app.example'] });
    const body = JSON.stringify(call('initialize', {}));
    const json = { 'content-type': 'application/json', accept: bothTypes };
    for (const headers of [
      { origin: 'http://localhost:3000' },
      { origin: 'https://app.example' },
      { host: 'agent.test' },
      { host: `localhost:${peer.port}` },
    ])
      expect((await rawRequest(peer.url, 'POST', { ...json, ...headers }, body)).status).toBe(200);
  });
});
