import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { fetchWithinOrigin } from '../../../src/agents/built-in/own-connections.ts';
import type { Incoming } from '../../../src/attack/engine/actor-messages.ts';
import { createA2aClient } from '../../../src/attack/transport/a2a/a2a-client.ts';
import { checkLead } from '../../../src/attack/transport/a2a/client/locate-endpoint.ts';
import { eventually } from '../../support/http-peer.ts';
import { userMessage } from './support.ts';

describe('checkLead', () => {
  test.each<[connected: string, card: string, kind: string, url?: string]>([
    ['https://a.example/', 'https://a.example/v1', 'same origin', 'https://a.example/v1'],
    ['https://a.example/', 'a.example:443', 'same origin', 'https://a.example/'],
    ['http://a.example:80/', 'a.example:80', 'same origin', 'http://a.example/'],
    ['https://a.example/', 'https://a.example:8443/v1', 'another origin'],
    ['http://a.example/', 'https://a.example/v1', 'another origin'],
    ['https://a.example/', 'https://b.example/', 'avoided'],
    ['https://a.example/', 'https://allowed.example/', 'another origin'],
    ['https://a.example/', 'https://allowed.example.evil.example/', 'avoided'],
    ['https://a.example/', 'https://a.example@b.example/', 'avoided'],
    // From TLS to plain text, whatever was allowed.
    ['https://a.example/', 'http://a.example/', 'avoided'],
    ['https://a.example/', 'grpc://a.example:443', 'avoided'],
    ['https://a.example/', 'http://allowed.example/', 'avoided'],
    ['grpcs://a.example:443', 'http://a.example/', 'avoided'],
    // From another machine to this one.
    ['http://a.example/', 'http://127.0.0.1:6379/', 'avoided'],
    ['http://a.example/', 'http://localhost/', 'avoided'],
    ['http://a.example/', '[::1]:50051', 'avoided'],
    ['http://a.example/', 'http://0x7f000001/', 'avoided'],
    ['http://a.example/', 'grpc://2130706433:1', 'avoided'],
    ['http://a.example/', 'http://[::ffff:127.0.0.1]/', 'avoided'],
    ['http://a.example/', 'http://0.0.0.0/', 'avoided'],
    ['http://a.example/', 'http://127.0.0.9:1/', 'another origin'],
    // On this machine.
    ['http://127.0.0.1:9/', 'http://127.0.0.1:10/', 'another origin'],
    ['http://127.0.0.1:9/', 'http://localhost:9/a', 'same origin', 'http://127.0.0.1:9/a'],
    ['http://localhost:9/', '[::1]:9', 'same origin', 'http://localhost:9/'],
    ['http://127.0.0.1:9/', 'https://localhost:9/a', 'another origin'],
    // Texts that are not addresses of agents.
    ['http://a.example/', 'file:///etc/passwd', 'avoided'],
    ['http://a.example/', 'unix:///run/docker.sock', 'avoided'],
    ['http://a.example/', '', 'avoided'],
  ])('connected to %s, classifies the card address %s as %s', (connected, card, kind, url) => {
    const lead = checkLead(card, connected, ['allowed.example', '127.0.0.9']);
    expect(lead).toMatchObject({ kind, ...(url !== undefined && { url }) });
  });
});

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

interface Listening {
  readonly url: string;
  readonly heard: IncomingHttpHeaders[];
}

async function listening(answer: (method: string) => [number, Record<string, string>, string]): Promise<Listening> {
  const heard: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    heard.push(request.headers);
    const [status, headers, body] = answer(request.method ?? '');
    response.writeHead(status, headers).end(body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, heard };
}

const json = { 'content-type': 'application/json' };
const answered = '{"jsonrpc":"2.0","id":"a-1","result":{}}';

describe('A2A client, headers that the operator gave', () => {
  const headers = { authorization: 'Bearer operators-own-token', 'x-tenant': 'operators-tenant' };

  async function ask(url: string): Promise<readonly Incoming[]> {
    const received: Incoming[] = [];
    const client = createA2aClient({ target: () => ({ url, headers }) });
    await client.open((message) => received.push(message));
    client.ask('every session', 'a-1', 'message/send', { message: userMessage('hello') }, () => {});
    await eventually(() => received.some(({ kind }) => kind === 'end' || kind === 'answer')).toBe(true);
    await client.close();
    return received;
  }

  test.each(['JSONRPC', 'HTTP+JSON'])('are not sent to another port that the card names (%s)', async (transport) => {
    const other = await listening(() => [200, json, answered]);
    const agent = await listening(() => [200, json, JSON.stringify({ url: other.url, preferredTransport: transport })]);
    const received = await ask(agent.url);
    expect(agent.heard[0]).toMatchObject(headers);
    expect(other.heard).toHaveLength(1);
    expect(JSON.stringify(other.heard)).not.toContain('operators-');
    expect(received).toContainEqual(expect.objectContaining({ kind: 'warning', code: 'O-125' }));
  });

  test('are sent to the connected origin under every name of this machine', async () => {
    let port = '';
    const agent = await listening((method) =>
      method === 'GET'
        ? [200, json, JSON.stringify({ url: `http://localhost:${port}/a2a`, preferredTransport: 'JSONRPC' })]
        : [200, json, answered],
    );
    port = new URL(agent.url).port;
    const received = await ask(agent.url);
    expect(agent.heard).toMatchObject([headers, headers]);
    expect(received.map(({ kind }) => kind)).not.toContain('warning');
  });

  test.each([301, 302, 307, 308])('are not sent along a redirect (%i)', async (status) => {
    const other = await listening(() => [200, json, answered]);
    const agent = await listening(() => [status, { location: other.url }, '']);
    await ask(agent.url);
    expect(other.heard).toEqual([]);
  });
});

describe('fetchWithinOrigin', () => {
  test('does not follow a redirect to another origin', async () => {
    const other = await listening(() => [200, json, '{}']);
    const server = await listening(() => [307, { location: other.url }, '']);
    expect((await fetchWithinOrigin(server.url)).status).toBe(307);
    expect(other.heard).toEqual([]);
  });

  test('stops following a redirect of the server to itself after four requests', async () => {
    const server = await listening(() => [307, { location: '/again' }, '']);
    expect((await fetchWithinOrigin(server.url)).status).toBe(307);
    expect(server.heard).toHaveLength(4);
  });
});
