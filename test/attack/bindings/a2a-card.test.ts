import { describe, expect, test } from 'vitest';
import { type CardEras, type CardUrls, makeCard } from '../../../src/attack/bindings/a2a/card.ts';
import type { Value, ValueMap } from '../../../src/index.ts';

const endpoint = 'http://127.0.0.1:8000/';
const away = 'https://agent.example/';

test.each<[string, Value, CardUrls, Value]>([
  ['adds the JSON-RPC URL to a card without a transport', {}, 'keep', endpoint],
  [
    'adds the HTTP+JSON URL to a card that prefers HTTP+JSON',
    { preferredTransport: 'HTTP+JSON' },
    'keep',
    'http://127.0.0.1:8000',
  ],
  [
    'adds the gRPC address to a card that prefers gRPC in any letter case',
    { preferredTransport: 'grpc' },
    'keep',
    '127.0.0.1:8000',
  ],
  ['adds the JSON-RPC URL to a card with an unknown transport', { preferredTransport: 'PIGEON' }, 'keep', endpoint],
  ['adds the JSON-RPC URL to a card whose transport is a number', { preferredTransport: 7 }, 'keep', endpoint],
  ['keeps the card’s own URL', { url: away }, 'keep', away],
  [
    'replaces the card’s own URL when cardUrls is "rewrite"',
    { url: away, preferredTransport: 'PIGEON' },
    'rewrite',
    endpoint,
  ],
  [
    'adds our URL to a card that only lists additional interfaces',
    { additionalInterfaces: [{ url: away }] },
    'keep',
    endpoint,
  ],
])('makeCard: %s', (_, written, urls, url) => {
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

describe('makeCard, supportedInterfaces', () => {
  test.each<[string, Value | undefined, CardUrls, Partial<CardEras>, Value | undefined]>([
    ['lists our three interfaces in the default card', undefined, 'keep', {}, interfaces],
    [
      'lists our three interfaces in the default card for clients of 0.3, too',
      undefined,
      'keep',
      { wanted: undefined },
      interfaces,
    ],
    [
      'lists none in the default card of a server that speaks 0.3 only',
      undefined,
      'keep',
      { served: 'legacy' },
      undefined,
    ],
    ['lists our three interfaces in a card without a URL', { name: 'x' }, 'keep', {}, interfaces],
    ['adds none to a card for clients of 0.3', { name: 'x' }, 'keep', { wanted: undefined }, undefined],
    ['adds none to a card served as written', { name: 'x', url: away }, 'as-written', {}, undefined],
    ['lists the card’s own URL', { url: away }, 'keep', {}, listed(away, 'JSONRPC')],
    [
      'lists the card’s own URL with its preferred transport',
      { url: away, preferredTransport: 'grpc' },
      'keep',
      {},
      listed(away, 'GRPC'),
    ],
    [
      'lists the same URL and transport once',
      { url: away, additionalInterfaces: [{ url: away, transport: 'jsonrpc' }] },
      'keep',
      {},
      listed(away, 'JSONRPC'),
    ],
    [
      'lists another transport at the same URL, and skips malformed entries',
      {
        url: away,
        additionalInterfaces: [{ url: away, transport: 'GRPC' }, { url: away }, { transport: 'GRPC' }, 'odd'],
      },
      'keep',
      {},
      [...listed(away, 'JSONRPC'), ...listed(away, 'GRPC')],
    ],
    [
      'ignores additional interfaces that are not a list',
      { url: away, additionalInterfaces: 'none' },
      'keep',
      {},
      listed(away, 'JSONRPC'),
    ],
    ['adds none to a card whose URL is a number', { url: 42 }, 'keep', {}, undefined],
    ['adds none to a card whose transport is a number', { url: away, preferredTransport: 7 }, 'keep', {}, undefined],
    ['adds none to a signed card', { name: 'x', signatures: [] }, 'keep', {}, undefined],
    ['keeps the card’s own list', { supportedInterfaces: [] }, 'keep', {}, []],
    [
      'replaces the URLs of the card’s own list when cardUrls is "rewrite"',
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
  ])('turns %j into a 1.0 card with the capabilities %j', (written, capabilities) => {
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
])('makeCard: decides whether the URL %s points back to %s: %s', (url, here, isOurs) => {
  const { warnings } = makeCard({ url }, here, 'keep', { wanted: undefined, served: 'both' });
  expect(warnings.map(({ code }) => code)).toEqual(isOurs ? [] : ['O-120']);
});

test('makeCard: warns once of each URL that points to another host', () => {
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
])('makeCard: leaves the card %j unchanged at the endpoint "%s"', (card, here) => {
  const served = makeCard(card, here, 'rewrite', { wanted: '1.0', served: 'both' });
  expect(served).toEqual({ card, warnings: [] });
});
