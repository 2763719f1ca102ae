import { describe, expect, test } from 'vitest';
import { type CardEras, type CardUrls, makeCard } from '../../src/bindings/a2a/card.ts';
import type { Value, ValueMap } from '../../src/index.ts';

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

const interfaces = [
  { url: endpoint, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
  { url: 'http://127.0.0.1:8000', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
  { url: '127.0.0.1:8000', protocolBinding: 'GRPC', protocolVersion: '1.0' },
];
const listed = (url: string, protocolBinding: string) => [{ url, protocolBinding, protocolVersion: '1.0' }];

describe('interfaces for clients of 1.0', () => {
  test.each<[string, Value | undefined, CardUrls, Partial<CardEras>, Value | undefined]>([
    ['our own card', undefined, 'keep', {}, interfaces],
    ['our own card, for clients of 0.3', undefined, 'keep', { wanted: undefined }, interfaces],
    ['our own card of a server of 0.3', undefined, 'keep', { served: 'legacy' }, undefined],
    ['a card without an address', { name: 'x' }, 'keep', {}, interfaces],
    ['a card for clients of 0.3', { name: 'x' }, 'keep', { wanted: undefined }, undefined],
    ['a card served as written', { name: 'x', url: away }, 'as-written', {}, undefined],
    ['its own address', { url: away }, 'keep', {}, listed(away, 'JSONRPC')],
    ['its own transport', { url: away, preferredTransport: 'grpc' }, 'keep', {}, listed(away, 'GRPC')],
    [
      'no address twice',
      { url: away, additionalInterfaces: [{ url: away, transport: 'jsonrpc' }] },
      'keep',
      {},
      listed(away, 'JSONRPC'),
    ],
    [
      'another transport at the same address, and nothing odd',
      {
        url: away,
        additionalInterfaces: [{ url: away, transport: 'GRPC' }, { url: away }, { transport: 'GRPC' }, 'odd'],
      },
      'keep',
      {},
      [...listed(away, 'JSONRPC'), ...listed(away, 'GRPC')],
    ],
    [
      'interfaces that are no list',
      { url: away, additionalInterfaces: 'none' },
      'keep',
      {},
      listed(away, 'JSONRPC'),
    ],
    ['an address that is none', { url: 42 }, 'keep', {}, undefined],
    ['a transport that is none', { url: away, preferredTransport: 7 }, 'keep', {}, undefined],
    ['a signed card', { name: 'x', signatures: [] }, 'keep', {}, undefined],
    ['interfaces of its own', { supportedInterfaces: [] }, 'keep', {}, []],
    [
      'ours in place of its own',
      {
        supportedInterfaces: [{ url: away, protocolBinding: 'GRPC' }, { url: away, protocolBinding: 'X' }, 5],
      },
      'rewrite',
      {},
      [{ url: '127.0.0.1:8000', protocolBinding: 'GRPC' }, { url: endpoint, protocolBinding: 'X' }, 5],
    ],
  ])('%s', (_, written, urls, eras, supportedInterfaces) => {
    const { card } = makeCard(written, endpoint, urls, { wanted: '1.0', served: 'both', ...eras });
    expect((card as ValueMap).supportedInterfaces).toEqual(supportedInterfaces);
  });

  test.each<[ValueMap, Value | undefined]>([
    [
      { supportsAuthenticatedExtendedCard: true, capabilities: { streaming: true } },
      { extendedAgentCard: true, streaming: true },
    ],
    [{ supportsAuthenticatedExtendedCard: 'yes', capabilities: { streaming: true } }, { streaming: true }],
    [{ supportsAuthenticatedExtendedCard: true, capabilities: 'all' }, 'all'],
    [{ supportsAuthenticatedExtendedCard: true }, undefined],
  ])('%j declares %j', (written, capabilities) => {
    const { card } = makeCard(written, endpoint, 'keep', { wanted: '1.0', served: 'both' });
    expect(card).toMatchObject({ supportedInterfaces: interfaces });
    expect((card as ValueMap).capabilities).toEqual(capabilities);
    expect(card).not.toHaveProperty('supportsAuthenticatedExtendedCard');
  });
});

test.each<[string, string, boolean]>([
  ['http://127.0.0.1:8000/', endpoint, true],
  ['HTTP://LOCALHOST:8000/agent', endpoint, true],
  ['http://[::1]:8000', endpoint, true],
  ['http://127.9.9.9:8000/', endpoint, true],
  ['127.0.0.1:8000', endpoint, true],
  ['http://user:secret@127.0.0.1:8000/', endpoint, true],
  ['http://127.0.0.1:8000?x=/', endpoint, true],
  ['http://127.0.0.1:8001/', endpoint, false],
  ['http://127.0.0.1/', endpoint, false],
  ['http://127.0.0.1.example:8000/', endpoint, false],
  ['http://agent.example:8000/', endpoint, false],
  ['http://127.0.0.1:8000@agent.example/', endpoint, false],
  ['http://agent.example:8000/', 'http://agent.example:8000/', true],
  ['http://localhost:8000/', 'http://agent.example:8000/', false],
  ['http://127.0.0.1:8000/one/', 'http://127.0.0.1:8000/one/', true],
  ['http://127.0.0.1:8000/one', 'http://127.0.0.1:8000/one/', true],
  ['http://127.0.0.1:8000/one/more#x', 'http://127.0.0.1:8000/one/', true],
  ['http://127.0.0.1:8000/two/', 'http://127.0.0.1:8000/one/', false],
  ['http://127.0.0.1:8000/', 'http://127.0.0.1:8000/one/', false],
])('%s leads back to %s: %s', (url, here, isOurs) => {
  const { warnings } = makeCard({ url }, here, 'keep', { wanted: undefined, served: 'both' });
  expect(warnings.map(({ code }) => code)).toEqual(isOurs ? [] : ['O-120']);
});

test('every address that leads away is told once', () => {
  const card = {
    url: away,
    additionalInterfaces: [{ url: away }, { url: 'b.example' }, 'odd', null, { url: 5 }],
    supportedInterfaces: [{ url: 'c.example' }],
  };
  const { warnings } = makeCard(card, endpoint, 'keep', { wanted: undefined, served: 'both' });
  expect(warnings.map(({ message }) => message.split(',')[0])).toEqual(
    [away, 'b.example', 'c.example'].map((url) => `the card says ${url}`),
  );
});

test.each<[Value, string]>([
  [{ name: 'x' }, ''],
  ['odd', endpoint],
])('a card stays as it is: %j at %s', (card, here) => {
  const served = makeCard(card, here, 'rewrite', { wanted: '1.0', served: 'both' });
  expect(served).toEqual({ card, warnings: [] });
});
