import { PassThrough, Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Incoming } from '../../src/engine/messages.ts';
import type { Transport } from '../../src/engine/ports.ts';
import { createStdioServer, type StdioServerLimits } from '../../src/transport/stdio-server.ts';
import { call, echo, eventually, ignoreSent, type Request } from '../support/http-peer.ts';

let input: PassThrough;
let output: PassThrough;
let transport: Transport;
let received: Incoming[];
let hungUp: number;
const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);

beforeEach(() => {
  input = new PassThrough();
  output = new PassThrough();
  received = [];
  hungUp = 0;
  unhandled.length = 0;
  process.on('uncaughtException', note);
});

afterEach(async () => {
  await transport.close();
  process.off('uncaughtException', note);
  expect(unhandled).toEqual([]);
});

const noteHangUp = (): void => {
  hungUp += 1;
};

async function open(
  onRequest: (request: Request, transport: Transport) => void = echo,
  limits: Partial<StdioServerLimits> = {},
  to: Writable = output,
): Promise<void> {
  transport = createStdioServer({ input, output: to, limits, hungUp: noteHangUp });
  await transport.open((message) => {
    received.push(message);
    if (message.kind === 'request') onRequest(message, transport);
  });
}

const line = (message: unknown): string => `${JSON.stringify(message)}\n`;
const kinds = () => received.map(({ kind }) => kind);
const malformed = () => received.filter((message) => message.kind === 'malformed');

describe('a peer that', () => {
  test('closes its end at once', async () => {
    await open();
    input.end();
    await eventually(() => hungUp).toBe(1);
    expect(received).toEqual([]);
    expect(transport.isConnected()).toBe(false);
  });

  test('closes its end within a line, which is recorded', async () => {
    await open();
    input.end('{"jsonrpc":"2.0","id":1,"met');
    await eventually(() => hungUp).toBe(1);
    expect(kinds()).toEqual(['connection', 'refused', 'malformed', 'connection']);
    expect(malformed()).toMatchObject([{ cause: 'cut_off' }]);
    expect(Buffer.from(malformed()[0]?.raw ?? '', 'base64').toString()).toBe('{"jsonrpc":"2.0","id":1,"met');
  });

  test('does not read its answer has broken off', async () => {
    const closed = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
    await open(echo, {}, closed);
    input.write(line(call('tools/list')));
    await eventually(() => malformed()).toMatchObject([
      { cause: 'cut_off', reason: 'the client had closed its end before it read our answer' },
    ]);
  });

  test('closes its end amid an answer has broken off', async () => {
    const failures: ((error: Error) => void)[] = [];
    const slow = new Writable({ write: (_chunk, _encoding, done) => void failures.push(done) });
    await open(echo, {}, slow);
    input.write(line(call('tools/list')));
    await eventually(() => failures.length).toBe(1);
    expect(malformed()).toEqual([]);
    failures[0]?.(new Error('EPIPE'));
    await eventually(() => malformed()).toMatchObject([{ cause: 'cut_off' }]);
  });

  test('hangs up and takes not even a short answer has broken off', async () => {
    await open(echo, {}, new Writable({ write: () => {} }));
    input.end(line(call('tools/list')));
    await eventually(() => hungUp).toBe(1);
    expect(malformed()).toMatchObject([{ cause: 'cut_off' }]);
  });

  test('hangs up and takes its answer late', async () => {
    const takes: (() => void)[] = [];
    await open(echo, {}, new Writable({ write: (_chunk, _encoding, done) => void takes.push(done) }));
    input.end(line(call('tools/list')));
    await eventually(() => takes.length).toBe(1);
    await eventually(() => input.readableEnded).toBe(true);
    expect(hungUp).toBe(0);
    for (let taken = 0; taken < takes.length; taken++) takes[taken]?.();
    await eventually(() => hungUp).toBe(1);
    expect(malformed()).toEqual([]);
  });

  test('leaves out the last line end, and is answered', async () => {
    await open();
    input.end(JSON.stringify(call('ping')));
    await eventually(() => hungUp).toBe(1);
    expect(output.read()?.toString()).toBe('{"jsonrpc":"2.0","id":1,"result":{}}\n');
  });

  test('breaks off', async () => {
    await open();
    input.write(line(call('ping')));
    await eventually(() => kinds()).toContain('request');
    input.destroy(new Error('broken'));
    await eventually(() => hungUp).toBe(1);
    expect(transport.openSessions()).toBe(0);
  });

  test('reads no more', async () => {
    const gone = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('gone'), { code: 'EPIPE' })),
    });
    await open(echo, {}, gone);
    input.write(line(call('ping')));
    await eventually(() => hungUp).toBe(1);
  });

  test('reads no more, and what it says after that is taken until it ends', async () => {
    await open();
    output.destroy();
    await eventually(() => output.closed).toBe(true);
    input.write(line(call('tools/call', { name: 'last' })));
    input.end();
    await eventually(() => hungUp).toBe(1);
    expect(received).toMatchObject([
      { kind: 'connection' },
      { kind: 'request', params: { name: 'last' } },
      {},
    ]);
  });

  test('sends a line without end: only its beginning is kept', async () => {
    await open(echo, { lineBytes: 100_000 });
    for (let count = 0; count < 2_000; count++) input.write('x'.repeat(50_000));
    input.write(`\n${line(call('ping'))}`);
    await eventually(() => kinds()).toContain('request');
    expect(malformed()).toMatchObject([{ reason: expect.stringContaining('100000') }]);
    expect(malformed()[0]?.raw).toBe(Buffer.alloc(65_536, 'x').toString('base64'));
  });

  test('floods, and is answered in order', async () => {
    await open();
    const count = 20_000;
    input.write(Array.from({ length: count }, (_, id) => line(call('m', {}, id))).join(''));
    let text = '';
    output.on('data', (chunk) => {
      text += chunk;
    });
    await eventually(() => text.length > 0 && text.endsWith(`"id":${count - 1},"result":{}}\n`)).toBe(true);
    const ids = [...text.matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id));
    expect(ids).toEqual(Array.from({ length: count }, (_, id) => id));
  });

  test('floods with garbage', async () => {
    await open();
    output.resume();
    for (let count = 0; count < 5_000; count++) input.write('garbage\n');
    input.write(line(call('ping')));
    await eventually(() => kinds().at(-1)).toBe('request');
    expect(malformed()).toHaveLength(5_000);
  });

  test('floods and never reads: it is read no further, and what waits is bounded', async () => {
    const large = { text: 'y'.repeat(100_000) };
    await open(({ exchange }, to) => to.answer(exchange, { kind: 'result', result: large }, ignoreSent));
    const count = 3_000;
    for (let id = 0; id < count; id++) input.write(line(call('m', { text: 'x'.repeat(1_000) }, id)));
    await eventually(() => input.isPaused()).toBe(true);
    const before = received.length;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(received.length).toBe(before);
    expect(received.length).toBeLessThan(10);
    expect(output.writableLength + output.readableLength).toBeLessThan(1_000_000);
    // Once it reads, it is served on.
    output.resume();
    await eventually(() => received.filter(({ kind }) => kind === 'request').length).toBe(count);
  });

  test('never reads what it is told: the oldest are kept, up to a bound', async () => {
    await open(echo, { waitingPerSession: 10 });
    input.write(line(call('initialize')));
    await eventually(() => kinds()).toContain('request');
    let sent = 0;
    for (let count = 0; count < 5_000; count++)
      transport.notify('every session', 'm', { text: 'z'.repeat(1_000) }, () => {
        sent += 1;
      });
    expect(sent).toBeLessThan(100);
    output.resume();
    await eventually(() => sent).toBeGreaterThan(0);
  });

  test.each([
    ['never reads and hangs up: it has not got its answer', false, [{ cause: 'cut_off' }]],
    ['reads and hangs up', true, []],
  ])('%s', async (_, reads, expected) => {
    const large = { text: 'y'.repeat(100_000) };
    await open(({ exchange }, to) => to.answer(exchange, { kind: 'result', result: large }, ignoreSent));
    if (reads) output.resume();
    for (let id = 0; id < 100; id++) input.write(line(call('m', {}, id)));
    input.end();
    await eventually(() => hungUp).toBe(1);
    expect(malformed()).toMatchObject(expected);
  });

  test('asks more than it waits for', async () => {
    await open(() => {}, { exchangesPerSession: 10 });
    for (let id = 0; id < 30; id++) input.write(line(call('m', {}, id)));
    await eventually(() => kinds().filter((kind) => kind === 'refused').length).toBe(20);
    expect(output.read()?.toString()).toContain('{"jsonrpc":"2.0","id":29,"error":{"code":-32000');
  });
});

test('messages that are sent before initialize is answered come after it', async () => {
  await open();
  transport.notify('every session', 'notifications/early', undefined, ignoreSent);
  input.write(line(call('ping', {}, 0)));
  input.write(line(call('initialize', {}, 1)));
  await eventually(() => received.length).toBe(3);
  const lines = (output.read()?.toString() ?? '').trimEnd().split('\n');
  expect(lines.map((text: string) => JSON.parse(text))).toMatchObject([
    { id: 0 },
    { id: 1 },
    { method: 'notifications/early' },
  ]);
});

test('close leaves the streams to their owner, and can be called again', async () => {
  await open();
  input.write(line(call('ping')));
  await eventually(() => kinds()).toContain('request');
  await transport.close();
  await transport.close();
  expect([input.destroyed, output.writableEnded, input.listenerCount('data')]).toEqual([false, false, 0]);
  expect(hungUp).toBe(0);
});
