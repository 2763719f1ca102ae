import { expect, test } from 'vitest';
import { type CardUrls, makeCard } from '../../src/bindings/a2a/card.ts';
import type { Value } from '../../src/index.ts';

const endpoint = 'http://127.0.0.1:8000/';
const away = 'https://agent.example/';

test.each<[string, Value, CardUrls, Value]>([
  ['JSON-RPC where nothing is said', {}, 'keep', endpoint],
  ['REST', { preferredTransport: 'HTTP+JSON' }, 'keep', 'http://127.0.0.1:8000'],
  ['gRPC, however it is written', { preferredTransport: 'grpc' }, 'keep', '127.0.0.1:8000'],
  ['JSON-RPC for a transport that nobody knows', { preferredTransport: 'PIGEON' }, 'keep', endpoint],
  ['JSON-RPC for one that is no text', { preferredTransport: 7 }, 'keep', endpoint],
  ['its own', { url: away }, 'keep', away],
  ['ours in place of its own', { url: away, preferredTransport: 'PIGEON' }, 'rewrite', endpoint],
  ['ours where it only lists others', { additionalInterfaces: [{ url: away }] }, 'keep', endpoint],
])('a card has the address of %s', (_, written, urls, url) => {
  expect(makeCard(written, endpoint, urls, { wanted: undefined, served: 'both' }).card).toMatchObject({
    url,
  });
});
