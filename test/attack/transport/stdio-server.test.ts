import { PassThrough, Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Incoming } from '../../../src/attack/engine/actor-messages.ts';
import type { Transport } from '../../../src/attack/engine/ports.ts';
import { createStdioServer, type StdioServerLimits } from '../../../src/attack/transport/mcp-server/stdio-server.ts';
import { call, echo, eventually, ignoreSent, type Request } from '../../support/http-peer.ts';

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

/** Everything that has been written so far; since Node 26 a read gives one written piece at a time. */
function readOutput(): string {
  let text = '';
  for (let chunk = output.read(); chunk !== null; chunk = output.read()) text += String(chunk);
  return text;
}

const line = (message: unknown): string => `${JSON.stringify(message)}\n`;
const kinds = () => received.map(({ kind }) => kind);
const malformed = () => received.filter((message) => message.kind === 'malformed');

describe('our server over standard streams', () => {
  test('ends the session without a message if the peer closes its end at once', async () => {
    await open();
    input.end();
    await eventually(() => hungUp).toBe(1);
    expect(received).toEqual([]);
    expect(transport.isConnected()).toBe(false);
  });

  test('records as cut off the line in which the peer closes its end', async () => {
    await open();
    input.end('{"jsonrpc":"2.0","id":1,"met');
    await eventually(() => hungUp).toBe(1);
    expect(kinds()).toEqual(['connection', 'refused', 'malformed', 'connection']);
    expect(malformed()).toMatchObject([{ cause: 'cut_off' }]);
    expect(Buffer.from(malformed()[0]?.raw ?? '', 'base64').toString()).toBe('{"jsonrpc":"2.0","id":1,"met');
  });

  test('records a cut if the peer does not read its answer', async () => {
    const closed = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
    await open(echo, {}, closed);
    input.write(line(call('tools/list')));
    await eventually(() => malformed()).toMatchObject([
      { cause: 'cut_off', reason: 'the client had closed its end before it read our answer' },
    ]);
  });

  test('records a cut if the peer closes its end in the middle of an answer', async () => {
    const failures: ((error: Error) => void)[] = [];
    const slow = new Writable({ write: (_chunk, _encoding, done) => void failures.push(done) });
    await open(echo, {}, slow);
    input.write(line(call('tools/list')));
    await eventually(() => failures.length).toBe(1);
    expect(malformed()).toEqual([]);
    failures[0]?.(new Error('EPIPE'));
    await eventually(() => malformed()).toMatchObject([{ cause: 'cut_off' }]);
  });

  test('records a cut if the peer hangs up without reading a short answer', async () => {
    await open(echo, {}, new Writable({ write: () => {} }));
    input.end(line(call('tools/list')));
    await eventually(() => hungUp).toBe(1);
    expect(malformed()).toMatchObject([{ cause: 'cut_off' }]);
  });

  test('records no cut if the peer hangs up but reads its answer late', async () => {
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

  test('answers a last line without a line end', async () => {
    await open();
    input.end(JSON.stringify(call('ping')));
    await eventually(() => hungUp).toBe(1);
    expect(readOutput()).toBe('{"jsonrpc":"2.0","id":1,"result":{}}\n');
  });

  test('ends the session if the input breaks', async () => {
    await open();
    input.write(line(call('ping')));
    await eventually(() => kinds()).toContain('request');
    input.destroy(new Error('broken'));
    await eventually(() => hungUp).toBe(1);
    expect(transport.openSessions()).toBe(0);
  });

  test('ends the session if the peer reads no more', async () => {
    const gone = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('gone'), { code: 'EPIPE' })),
    });
    await open(echo, {}, gone);
    input.write(line(call('ping')));
    await eventually(() => hungUp).toBe(1);
  });

  test('hears a peer that reads no more until it ends', async () => {
    await open();
    output.destroy();
    await eventually(() => output.closed).toBe(true);
    input.write(line(call('tools/call', { name: 'last' })));
    input.end();
    await eventually(() => hungUp).toBe(1);
    expect(received).toMatchObject([{ kind: 'connection' }, { kind: 'request', params: { name: 'last' } }, {}]);
  });

  test('records only the beginning of a line without end', async () => {
    await open(echo, { lineBytes: 100_000 });
    for (let count = 0; count < 2_000; count++) input.write('x'.repeat(50_000));
    input.write(`\n${line(call('ping'))}`);
    await eventually(() => kinds()).toContain('request');
    expect(malformed()).toMatchObject([{ reason: expect.stringContaining('100000') }]);
    expect(malformed()[0]?.raw).toBe(Buffer.alloc(65_536, 'x').toString('base64'));
  });

  test('answers a flood of requests in order', async () => {
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

  test('still answers after a flood of garbage', async () => {
    await open();
    output.resume();
    for (let count = 0; count < 5_000; count++) input.write('garbage\n');
    input.write(line(call('ping')));
    await eventually(() => kinds().at(-1)).toBe('request');
    expect(malformed()).toHaveLength(5_000);
  });

  test('reads no further from a peer that floods and never reads, until it reads again', async () => {
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

  test('keeps only a limited number of notifications for a peer that never reads', async () => {
    // What the pipe itself takes differs between versions of Node.
    const taken = (output.writableHighWaterMark + output.readableHighWaterMark) / 1_000;
    await open(echo, { waitingPerSession: 10 });
    input.write(line(call('initialize')));
    await eventually(() => kinds()).toContain('request');
    let sent = 0;
    for (let count = 0; count < 5_000; count++)
      transport.notify('every session', 'm', { text: 'z'.repeat(1_000) }, () => {
        sent += 1;
      });
    expect(sent).toBeLessThan(taken + 20);
    output.resume();
    await eventually(() => sent).toBeGreaterThan(0);
  });

  test.each([
    ['records a cut if the peer never reads and hangs up', false, [{ cause: 'cut_off' }]],
    ['records no cut if the peer reads and hangs up', true, []],
  ])('%s', async (_, reads, expected) => {
    const large = { text: 'y'.repeat(100_000) };
    await open(({ exchange }, to) => to.answer(exchange, { kind: 'result', result: large }, ignoreSent));
    if (reads) output.resume();
    for (let id = 0; id < 100; id++) input.write(line(call('m', {}, id)));
    input.end();
    await eventually(() => hungUp).toBe(1);
    expect(malformed()).toMatchObject(expected);
  });

  test('refuses more requests than may be open at once', async () => {
    await open(() => {}, { exchangesPerSession: 10 });
    for (let id = 0; id < 30; id++) input.write(line(call('m', {}, id)));
    await eventually(() => kinds().filter((kind) => kind === 'refused').length).toBe(20);
    expect(readOutput()).toContain('{"jsonrpc":"2.0","id":29,"error":{"code":-32000');
  });
});

test('a server over standard streams sends messages only after it has answered initialize', async () => {
  await open();
  transport.notify('every session', 'notifications/early', undefined, ignoreSent);
  input.write(line(call('ping', {}, 0)));
  input.write(line(call('initialize', {}, 1)));
  await eventually(() => received.length).toBe(3);
  const lines = readOutput().trimEnd().split('\n');
  expect(lines.map((text: string) => JSON.parse(text))).toMatchObject([
    { id: 0 },
    { id: 1 },
    { method: 'notifications/early' },
  ]);
});

test('close of a server over standard streams leaves the streams to their owner, and can be called again', async () => {
  await open();
  input.write(line(call('ping')));
  await eventually(() => kinds()).toContain('request');
  await transport.close();
  await transport.close();
  expect([input.destroyed, output.writableEnded, input.listenerCount('data')]).toEqual([false, false, 0]);
  expect(hungUp).toBe(0);
});
