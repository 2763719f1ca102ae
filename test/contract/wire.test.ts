import { gunzipSync } from 'node:zlib';
import { Client, credentials, type Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { describe, expect, test } from 'vitest';
import { dialects, operationOf } from '../../src/transport/a2a/proto/operations.ts';
import { rpcOf } from '../../src/transport/a2a/proto/schema.ts';
import { encode } from '../../src/transport/proto/encode.ts';
import { playServer } from '../a2a/support.ts';
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

describe.each(rows)('%s', (_, ask) => {
  test('another status, headers and content type', async () => {
    const { seen, records } = await ask({
      http: { status: 503, headers: { 'Retry-After': '1' }, content_type: 'text/html' },
    });
    const text = await whole(seen);
    expect(text).toMatch(/^HTTP\/1.1 503 /);
    expect(text).toMatch(/^Retry-After: 1\r$/m);
    expect(text).toMatch(/^Content-Type: text\/html\r$/m);
    expect(await recorded(records)).toEqual(harmed('http'));
  });

  test('bytes that end too early, with all that HTTP says in order', async () => {
    const { seen, records } = await ask({ bytes: { cut: '50%' } });
    await eventually(() => seen.text).toContain('\r\n\r\n{');
    const [head = '', body = ''] = seen.text.split('\r\n\r\n');
    expect(Number(/content-length: (\d+)/i.exec(head)?.[1])).toBe(body.length);
    expect(() => JSON.parse(body)).toThrow();
    expect(await recorded(records)).toEqual(harmed('bytes'));
  });

  test('bytes that are not UTF-8', async () => {
    const { seen, records } = await ask({ bytes: { corrupt: { at: 30, with: 'invalid_utf8' } } });
    expect(await whole(seen)).toContain('\xff\xfe');
    expect(await recorded(records)).toEqual(harmed('bytes'));
  });

  test('a key that occurs twice', async () => {
    const { seen, records } = await ask({ bytes: { repeat_key: { extra: 'first' } } });
    expect(await whole(seen)).toContain('{"extra":"first",');
    expect(await recorded(records)).toEqual(wholly('bytes'));
  });

  test('a few bytes at a time, each a chunk', async () => {
    const { seen, records } = await ask({ pace: { bytes: 40 } });
    await eventually(() => seen.text).toContain('\r\n0\r\n\r\n');
    expect(seen.text).toMatch(/transfer-encoding: chunked/i);
    expect(seen.text.match(/^28\r$/gm)?.length).toBeGreaterThan(1);
    expect(await recorded(records)).toEqual(wholly('pace'));
  });

  test('a slow stream that all comes in the end', async () => {
    const { seen, records } = await ask({ pace: { bytes: 25, every: '1ms' } });
    await eventually(() => seen.text).toContain('tea');
    expect(await recorded(records)).toEqual(wholly('pace'));
  });

  test('a compressed answer', async () => {
    const { seen, records } = await ask(
      { http: { compress: 'gzip' } },
      { 'Accept-Encoding': 'br;q=0, gzip' },
    );
    await eventually(() => seen.end === 'open' && seen.text.includes('\r\n\r\n\x1f\x8b')).toBe(true);
    await eventually(() => responseIn(records)).toBeDefined();
    const body = seen.text.slice(seen.text.indexOf('\r\n\r\n') + 4);
    expect(gunzipSync(Buffer.from(body, 'latin1')).toString()).toContain('found: tea');
    expect(await recorded(records)).toEqual(wholly('http'));
  });

  test.each<readonly [string, Rule]>([
    ['a status without a body', { status: 204 }],
    ['a status that resets', { status: 205 }],
    ['a status that means: accepted', { status: 202 }],
    ['a status that leads elsewhere', { status: 302, headers: { Location: 'http://127.0.0.1:1/' } }],
    ['a status that means: as before', { status: 304 }],
    ['a status that refuses', { status: 404 }],
    ['too small a length', { headers: { 'content-length': '5' } }],
    ['too large a length', { headers: { 'Content-Length': '99999' } }],
    ['a transfer coding', { headers: { 'transfer-encoding': 'gzip, chunked' } }],
    ['a coding that it does not have', { headers: { 'content-encoding': 'gzip' } }],
    ['another type', { headers: { 'content-type': 'text/html' } }],
    ['no type', { headers: { 'Content-Type': null } }],
    ['another charset', { content_type: 'application/json; charset=utf-16' }],
    ['a coding that the client has not accepted', { compress: 'br' }],
    ['a coding that is not told', { compress: 'gzip', headers: { 'content-encoding': null } }],
    ['a coding under the name of another', { compress: 'deflate', headers: { 'content-encoding': 'gzip' } }],
  ])('no client reads an answer with %s', async (_case, head) => {
    const { records } = await ask({ http: head }, { 'Accept-Encoding': 'gzip, deflate, br;q=0' });
    expect(await recorded(records)).toEqual(harmed('http'));
  });

  test.each<readonly [string, Rule]>([
    ['another status of success', { status: 203 }],
    ['a header more', { headers: { 'X-Hint': 'yes' } }],
    ['no length', { headers: { 'content-length': null } }],
  ])('an answer with %s is read', async (_case, head) => {
    const { seen, records } = await ask({ http: head });
    await whole(seen);
    expect(await recorded(records)).toEqual(wholly('http'));
  });

  test.each<readonly [string, Rule]>([
    ['a broken line', { frame: 'no_newline' }],
    ['a status of gRPC', { grpc: { status: 'UNAVAILABLE' } }],
    ['a cut behind the end', { bytes: { cut: '100%' } }],
    ['a corruption without a text', { bytes: { corrupt: { at: 0, with: '' } } }],
    ['a header left out that is not there', { http: { headers: { 'X-Hint': null } } }],
  ])('a deed that is not done harms nothing: %s', async (_case, rule) => {
    const { seen, records } = await ask(rule);
    await whole(seen);
    expect(await recorded(records)).toEqual({ did: [], harm: false, pieces: 1 });
  });

  test('an error that no client reads is not delivered, nor is its rule', async () => {
    const { records } = await ask({ error: { code: -32001, message: 'no' }, http: { status: 204 } });
    expect(await recorded(records)).toEqual({ did: ['error', 'http'], harm: true, pieces: undefined });
  });

  test.each(['before', 'during'])('a reset %s the answer', async (when) => {
    const { seen, records } = await ask({ end: { by: 'reset', when } });
    // After bytes that were read, some systems show a reset as an end.
    await eventually(() => seen.end).not.toBe('open');
    if (when === 'before') expect(seen.end).toBe('reset');
    // Bytes that came before a reset may be lost with it.
    expect(() => JSON.parse(seen.text.split('\r\n\r\n')[1] ?? '')).toThrow();
    if (when === 'before') expect(seen.text).toBe('');
    expect(await recorded(records)).toEqual(harmed('end'));
  });

  test('a connection that is closed in the middle of the answer', async () => {
    const { seen, records } = await ask({ end: { by: 'close', when: 'during' } });
    await eventually(() => seen.end).toBe('closed');
    const [head, body = ''] = seen.text.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 20/);
    expect(() => JSON.parse(body)).toThrow();
    expect(await recorded(records)).toEqual(harmed('end'));
  });

  test('a connection that is closed after the answer', async () => {
    const { seen, records } = await ask({ end: { by: 'close', when: 'after' } });
    await whole(seen);
    await eventually(() => seen.end).toBe('closed');
    expect(await recorded(records)).toEqual(wholly('end'));
  });

  test('a connection that is reset after the answer, which may be lost with it', async () => {
    const { seen, records } = await ask({ end: { by: 'reset', when: 'after' } });
    await eventually(() => seen.end).not.toBe('open');
    expect(await recorded(records)).toEqual(harmed('end'));
  });

  test('an answer whose stream never ends', async () => {
    const { seen, records } = await ask({ stream: 'endless' });
    await whole(seen);
    expect(seen.text).not.toContain('\r\n0\r\n\r\n');
    expect(seen.end).toBe('open');
    // A client that waits for the end of the body never reads it.
    expect(await recorded(records)).toEqual(harmed('stream'));
  });

  test('a stream that never begins', async () => {
    const { seen, records } = await ask({ stream: 'silent' });
    expect(await recorded(records)).toEqual(harmed('stream'));
    expect(seen.text).toBe('');
  });

  test('nothing but comments', async () => {
    const { seen, records } = await ask({ stream: 'comments' });
    await eventually(() => seen.text.match(/: \n\n/g)?.length ?? 0).toBeGreaterThan(1);
    expect(seen.text).toMatch(/text\/event-stream/);
    expect(await recorded(records)).toEqual(harmed('stream'));
  });

  test('a delay, and nothing else of it', async () => {
    const { seen, records } = await ask({ delay: '1ms' });
    await whole(seen);
    expect(await recorded(records)).toEqual(wholly('delay'));
  });

  test('no answer at all', async () => {
    const { seen, records } = await ask({ drop: true });
    await eventually(() => records.some(({ kind }) => kind === 'wire')).toBe(true);
    expect([seen.text, responseIn(records)?.sent]).toEqual(['', undefined]);
  });
});

describe.each([
  ['MCP of 2025 over HTTP', mcp2025, /found: tea/g],
  ['MCP of 2026 over HTTP', mcp2026, /found: tea/g],
  ['A2A over JSON-RPC, streamed', a2aStream, /"final":true/g],
] as const)('%s', (_, ask, answer) => {
  test('the same answer three times', async () => {
    const { seen, records } = await ask({ repeat: 3 });
    await eventually(() => seen.text.match(answer)?.length).toBe(3);
    expect(await recorded(records)).toMatchObject({ did: ['repeat'], harm: false });
  });

  test('unrequested ids, retry and events of a stream', async () => {
    const sse = { id: 'x-1', retry: '1', event: 'message', comments: 2, events: ['{"jsonrpc":"2.0"}'] };
    const { seen, records } = await ask({ sse });
    const text = await whole(seen);
    for (const line of [
      ': \n\n: \n\n',
      'data: {"jsonrpc":"2.0"}\n\n',
      'id: x-1\n',
      'retry: 1\n',
      'event: message\n',
    ])
      expect(text).toContain(line);
    expect(await recorded(records)).toMatchObject({ did: ['sse'], harm: false });
  });

  test.each<readonly [string, Rule]>([
    ['of another name', { event: 'other' }],
    ['behind one that answers in its place', { events: ['{"jsonrpc":"2.0","id":2,"result":{}}'] }],
  ])('no client reads an event %s', async (_case, sse) => {
    const { seen, records } = await ask({ sse });
    await whole(seen);
    expect(await recorded(records)).toMatchObject({ did: ['sse'], harm: true });
  });

  test('an event on a stream without an end is read', async () => {
    const { seen, records } = await ask({ stream: 'endless', sse: { comments: 1 } });
    await whole(seen);
    expect(await recorded(records)).toMatchObject({ did: ['stream', 'sse'], harm: false });
  });
});

describe.each([
  ['MCP of 2025 over HTTP', mcp2025],
  ['MCP over stdio', stdio],
  ['A2A over JSON-RPC', a2aRpc],
] as const)('%s', (_, ask) => {
  test('another id', async () => {
    const { seen, records } = await ask({ id: 'somebody-else' });
    expect(await whole(seen)).toContain('"id":"somebody-else"');
    expect(await recorded(records)).toEqual(harmed('id'));
  });

  test('the id as a text', async () => {
    const { seen } = await ask({ id: { as: 'text' } });
    expect(await whole(seen)).toContain('"id":"2"');
  });
});

describe.each([
  ['MCP of 2025 over HTTP', mcp2025],
  ['MCP over stdio', stdio],
] as const)('%s', (_, ask) => {
  test('an answer as a batch', async () => {
    const { seen } = await ask({ batch: true });
    expect(await whole(seen)).toMatch(/\[\{"jsonrpc":"2.0","id":2,.*\}\]/s);
  });

  test('a flood of log messages before the answer', async () => {
    const flood = { method: 'notifications/message', params: { level: 'info', data: 'hm' }, count: 250 };
    const { seen, records } = await ask({ flood });
    const text = await whole(seen);
    expect(text.match(/notifications\/message/g)?.length).toBe(250);
    expect(text.indexOf('found: tea')).toBeGreaterThan(text.lastIndexOf('notifications/message'));
    expect(records.filter(({ kind }) => kind === 'notification')).toHaveLength(250);
  });
});

test('HTTP+JSON of A2A has no ids, so another one harms nothing', async () => {
  const { seen, records } = await a2aRest({ id: 'somebody-else' });
  await whole(seen);
  expect(await recorded(records)).toEqual({ did: [], harm: false, pieces: 1 });
});

describe('MCP over stdio', () => {
  test('a line without its newline', async () => {
    const { seen, records } = await stdio({ frame: 'no_newline' });
    expect((await whole(seen)).endsWith('\n')).toBe(false);
    expect(await recorded(records)).toEqual(harmed('frame'));
  });

  test('a newline inside a message', async () => {
    const { seen, records } = await stdio({ frame: 'newline_inside' });
    const lines = (await whole(seen)).trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(await recorded(records)).toEqual(harmed('frame'));
  });

  test('a line that breaks off', async () => {
    const { seen, records } = await stdio({ bytes: { cut: 20 } });
    await eventually(() => seen.text).toBe(`${'{"jsonrpc":"2.0","id":2'.slice(0, 20)}\n`);
    expect(await recorded(records)).toEqual(harmed('bytes'));
  });

  test('the same answer three times', async () => {
    const { seen } = await stdio({ repeat: 3 });
    await eventually(() => seen.text.match(/found: tea/g)?.length).toBe(3);
  });

  test('a few bytes at a time, and the next answer after them', async () => {
    const { seen, records } = await stdio({ nth: 1, pace: { bytes: 30, every: '1ms' } });
    await whole(seen);
    expect(seen.chunks.length).toBeGreaterThan(2);
    expect(await recorded(records)).toEqual(wholly('pace'));
  });

  test('output that ends in the middle of an answer', async () => {
    const { seen, records } = await stdio({ end: { by: 'close', when: 'during' } });
    await eventually(() => seen.end).toBe('closed');
    expect(seen.text).not.toContain('found: tea');
    expect(await recorded(records)).toEqual(harmed('end'));
  });
});

describe('A2A over gRPC', () => {
  const [dialect] = dialects;
  const called = async (rule: Rule) => {
    if (dialect === undefined) throw new Error('there is no dialect');
    const played = await playServer(a2aExecution('message/send', rule) as never);
    open.push(played.stop);
    const operation = operationOf(dialect, 'message/send');
    const rpc = rpcOf(dialect.schema(), operation?.rpc ?? '');
    if (operation === undefined || rpc === undefined) throw new Error('there is no such call');
    const client = new Client(new URL(played.url).host, credentials.createInsecure());
    open.push(() => client.close());
    const bytes = Buffer.from(
      encode(dialect.schema(), rpc.request, operation.paramsToProto(params) as never, () => {}),
    );
    const asIs = (buffer: Buffer): Buffer => buffer;
    const ended = await new Promise<{ error?: ServiceError; trailers: Metadata }>((resolve) => {
      let failure: ServiceError | null = null;
      const request = client.makeUnaryRequest(rpc.path, asIs, asIs, bytes, (error) => {
        failure = error;
      });
      request.on('status', ({ metadata }) =>
        resolve({ ...(failure && { error: failure }), trailers: metadata }),
      );
    });
    return { ...ended, records: played.records };
  };

  test('another status, with words and trailers', async () => {
    const grpc = { status: 'UNAVAILABLE', message: 'come back', trailers: { 'x-hint': 'never' } };
    const { error, trailers, records } = await called({ grpc });
    expect(error).toMatchObject({ code: status.UNAVAILABLE, details: 'come back' });
    expect(trailers.get('x-hint')).toEqual(['never']);
    expect(await recorded(records)).toEqual(harmed('grpc'));
  });

  test('trailers after a proper answer', async () => {
    const { error, trailers, records } = await called({ grpc: { trailers: { 'x-hint': 'yes' } } });
    expect([error, trailers.get('x-hint')]).toEqual([undefined, ['yes']]);
    expect(await recorded(records)).toEqual(wholly('grpc'));
  });

  test('deeds of HTTP/1 that gRPC lacks are left out', async () => {
    const { error, records } = await called({ http: { status: 503 } });
    expect(error).toBeUndefined();
    expect(await recorded(records)).toMatchObject({ did: [] });
  });
});
