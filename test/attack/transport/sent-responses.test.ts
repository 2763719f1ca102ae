import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SentResponses } from '../../../src/attack/transport/http-server/sent-responses.ts';
import { eventually, openTransport } from '../../support/http-peer.ts';

interface Response {
  readonly method?: string;
  /** The body as it is given to Node in pieces. */
  readonly pieces?: readonly string[];
  readonly sent: string;
}

const json = (body: string): Response => ({
  pieces: [body],
  sent: `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
});
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const stream = (...pieces: string[]): Response => ({
  pieces,
  sent: `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${pieces.map(chunk).join('')}0\r\n\r\n`,
});

const whole: { readonly [name: string]: readonly Response[] } = {
  'an answer with a length': [json('{"a":1}')],
  'an answer beyond ASCII': [json('{"é":"漢字"}'), json('')],
  'a stream of one message': [stream('data: é\n\n')],
  'a stream and two answers': [stream('a', 'bb', 'c'.repeat(300)), json('{}'), json('x')],
  'an answer without a body': [{ sent: 'HTTP/1.1 204 No Content\r\n\r\n' }, json('{}')],
  'an answer to HEAD': [{ method: 'HEAD', sent: 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n' }, json('{}')],
  'a request to continue': [{ pieces: ['{}'], sent: `HTTP/1.1 100 Continue\r\n\r\n${json('{}').sent}` }],
  'an empty stream': [stream()],
};

const [head = '', body = ''] = stream('a', 'b').sent.split('\r\n\r\n1\r\na');
const damaged: { readonly [name: string]: readonly Response[] } = {
  'the end of a stream before its last message': [
    { pieces: ['a', 'b'], sent: `${head}\r\n\r\n${chunk('a')}0\r\n\r\n${chunk('b')}` },
  ],
  'a stream without one of its messages': [{ pieces: ['a', 'b'], sent: stream('a').sent }],
  'a message twice': [{ pieces: ['a', 'b'], sent: stream('a', 'b', 'b').sent }],
  'bytes between answers': [json('{}'), { ...json('{}'), sent: `\r\n${json('{}').sent}` }],
  'an answer that nobody asked for': [{ ...json('{}'), sent: json('{}').sent + json('{}').sent }],
  'a chunk of no size': [{ pieces: ['a'], sent: `${head}\r\n\r\nzz\r\na${body}` }],
  'a chunk that is longer than it says': [{ pieces: ['aa'], sent: `${head}\r\n\r\n1\r\naa\r\n0\r\n\r\n` }],
};

/** Sends responses over a connection, in pieces of these lengths, as text or as bytes. */
function send(responses: readonly Response[], lengths: readonly number[], asBytes: boolean): readonly string[] {
  const damages: string[] = [];
  const socket = { write: () => true } as unknown as Socket;
  const check = new SentResponses(socket, (damage) => damages.push(damage));
  for (const { method = 'POST', pieces = [], sent } of responses) {
    const expected = { hasBody: method !== 'HEAD', bytes: Buffer.byteLength(pieces.join('')) };
    check.expect(expected);
    const bytes = Buffer.from(sent);
    for (let at = 0, turn = 0; at < bytes.length; turn++) {
      const length = lengths[turn % lengths.length] ?? bytes.length;
      const part = bytes.subarray(at, at + length);
      if (asBytes) socket.write(part);
      else socket.write(part.toString('latin1'), 'latin1');
      at += length;
    }
    check.noteEnd(expected);
  }
  return damages;
}

const splits = [fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }), fc.boolean()] as const;

describe('SentResponses', () => {
  test.each(Object.entries(whole))('accepts %s, however it is split', (_, responses) => {
    fc.assert(
      fc.property(...splits, (lengths, asBytes) => {
        expect(send(responses, lengths, asBytes)).toEqual([]);
      }),
    );
  });

  test.each(Object.entries(damaged))('reports %s once, however it is split', (_, responses) => {
    fc.assert(
      fc.property(...splits, (lengths, asBytes) => {
        expect(send(responses, lengths, asBytes)).toHaveLength(1);
      }),
    );
  });

  test('reports a response whose end is never sent', () => {
    expect(send([{ pieces: ['a'], sent: `${head}\r\n\r\n${chunk('a')}` }], [10], true)).toEqual([
      'our own response was damaged on its way out: its end was never sent',
    ]);
  });

  test('reports a head without an end', () => {
    expect(send([{ sent: 'x'.repeat(200_000) }], [50_000], true)).toEqual([
      'our own response was damaged on its way out: it has no end of its head',
    ]);
  });

  test('takes a body without a length to end with its connection', () => {
    expect(send([{ pieces: ['body'], sent: 'HTTP/1.1 200 OK\r\n\r\nbody' }], [3], false)).toEqual([]);
  });

  test('counts text beyond ASCII in bytes', () => {
    const damages: string[] = [];
    const socket = { write: () => true } as unknown as Socket;
    const check = new SentResponses(socket, (damage) => damages.push(damage));
    for (const text of ['é漢', 'a']) {
      const expected = { hasBody: true, bytes: Buffer.byteLength(text) };
      check.expect(expected);
      socket.write(json(text).sent);
      check.noteEnd(expected);
    }
    expect(damages).toEqual([]);
  });
});

describe('a server of ours', () => {
  // Node answers these itself, without telling the server of the request.
  test.each([
    ['an unknown expectation', 'POST /mcp HTTP/1.1\r\nHost: HOST\r\nExpect: banana\r\nContent-Length: 0\r\n\r\n', 417],
    ['no host', 'POST /mcp HTTP/1.1\r\nContent-Length: 0\r\n\r\n', 400],
  ])('takes a refusal by Node of a request with %s for no fault', async (_, request, status) => {
    const { transport, received, port } = await openTransport();
    const host = `127.0.0.1:${port}`;
    const known = `GET /mcp HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const socket = connect(port, '127.0.0.1');
    let answers = '';
    socket.setEncoding('latin1').on('data', (text) => {
      answers += text;
    });
    socket.write(known + request.replace('HOST', host) + known);
    await eventually(() => answers).toContain(`HTTP/1.1 ${status} `);
    socket.destroy();
    await transport.close();
    expect(received.filter(({ kind }) => kind === 'fault')).toEqual([]);
  });
});
