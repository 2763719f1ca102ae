import { afterEach, describe, expect, test } from 'vitest';
import type { Value, ValueMap } from '../../../src/index.ts';
import type { A2aServerModeOptions } from '../../../src/suite/play/playable-modes.ts';
import { type Played, playServer, rpc } from './support.ts';

let played: Played;

afterEach(() => played.stop());

async function cardOf(
  agent_card: Value | undefined,
  options: A2aServerModeOptions = {},
  path = '/.well-known/agent-card.json',
): Promise<ValueMap> {
  const state = agent_card === undefined ? {} : { agent_card };
  played = await playServer({ state }, options);
  return (await (await fetch(new URL(path, played.url))).json()) as ValueMap;
}

const codes = async (): Promise<readonly string[]> => (await played.stop()).end.diagnostics.map(({ code }) => code);

describe('the agent card', () => {
  test('is minimal and points to our own addresses by default', async () => {
    const card = await cardOf(undefined);
    const { host } = new URL(played.url);
    expect(card).toMatchObject({
      protocolVersion: '0.3.0',
      name: 'oatf-agent',
      url: played.url,
      preferredTransport: 'JSONRPC',
      additionalInterfaces: [
        { url: played.url, transport: 'JSONRPC' },
        { url: `http://${host}`, transport: 'HTTP+JSON' },
        { url: host, transport: 'GRPC' },
      ],
    });
    expect(Object.keys(card)).toEqual(
      expect.arrayContaining(['name', 'description', 'version', 'capabilities', 'skills']),
    );
    expect(await codes()).toEqual([]);
  });

  test.each(['/.well-known/agent-card.json', '/.well-known/agent.json'])('is served at %s', async (path) => {
    expect(await cardOf({ name: 'x' }, {}, path)).toMatchObject({ name: 'x' });
  });

  test('is served exactly as the author wrote it, also as the extended card', async () => {
    const odd = { name: 7, skills: 'none', url: null, nested: { a: [null, {}] } };
    expect(await cardOf(odd)).toEqual(odd);
    expect(await rpc(played.url, 'agent/getAuthenticatedExtendedCard')).toMatchObject({
      result: { name: 7 },
    });
  });

  test.each<[string, ValueMap]>([
    ['an address that is a number', { name: 'x', url: 42 }],
    ['interfaces of its own', { name: 'x', supportedInterfaces: [] }],
    ['signatures', { name: 'x', signatures: [{ protected: 'e30', signature: 'AA' }] }],
  ])('leaves a card with %s unchanged', async (_, card) => {
    expect(await cardOf(card)).toEqual(card);
  });

  test.each<[string, ValueMap]>([
    ['no URL', { name: 'x' }],
    ['additional interfaces and no URL', { name: 'x', additionalInterfaces: [] }],
  ])('adds no URL to a card with %s when cardUrls is "as-written"', async (_, card) => {
    expect(await cardOf(card, { cardUrls: 'as-written' })).toEqual(card);
  });

  test('adds a URL to a card without one and keeps its other fields', async () => {
    const written = { name: 'x', preferredTransport: 7, additionalInterfaces: [] };
    expect(await cardOf(written)).toEqual({ ...written, url: played.url });
  });

  test.each([
    ['a list', [1, 2]],
    ['a string', 'card'],
  ])('serves a card that is %s exactly as written', async (_, card) => {
    expect(await cardOf(card)).toEqual(card);
  });

  test('keeps a URL that points to another host, and warns with O-120', async () => {
    const url = 'https://agent.example/a2a';
    expect(await cardOf({ name: 'x', url })).toEqual({ name: 'x', url });
    expect(await codes()).toEqual(['O-120']);
  });

  test('keeps a URL that points back to this server, without a warning', async () => {
    const options = { transport: { port: 0 } };
    played = await playServer({ state: {} }, options);
    const { port } = new URL(played.url);
    await played.stop();
    const url = `http://localhost:${port}/somewhere`;
    expect(await cardOf({ url }, { transport: { port: Number(port) } })).toEqual({ url });
    expect(await codes()).toEqual([]);
  });

  test('replaces every address in the card with ours when cardUrls is "rewrite"', async () => {
    const written = {
      name: 'x',
      url: 'https://agent.example/',
      preferredTransport: 'GRPC',
      additionalInterfaces: [{ url: 'https://agent.example/rest', transport: 'HTTP+JSON' }],
      supportedInterfaces: [{ url: 'https://agent.example/v1', protocolBinding: 'JSONRPC' }],
    };
    const card = await cardOf(written, { cardUrls: 'rewrite' });
    expect(JSON.stringify(card)).not.toContain('agent.example');
    expect(card).toMatchObject({ name: 'x', url: new URL(played.url).host, preferredTransport: 'GRPC' });
    expect(await codes()).toEqual([]);
  });

  test('fills in templates once and does not expand placeholders in the inserted value', async () => {
    played = await playServer({
      phases: [
        {
          state: { agent_card: { name: 'for {{who}}' } },
          extractors: [{ name: 'who', source: 'request', type: 'json_path', selector: '$.message.messageId' }],
        },
      ],
    });
    const message = { role: 'user', messageId: '{{who}} {{who}}', parts: [] };
    await rpc(played.url, 'message/send', { message });
    expect(await (await fetch(new URL('/.well-known/agent-card.json', played.url))).json()).toMatchObject({
      name: 'for {{who}} {{who}}',
    });
  });
});
