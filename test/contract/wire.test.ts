import { gunzipSync } from 'node:zlib';
import { Client, credentials, type Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { describe, expect, test } from 'vitest';
import { dialects, findOperation, findRpc } from '../../src/attack/transport/a2a/proto/a2a-operations.ts';
import { encodeProto } from '../../src/attack/transport/proto/encode-proto.ts';
import { playServer } from '../protocols/a2a/support.ts';
import { eventually } from '../support/http-peer.ts';
import {
  a2aExecution,
  a2aRest,
  a2aRpc,
  a2aStream,
  mcp2025,
  mcp2026,
  open,
  params,
  type Rule,
  recorded,
  responseIn,
  type Seen,
  stdio,
} from './wire-servers.ts';

// Each behaviour of `x-wire`, as seen by a peer that reads only bytes.

const http = {
  'MCP of 2025 over HTTP': mcp2025,
  'MCP of 2026 over HTTP': mcp2026,
  'A2A over JSON-RPC': a2aRpc,
  'A2A over HTTP+JSON': a2aRest,
};
const rows = Object.entries(http);
const whole = async (seen: Seen): Promise<string> => {
  await eventually(() => seen.text).toContain('found: tea');
  return seen.text;
};
/** `wholly`: the document's answer and the rule both reached the peer. `harmed`: only the rule did. */
const wholly = (...did: string[]) => ({ did, harm: false, pieces: 2 });
const harmed = (...did: string[]) => ({ did, harm: true, pieces: 1 });

describe.each(rows)('x-wire, %s', (_, ask) => {
  test('sends another status, headers and content type', async () => {
    const { seen, records } = await ask({
      http: { status: 503, headers: { 'Retry-After': '1' }, content_type: 'text/html' },
    });
    const text = await whole(seen);
    expect(text).toMatch(/^HTTP\/1.1 503 /);
    expect(text).toMatch(/^Retry-After: 1\r$/m);
    expect(text).toMatch(/^Content-Type: text\/html\r$/m);
    expect(await recorded(records)).toEqual(harmed('http'));
  });

  test('cuts the body with a matching Content-Length', async () => {
    const { seen, records } = await ask({ bytes: { cut: '50%' } });
    await eventually(() => seen.text).toContain('\r\n\r\n{');
    const [head = '', body = ''] = seen.text.split('\r\n\r\n');
    expect(Number(/content-length: (\d+)/i.exec(head)?.[1])).toBe(body.length);
    expect(() => JSON.parse(body)).toThrow();
    expect(await recorded(records)).toEqual(harmed('bytes'));
  });

  test('sends bytes that are not UTF-8', async () => {
    const { seen, records } = await ask({ bytes: { corrupt: { at: 30, with: 'invalid_utf8' } } });
    expect(await whole(seen)).toContain('\xff\xfe');
    expect(await recorded(records)).toEqual(harmed('bytes'));
  });

  test('sends a repeated key', async () => {
    const { seen, records } = await ask({ bytes: { repeat_key: { extra: 'first' } } });
    expect(await whole(seen)).toContain('{"extra":"first",');
    expect(await recorded(records)).toEqual(wholly('bytes'));
  });

  test('sends a few bytes at a time, each as a chunk', async () => {
    const { seen, records } = await ask({ pace: { bytes: 40 } });
    await eventually(() => seen.text).toContain('\r\n0\r\n\r\n');
    expect(seen.text).toMatch(/transfer-encoding: chunked/i);
    expect(seen.text.match(/^28\r$/gm)?.length).toBeGreaterThan(1);
    expect(await recorded(records)).toEqual(wholly('pace'));
  });

  test('sends all of a slow stream in the end', async () => {
    const { seen, records } = await ask({ pace: { bytes: 25, every: '1ms' } });
    await eventually(() => seen.text).toContain('tea');
    expect(await recorded(records)).toEqual(wholly('pace'));
  });

  test('compresses the answer', async () => {
    const { seen, records } = await ask({ http: { compress: 'gzip' } }, { 'Accept-Encoding': 'br;q=0, gzip' });
    await eventually(() => seen.end === 'open' && seen.text.includes('\r\n\r\n\x1f\x8b')).toBe(true);
    await eventually(() => responseIn(records)).toBeDefined();
    const body = seen.text.slice(seen.text.indexOf('\r\n\r\n') + 4);
    expect(gunzipSync(Buffer.from(body, 'latin1')).toString()).toContain('found: tea');
    expect(await recorded(records)).toEqual(wholly('http'));
  });

  test.each<readonly [string, Rule]>([
    ['a status without a body', { status: 204 }],
    ['a status that asks for a reset', { status: 205 }],
    ['the status 202 Accepted', { status: 202 }],
    ['the status of a redirect', { status: 302, headers: { Location: 'http://127.0.0.1:1/' } }],
    ['the status 304 Not Modified', { status: 304 }],
    ['the status 404 Not Found', { status: 404 }],
    ['a Content-Length that is too small', { headers: { 'content-length': '5' } }],
    ['a Content-Length that is too large', { headers: { 'Content-Length': '99999' } }],
    ['a gzip transfer coding', { headers: { 'transfer-encoding': 'gzip, chunked' } }],
    ['a content coding that it does not have', { headers: { 'content-encoding': 'gzip' } }],
    ['another content type', { headers: { 'content-type': 'text/html' } }],
    ['no content type', { headers: { 'Content-Type': null } }],
    ['another charset', { content_type: 'application/json; charset=utf-16' }],
    ['a coding that the client does not accept', { compress: 'br' }],
    ['a coding without its header', { compress: 'gzip', headers: { 'content-encoding': null } }],
    ['a coding under the name of another', { compress: 'deflate', headers: { 'content-encoding': 'gzip' } }],
  ])('does not count an answer with %s as delivered', async (_case, head) => {
    const { records } = await ask({ http: head }, { 'Accept-Encoding': 'gzip, deflate, br;q=0' });
    expect(await recorded(records)).toEqual(harmed('http'));
  });

  test.each<readonly [string, Rule]>([
    ['another status of success', { status: 203 }],
    ['an additional header', { headers: { 'X-Hint': 'yes' } }],
    ['no Content-Length', { headers: { 'content-length': null } }],
  ])('counts an answer with %s as delivered', async (_case, head) => {
    const { seen, records } = await ask({ http: head });
    await whole(seen);
    expect(await recorded(records)).toEqual(wholly('http'));
  });

  test.each<readonly [string, Rule]>([
    ['a frame without a newline', { frame: 'no_newline' }],
    ['a gRPC status', { grpc: { status: 'UNAVAILABLE' } }],
    ['a cut after the last byte', { bytes: { cut: '100%' } }],
    ['a corruption with no bytes', { bytes: { corrupt: { at: 0, with: '' } } }],
    ['the removal of a header that is not sent', { http: { headers: { 'X-Hint': null } } }],
  ])('records %s as not done, and sends the answer unchanged', async (_case, rule) => {
    const { seen, records } = await ask(rule);
    await whole(seen);
    expect(await recorded(records)).toEqual({ did: [], harm: false, pieces: 1 });
  });

  test('does not count an error with status 204 as delivered', async () => {
    const { records } = await ask({ error: { code: -32001, message: 'no' }, http: { status: 204 } });
    expect(await recorded(records)).toEqual({ did: ['error', 'http'], harm: true, pieces: undefined });
  });

  test.each(['before', 'during'])('resets the connection %s the answer', async (when) => {
    const { seen, records } = await ask({ end: { by: 'reset', when } });
    // After bytes that were read, some systems show a reset as an end.
    await eventually(() => seen.end).not.toBe('open');
    if (when === 'before') expect(seen.end).toBe('reset');
    // Bytes that came before a reset may be lost with it.
    expect(() => JSON.parse(seen.text.split('\r\n\r\n')[1] ?? '')).toThrow();
    if (when === 'before') expect(seen.text).toBe('');
    expect(await recorded(records)).toEqual(harmed('end'));
  });

  test('closes the connection in the middle of the answer', async () => {
    const { seen, records } = await ask({ end: { by: 'close', when: 'during' } });
    await eventually(() => seen.end).toBe('closed');
    const [head, body = ''] = seen.text.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 20/);
    expect(() => JSON.parse(body)).toThrow();
    expect(await recorded(records)).toEqual(harmed('end'));
  });

  test('closes the connection after the answer', async () => {
    const { seen, records } = await ask({ end: { by: 'close', when: 'after' } });
    await whole(seen);
    await eventually(() => seen.end).toBe('closed');
    expect(await recorded(records)).toEqual(wholly('end'));
  });

  test('does not count an answer as delivered when the connection is reset after it', async () => {
    const { seen, records } = await ask({ end: { by: 'reset', when: 'after' } });
    await eventually(() => seen.end).not.toBe('open');
    expect(await recorded(records)).toEqual(harmed('end'));
  });

  test('does not count an answer on an endless stream as delivered', async () => {
    const { seen, records } = await ask({ stream: 'endless' });
    await whole(seen);
    expect(seen.text).not.toContain('\r\n0\r\n\r\n');
    expect(seen.end).toBe('open');
    // A client that waits for the end of the body never reads it.
    expect(await recorded(records)).toEqual(harmed('stream'));
  });

  test('sends nothing on a silent stream', async () => {
    const { seen, records } = await ask({ stream: 'silent' });
    expect(await recorded(records)).toEqual(harmed('stream'));
    expect(seen.text).toBe('');
  });

  test('sends only comments on a comments stream', async () => {
    const { seen, records } = await ask({ stream: 'comments' });
    await eventually(() => seen.text.match(/: \n\n/g)?.length ?? 0).toBeGreaterThan(1);
    expect(seen.text).toMatch(/text\/event-stream/);
    expect(await recorded(records)).toEqual(harmed('stream'));
  });

  test('delays the answer without changing it', async () => {
    const { seen, records } = await ask({ delay: '1ms' });
    await whole(seen);
    expect(await recorded(records)).toEqual(wholly('delay'));
  });

  test('sends no answer when the rule drops it', async () => {
    const { seen, records } = await ask({ drop: true });
    await eventually(() => records.some(({ kind }) => kind === 'wire')).toBe(true);
    expect([seen.text, responseIn(records)?.sent]).toEqual(['', undefined]);
  });
});

describe.each([
  ['MCP of 2025 over HTTP', mcp2025, /found: tea/g],
  ['MCP of 2026 over HTTP', mcp2026, /found: tea/g],
  ['A2A over JSON-RPC, streamed', a2aStream, /"final":true/g],
] as const)('x-wire on an event stream, %s', (_, ask, answer) => {
  test('sends the same answer three times', async () => {
    const { seen, records } = await ask({ repeat: 3 });
    await eventually(() => seen.text.match(answer)?.length).toBe(3);
    expect(await recorded(records)).toMatchObject({ did: ['repeat'], harm: false });
  });

  test('sends extra ids, retry, event names and events', async () => {
    const sse = { id: 'x-1', retry: '1', event: 'message', comments: 2, events: ['{"jsonrpc":"2.0"}'] };
    const { seen, records } = await ask({ sse });
    const text = await whole(seen);
    for (const line of [': \n\n: \n\n', 'data: {"jsonrpc":"2.0"}\n\n', 'id: x-1\n', 'retry: 1\n', 'event: message\n'])
      expect(text).toContain(line);
    expect(await recorded(records)).toMatchObject({ did: ['sse'], harm: false });
  });

  test.each<readonly [string, Rule]>([
    ['with another name', { event: 'other' }],
    ['after an extra event that answers in its place', { events: ['{"jsonrpc":"2.0","id":2,"result":{}}'] }],
  ])('does not count an event %s as delivered', async (_case, sse) => {
    const { seen, records } = await ask({ sse });
    await whole(seen);
    expect(await recorded(records)).toMatchObject({ did: ['sse'], harm: true });
  });

  test('counts an event on an endless stream as delivered', async () => {
    const { seen, records } = await ask({ stream: 'endless', sse: { comments: 1 } });
    await whole(seen);
    expect(await recorded(records)).toMatchObject({ did: ['stream', 'sse'], harm: false });
  });
});

describe.each([
  ['MCP of 2025 over HTTP', mcp2025],
  ['MCP over stdio', stdio],
  ['A2A over JSON-RPC', a2aRpc],
] as const)('x-wire on JSON-RPC ids, %s', (_, ask) => {
  test('sends another id', async () => {
    const { seen, records } = await ask({ id: 'somebody-else' });
    expect(await whole(seen)).toContain('"id":"somebody-else"');
    expect(await recorded(records)).toEqual(harmed('id'));
  });

  test('sends the id as a string', async () => {
    const { seen } = await ask({ id: { as: 'text' } });
    expect(await whole(seen)).toContain('"id":"2"');
  });
});

describe.each([
  ['MCP of 2025 over HTTP', mcp2025],
  ['MCP over stdio', stdio],
] as const)('x-wire on JSON-RPC messages, %s', (_, ask) => {
  test('sends the answer as a batch', async () => {
    const { seen } = await ask({ batch: true });
    expect(await whole(seen)).toMatch(/\[\{"jsonrpc":"2.0","id":2,.*\}\]/s);
  });

  test('sends a flood of log messages before the answer', async () => {
    const flood = { method: 'notifications/message', params: { level: 'info', data: 'hm' }, count: 250 };
    const { seen, records } = await ask({ flood });
    const text = await whole(seen);
    expect(text.match(/notifications\/message/g)?.length).toBe(250);
    expect(text.indexOf('found: tea')).toBeGreaterThan(text.lastIndexOf('notifications/message'));
    expect(records.filter(({ kind }) => kind === 'notification')).toHaveLength(250);
  });
});

test('x-wire, A2A over HTTP+JSON: records a rule for another id as not done, because there are no ids', async () => {
  const { seen, records } = await a2aRest({ id: 'somebody-else' });
  await whole(seen);
  expect(await recorded(records)).toEqual({ did: [], harm: false, pieces: 1 });
});

describe('x-wire, MCP over stdio', () => {
  test('sends a line without its newline', async () => {
    const { seen, records } = await stdio({ frame: 'no_newline' });
    expect((await whole(seen)).endsWith('\n')).toBe(false);
    expect(await recorded(records)).toEqual(harmed('frame'));
  });

  test('sends a newline inside a message', async () => {
    const { seen, records } = await stdio({ frame: 'newline_inside' });
    const lines = (await whole(seen)).trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(await recorded(records)).toEqual(harmed('frame'));
  });

  test('sends the beginning of a line', async () => {
    const { seen, records } = await stdio({ bytes: { cut: 20 } });
    await eventually(() => seen.text).toBe(`${'{"jsonrpc":"2.0","id":2'.slice(0, 20)}\n`);
    expect(await recorded(records)).toEqual(harmed('bytes'));
  });

  test('sends the same answer three times', async () => {
    const { seen } = await stdio({ repeat: 3 });
    await eventually(() => seen.text.match(/found: tea/g)?.length).toBe(3);
  });

  test('sends an answer a few bytes at a time', async () => {
    const { seen, records } = await stdio({ nth: 1, pace: { bytes: 30, every: '1ms' } });
    await whole(seen);
    expect(seen.chunks.length).toBeGreaterThan(2);
    expect(await recorded(records)).toEqual(wholly('pace'));
  });

  test('closes its output in the middle of an answer', async () => {
    const { seen, records } = await stdio({ end: { by: 'close', when: 'during' } });
    await eventually(() => seen.end).toBe('closed');
    expect(seen.text).not.toContain('found: tea');
    expect(await recorded(records)).toEqual(harmed('end'));
  });
});

describe('x-wire, A2A over gRPC', () => {
  const [dialect] = dialects;
  const called = async (rule: Rule) => {
    if (dialect === undefined) throw new Error('there is no dialect');
    const played = await playServer(a2aExecution('message/send', rule) as never);
    open.push(played.stop);
    const operation = findOperation(dialect, 'message/send');
    const rpc = findRpc(dialect.schema(), operation?.rpc ?? '');
    if (operation === undefined || rpc === undefined) throw new Error('there is no such call');
    const client = new Client(new URL(played.url).host, credentials.createInsecure());
    open.push(() => client.close());
    const bytes = Buffer.from(
      encodeProto(dialect.schema(), rpc.request, operation.paramsToProto(params) as never, () => {}),
    );
    const asIs = (buffer: Buffer): Buffer => buffer;
    const ended = await new Promise<{ error?: ServiceError; trailers: Metadata }>((resolve) => {
      let failure: ServiceError | null = null;
      const request = client.makeUnaryRequest(rpc.path, asIs, asIs, bytes, (error) => {
        failure = error;
      });
      request.on('status', ({ metadata }) => resolve({ ...(failure && { error: failure }), trailers: metadata }));
    });
    return { ...ended, records: played.records };
  };

  test('sends another status with a message and trailers', async () => {
    const grpc = { status: 'UNAVAILABLE', message: 'come back', trailers: { 'x-hint': 'never' } };
    const { error, trailers, records } = await called({ grpc });
    expect(error).toMatchObject({ code: status.UNAVAILABLE, details: 'come back' });
    expect(trailers.get('x-hint')).toEqual(['never']);
    expect(await recorded(records)).toEqual(harmed('grpc'));
  });

  test('sends trailers after a proper answer', async () => {
    const { error, trailers, records } = await called({ grpc: { trailers: { 'x-hint': 'yes' } } });
    expect([error, trailers.get('x-hint')]).toEqual([undefined, ['yes']]);
    expect(await recorded(records)).toEqual(wholly('grpc'));
  });

  test('records an HTTP/1 status as not done', async () => {
    const { error, records } = await called({ http: { status: 503 } });
    expect(error).toBeUndefined();
    expect(await recorded(records)).toMatchObject({ did: [] });
  });
});
