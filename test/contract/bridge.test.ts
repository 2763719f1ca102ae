import { Readable, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { relayLines } from '../../src/cli/bridge/bridge.ts';
import { call, eventually, openTransport } from '../support/http-peer.ts';
import { playOverHttp } from './play-over-http.ts';
import { linePeer, openPipes } from './raw-peers.ts';
import { serverContract } from './server-contract.ts';

serverContract('a bridge', (document) =>
  playOverHttp(document, ({ url }) => {
    const { toServer, fromServer } = openPipes();
    const ended = relayLines({ url: new URL(url), input: toServer, output: fromServer, note: () => {} });
    return linePeer(toServer, fromServer, async () => {
      await ended;
    });
  }),
);

const large = { text: 'y'.repeat(100_000) };

/** Carries an answer that comes after the end of the input to a client that takes nothing until then, or ever. */
async function carry(reads: boolean) {
  const pending: (() => void)[] = [];
  const { url, transport } = await openTransport({}, ({ exchange }, to) => {
    pending.push(() => to.answer(exchange, { kind: 'result', result: large }, () => {}));
  });
  const takes: (() => void)[] = [];
  let text = '';
  let isReading = false;
  const output = new Writable({
    write(chunk, _, done) {
      text += chunk;
      if (isReading) done();
      else takes.push(done);
    },
  });
  const lines = ['initialize', 'tools/list'].map((method, id) => `${JSON.stringify(call(method, {}, id))}\n`);
  const input = Readable.from([Buffer.from(lines.join(''))]);
  const ended = relayLines({
    url: new URL(url),
    input,
    output,
    note: () => {},
    lateReaderMs: reads ? 60_000 : 0,
  });
  await eventually(() => input.readableEnded && pending.length > 0).toBe(true);
  for (const answer of pending) answer();
  if (reads) {
    isReading = true;
    for (const take of takes.splice(0)) take();
  }
  const end = await ended;
  await transport.close();
  return { kind: end.kind, lines: text.split('\n').length - 1 };
}

test('bridge: carries every answer to a client that closes its input and reads late', async () => {
  expect(await carry(true)).toEqual({ kind: 'ended', lines: 2 });
});

test('bridge: reports lost answers when the client has not read everything', async () => {
  expect(await carry(false)).toMatchObject({ kind: 'lost' });
});
