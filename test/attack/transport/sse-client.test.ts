import { afterEach, describe, expect, test } from 'vitest';
import type { Incoming } from '../../../src/attack/engine/actor-messages.ts';
import type { Transport } from '../../../src/attack/engine/ports.ts';
import { type AgUiClientLimits, createAgUiClient } from '../../../src/attack/transport/ag-ui-client/ag-ui-client.ts';
import type { Value } from '../../../src/index.ts';
import {
  type Answerer,
  eventStream,
  frame,
  type HttpAgent,
  openAgent,
  openSocketAgent,
} from '../../support/http-agent.ts';
import { eventually } from '../../support/http-peer.ts';

interface Client {
  readonly transport: Transport;
  readonly received: Incoming[];
  /** Sessions that were written to, and how much had been received by then. */
  readonly sent: string[];
  /** Posts a value, and returns everything that came in answer when it is over. */
  ask(params?: Value): Promise<Incoming[]>;
}

let agent: HttpAgent | undefined;
let client: Client;

afterEach(async () => {
  await client.transport.close();
  if (agent !== undefined) await eventually(() => agent?.connections()).toBe(0);
  await agent?.close();
  agent = undefined;
});

async function connect(url: string, limits: Partial<AgUiClientLimits> = {}): Promise<Client> {
  const transport = createAgUiClient({ url: () => url, limits, headers: { 'x-own': 'yes' } });
  const received: Incoming[] = [];
  const sent: string[] = [];
  const ends = new Map<string, () => void>();
  await transport.open((message) => {
    received.push(message);
    if (message.kind === 'end') ends.get(message.ask)?.();
  });
  let asks = 0;
  client = {
    transport,
    received,
    sent,
    async ask(params = {}) {
      const key = `a-${++asks}`;
      const ended = new Promise<void>((resolve) => ends.set(key, resolve));
      transport.ask('every session', key, 'run_agent_input', params, (session) =>
        sent.push(`${session} ${received.length}`),
      );
      await ended;
      return received.filter((message) => 'session' in message && message.session === key);
    },
  };
  return client;
}

/** A client of an agent with scripted answers. */
async function facing(answer: Answerer, limits?: Partial<AgUiClientLimits>): Promise<Client> {
  agent = await openAgent(answer);
  return connect(agent.url, limits);
}

async function facingSocket(...args: Parameters<typeof openSocketAgent>): Promise<Client> {
  agent = await openSocketAgent(...args);
  return connect(agent.url);
}

/** Answers with a stream of these pieces, each written separately. */
function streaming(...pieces: readonly (string | Buffer)[]): Answerer {
  return (response) => {
    response.writeHead(200, eventStream);
    for (const piece of pieces) response.write(piece);
    response.end();
  };
}

/**
 * The received messages in short: parts by their value, the rest by kind and reason; without readings of refused
 * content.
 */
function short(messages: readonly Incoming[]): unknown[] {
  return messages.flatMap((message): unknown[] => (message.kind === 'refused' ? [] : [shortly(message)]));
}

function shortly(message: Incoming): unknown {
  if (message.kind === 'part') return message.part;
  return 'reason' in message ? `${message.kind}: ${message.reason}` : message.kind;
}

describe('a request of our AG-UI client', () => {
  test('is a POST of JSON that asks for events', async () => {
    await facing(streaming(frame(1)));
    await client.ask({ odd: [null, 'é{{'] });
    expect(agent?.inputs).toEqual([{ odd: [null, 'é{{'] }]);
    expect(agent?.requests[0]).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'x-own': 'yes' },
    });
  });
  test('counts as sent before anything comes back', async () => {
    await facing(streaming(frame(1)));
    expect(client.sent).toEqual([]);
    await client.ask();
    expect(client.sent).toEqual(['a-1 0']);
  });
  test('counts as sent if it is answered before it was read', async () => {
    await facingSocket((socket) => {
      socket.end(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n${frame(1)}`);
    });
    expect(short(await client.ask('x'.repeat(20_000_000)))[0]).toBe(1);
    expect(client.sent).toEqual(['a-1 0']);
  });
  test('does not count as sent if nobody listens', async () => {
    await connect('http://127.0.0.1:1/');
    await client.ask();
    expect(client.sent).toEqual([]);
  });
});

describe('a stream to our AG-UI client', () => {
  const rows: [string, (string | Buffer)[], unknown[]][] = [
    ['is read as events in order', [frame({ a: 1 }), frame({ a: 2 })], [{ a: 1 }, { a: 2 }, 'end']],
    ['may have any JSON as events', [frame(null), frame('x'), frame([])], [null, 'x', [], 'end']],
    ['may split a character', [Buffer.from('data: "\xc3', 'latin1'), Buffer.from('\xa9"\n\n', 'latin1')], ['é', 'end']],
    ['may lack the empty line after its last event', ['data: 1'], [1, 'end']],
    ['may be empty', [], ['end']],
    ['may have comments', [': ping\n\n', frame(1)], [1, 'end']],
  ];
  test.each(rows)('%s', async (_, pieces, expected) => {
    await facing(streaming(...pieces));
    expect(short(await client.ask())).toEqual(expected);
  });

  const unreadable: [string, string | Buffer, string][] = [
    ['not JSON', 'data: hello\n\n', 'not valid JSON'],
    ['invalid UTF-8', Buffer.from('data: \x01\xff\x02\n\n', 'latin1'), 'not valid UTF-8'],
    ['nested too deeply', `data: ${'['.repeat(600)}${']'.repeat(600)}\n\n`, 'nested deeper'],
  ];
  test.each(unreadable)('goes on after bytes that cannot be read, which are kept: %s', async (_, piece, reason) => {
    await facing(streaming(frame(1), piece, frame(2)));
    const messages = await client.ask();
    expect(short(messages)).toEqual([1, expect.stringContaining(reason), 2, 'end']);
    expect(messages.find(({ kind }) => kind === 'malformed')).toMatchObject({
      ask: 'a-1',
      raw: Buffer.from(piece).subarray(6, -2).toString('base64'),
    });
  });

  test.each(['text/event-stream', 'text/event-stream; charset=utf-8', 'Text/Event-Stream'])(
    'is known by its content type: %s',
    async (type) => {
      await facing((response) => response.writeHead(201, { 'content-type': type }).end(frame(1)));
      expect(short(await client.ask())).toEqual([1, 'end']);
    },
  );
});

describe('our AG-UI client ends a stream', () => {
  const endless: Answerer = (response) => {
    response.writeHead(200, eventStream);
    const more = (): void => {
      while (!response.destroyed && response.write(frame('x'.repeat(100))));
    };
    response.on('drain', more);
    more();
  };

  test('with an event that is too long', async () => {
    await facing(streaming(frame(1), `data: ${'x'.repeat(2_000)}`), { eventBytes: 1_000 });
    expect(short(await client.ask())).toEqual([
      1,
      expect.stringMatching(/^malformed: .*1000/),
      expect.stringMatching(/^end: .*1000/),
    ]);
  });
  test('with too many events', async () => {
    await facing(endless, { streamEvents: 10 });
    const messages = await client.ask();
    expect([messages.length, short(messages).at(-1)]).toEqual([11, expect.stringMatching(/^end: .*10 events/)]);
  });
  test('that is too long', async () => {
    await facing(endless, { streamBytes: 1_000_000 });
    const messages = await client.ask();
    expect(short(messages).at(-1)).toEqual(expect.stringMatching(/^end: .*1000000 bytes/));
    await eventually(() => agent?.connections()).toBe(0);
    expect(client.received.at(-1)?.kind).toBe('end');
  });
  test('that is an endless refusal', async () => {
    await facing((response) => {
      response.writeHead(500, { 'content-type': 'text/plain' });
      const more = (): void => {
        while (!response.destroyed && response.write('no '.repeat(1_000)));
      };
      response.on('drain', more);
      more();
    });
    expect((await client.ask()).map(({ kind }) => kind)).toEqual(['refused', 'malformed', 'end']);
  });
});

describe('our AG-UI client ends a request with a reason if the answer', () => {
  const html = '<html>sign in</html>';
  const rows: [string, number, Record<string, string>, string, string][] = [
    ['is HTTP 404', 404, { 'content-type': 'text/plain' }, 'no such agent', 'HTTP 404 Not Found: no such agent'],
    ['is HTTP 500', 500, {}, 'oops', 'HTTP 500 Internal Server Error: oops'],
    ['is HTTP 503 with events', 503, eventStream, frame(1), 'HTTP 503'],
    ['is a redirect, which is not followed', 307, { location: '/other' }, '', 'HTTP 307'],
    ['has another content type', 200, { 'content-type': 'text/html' }, html, 'text/html'],
    ['has no content type', 200, {}, 'x', 'no content type'],
    ['has no content', 204, {}, '', 'no content type'],
  ];
  test.each(rows)('%s', async (_, status, headers, body, reason) => {
    await facing((response) => response.writeHead(status, headers).end(body));
    const messages = await client.ask();
    expect(messages.at(-1)).toMatchObject({ kind: 'end', reason: expect.stringContaining(reason) });
    const raw = messages.flatMap((message) => (message.kind === 'malformed' ? message.raw : []));
    // What comes with a failure need not be events to count as read.
    expect(raw).toEqual(body === '' || status !== 200 ? [] : [Buffer.from(body).toString('base64')]);
    const said = messages.flatMap((message) => (message.kind === 'refused' ? message.message.content : []));
    expect(said).toEqual(body === '' ? [] : [body === frame(1) ? 1 : body]);
    expect(agent?.inputs).toHaveLength(1);
  });
  test('is JSON, which is shown as events', async () => {
    await facing((response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('[{"a":1},{"b":2}]'),
    );
    expect(await client.ask()).toMatchObject([
      { kind: 'refused', message: { kind: 'event', content: { a: 1 } } },
      { kind: 'refused', message: { kind: 'event', content: { b: 2 } } },
      { kind: 'end', reason: expect.stringContaining('application/json') },
    ]);
  });
});

describe('a connection of our AG-UI client', () => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
  const chunked = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

  test('ends with the address if nobody listens', async () => {
    await connect('http://127.0.0.1:1/');
    expect(short(await client.ask())).toEqual([expect.stringMatching(/^end: nothing listens at 127.0.0.1:1$/)]);
  });
  test('ends with the name of a host that does not exist', async () => {
    await connect('http://nowhere.invalid/');
    expect(short(await client.ask())).toEqual([expect.stringContaining('nowhere.invalid')]);
  });

  const rows: [string, Parameters<typeof openSocketAgent>[0], unknown[]][] = [
    ['ends if it is closed at once', (socket) => socket.destroy(), [expect.stringMatching(/^end: ./)]],
    ['ends if it is reset at once', (socket) => socket.resetAndDestroy(), [expect.stringMatching(/^end: .*reset/)]],
    ['ends if it does not speak HTTP', (socket) => socket.end('SSH-2.0-x\r\n'), [expect.stringMatching(/^end: ./)]],
    ['ends within a header', (socket) => socket.end('HTTP/1.1 200'), [expect.stringMatching(/^end: ./)]],
    [
      'ends if it switches to another protocol',
      (socket) => socket.write('HTTP/1.1 101 Switching\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
      [expect.stringMatching(/^end: ./)],
    ],
    [
      'ends between two events',
      (socket) => socket.write(head + chunked(frame(1)), () => socket.destroy()),
      [1, expect.stringMatching(/^end: its stream broke off|^end: .*reset/)],
    ],
    [
      'ends within an event, which is kept',
      (socket) => socket.write(head + chunked(`${frame(1)}data: "half`), () => socket.destroy()),
      [1, expect.stringMatching(/^malformed: /), expect.stringMatching(/^end: its stream broke off|^end: .*reset/)],
    ],
    [
      'ends at a bad chunk',
      (socket) => socket.write(`${head}${chunked(frame(1))}zzz\r\n`),
      [1, expect.stringMatching(/^end: ./)],
    ],
    [
      'ends before its stated length',
      (socket) =>
        socket.end(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 99\r\n\r\n${frame(1)}`),
      [1, expect.stringMatching(/^end: its stream broke off/)],
    ],
    [
      'ends well if it has no stated length',
      (socket) => socket.end(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n${frame(1)}`),
      [1, 'end'],
    ],
    [
      'ends within a refusal',
      (socket) => socket.end('HTTP/1.1 500 Oops\r\ncontent-length: 99\r\n\r\nhalf'),
      [expect.stringMatching(/^malformed: /), 'end: it answered HTTP 500 Oops: half'],
    ],
  ];
  test.each(rows)('%s', async (_, answer, expected) => {
    await facingSocket(answer);
    expect(short(await client.ask())).toEqual(expected);
  });
});

describe('open requests of our AG-UI client', () => {
  test('are counted until they are over', async () => {
    const waiting: (() => void)[] = [];
    await facing((response) => waiting.push(() => streaming(frame(1))(response, {}, 0)));
    const asked = client.ask();
    await eventually(() => waiting.length).toBe(1);
    expect([client.transport.openSessions(), client.transport.isConnected()]).toEqual([1, true]);
    waiting[0]?.();
    await asked;
    expect([client.transport.openSessions(), client.transport.isConnected()]).toEqual([0, false]);
  });
  test('do not get in each other’s way', async () => {
    await facing((response, { n }) => streaming(frame(n ?? null), frame('end'))(response, {}, 0));
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => client.ask({ n })));
    expect(answers.map(short)).toEqual(Array.from({ length: 50 }, (_, n) => [n, 'end', 'end']));
  });

  const hanging: [string, Answerer][] = [
    ['an agent that never answers', () => {}],
    ['an agent that never ends', (response) => response.writeHead(200, eventStream).write(frame(1))],
  ];
  test.each(hanging)('are all ended by close, with nothing left behind: %s', async (_, answer) => {
    const handles = () => process.getActiveResourcesInfo().filter((name) => /^TCP|Timeout/.test(name)).length;
    await facing(answer);
    const before = handles();
    for (let count = 0; count < 20; count++) void client.ask();
    await eventually(() => agent?.inputs.length).toBe(20);
    await client.transport.close();
    await client.transport.close();
    expect(client.transport.openSessions()).toBe(0);
    const { length } = client.received;
    await eventually(() => agent?.connections()).toBe(0);
    await eventually(handles).toBeLessThanOrEqual(before + 1);
    expect(client.received).toHaveLength(length);
  });
  test('are not needed for close, which works before open', async () => {
    await facing(() => {});
    await createAgUiClient({ url: () => '' }).close();
  });
});
