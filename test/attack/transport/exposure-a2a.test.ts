import type { Message, Task } from '@a2a-js/sdk';
import { type Client, ClientFactory, ClientFactoryOptions } from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import { credentials, Client as GrpcClient, Metadata } from '@grpc/grpc-js';
import { afterEach, describe, expect, test } from 'vitest';
import type { Exposure } from '../../../src/attack/transport/exposure/exposure.ts';
import type { ValueMap } from '../../../src/index.ts';
import { type Played, playServer, rpc, task } from '../../protocols/a2a/support.ts';
import { selfSigned } from '../../support/certificate.ts';
import { eventually, openSocket, rawRequest } from '../../support/http-peer.ts';
import { trusting } from '../../support/trusting.ts';

const secret = 'a-secret-of-our-own-0123456789';
const exposure: Exposure = { secret, hostNames: ['localhost'] };
const pair = selfSigned();
const poison = task({
  status: {
    state: 'completed',
    message: { kind: 'message', role: 'agent', messageId: 'a1', parts: [{ kind: 'text', text: 'poison' }] },
  },
});
const message: Message = {
  kind: 'message',
  role: 'user',
  messageId: 'm1',
  parts: [{ kind: 'text', text: 'Hello' }],
};

let played: Played;
afterEach(() => played.stop());

async function play(more: Partial<Exposure> = {}, state: ValueMap = {}): Promise<number> {
  const transport = { host: '0.0.0.0', exposure: { ...exposure, ...more } };
  played = await playServer({ state: { task_responses: [{ content: poison }], ...state } }, { transport });
  return Number(new URL(played.url).port);
}

function official(transport: string, url: string): Promise<Client> {
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new GrpcTransportFactory()],
  });
  return new ClientFactory({ ...options, preferredTransports: [transport] }).createFromUrl(url);
}

const bearer = { serviceParameters: { authorization: `Bearer ${secret}` } };

const isNowhere = (): void => expect(JSON.stringify(played.records)).not.toContain(secret);

describe('an A2A client with the secret of an exposed server', () => {
  test.each(['JSONRPC', 'HTTP+JSON'])(
    'is served over %s by way of the card below the secret path',
    async (transport) => {
      await play();
      expect(played.url).toMatch(/^http:\/\/localhost:\d+\/a-secret-of-our-own-0123456789\/$/);
      const client = await official(transport, played.url);
      expect(await client.sendMessage({ message })).toMatchObject(poison as unknown as Task);
      for await (const item of client.sendMessageStream({ message })) expect(item.kind).toBeDefined();
      await eventually(() => played.messages('message/stream').length).toBeGreaterThan(1);
      isNowhere();
    },
  );

  test('is served over gRPC with a bearer token', async () => {
    await play();
    const client = await official('GRPC', played.url);
    expect(await client.sendMessage({ message }, bearer)).toMatchObject({ id: 't1' });
    await eventually(() => played.messages('message/send')).toHaveLength(2);
    isNowhere();
  });

  test('may send the secret as a bearer token instead of in the path', async () => {
    const port = await play();
    const headers = { authorization: `Bearer ${secret}` };
    for (const path of ['/.well-known/agent-card.json', '/v1/tasks/none', '/v1/card'])
      expect((await rawRequest(`http://127.0.0.1:${port}${path}`, 'GET', headers)).text).not.toBe('');
  });

  test('gets a card whose addresses have the secret path', async () => {
    const port = await play();
    const card = (await (await fetch(new URL('.well-known/agent-card.json', played.url))).json()) as ValueMap;
    expect(card).toMatchObject({
      url: played.url,
      additionalInterfaces: [
        { transport: 'JSONRPC', url: played.url },
        { transport: 'HTTP+JSON', url: played.url.slice(0, -1) },
        { transport: 'GRPC', url: `localhost:${port}` },
      ],
    });
    await eventually(() => played.messages('agent_card/get')).toHaveLength(2);
    expect(played.messages('agent_card/get')[1]?.content).toMatchObject({
      url: `http://localhost:${port}/******/`,
    });
  });

  test('gets a warning in the run if the card leads past the secret path', async () => {
    const port = await play();
    await played.stop();
    const transport = { host: '0.0.0.0', port, exposure };
    for (const [path, codes] of [
      ['', ['O-120']],
      [`/${secret}`, []],
    ] as const) {
      const agent_card = { name: 'x', url: `http://localhost:${port}${path}` };
      played = await playServer({ state: { agent_card } }, { transport });
      await (await fetch(new URL('.well-known/agent-card.json', played.url))).text();
      const { end } = await played.stop();
      expect(end.diagnostics.map(({ code }) => code)).toEqual(codes);
      expect(JSON.stringify(end)).not.toContain(secret);
    }
  });

  test('may repeat the secret in messages, where it is masked in the record', async () => {
    await play();
    const said = { message: { ...message, parts: [{ kind: 'text', text: `I use ${played.url}` }] } };
    await rpc(played.url, 'message/send', said as unknown as ValueMap);
    await rpc(played.url, 'nonsense', { [secret]: secret });
    await (await fetch(played.url, { method: 'POST', body: `{"broken ${secret}` })).text();
    await eventually(() => played.records.filter(({ kind }) => kind === 'malformed')).toHaveLength(1);
    isNowhere();
    const [malformed] = played.records.filter(({ kind }) => kind === 'malformed') as { raw?: string }[];
    expect(Buffer.from(malformed?.raw ?? '', 'base64').toString()).toBe('{"broken ******');
    expect(JSON.stringify(await played.stop())).not.toContain(secret);
  });
});

describe('a stranger without the secret of an exposed A2A server', () => {
  test.each([
    ['GET', '/.well-known/agent-card.json'],
    ['GET', '/.well-known/agent.json'],
    ['POST', '/'],
    ['POST', '/v1/message:send'],
    ['GET', '/v1/card'],
    ['DELETE', '/'],
  ])('learns nothing from %s %s', async (verb, path) => {
    const port = await play();
    const answer = await rawRequest(`http://127.0.0.1:${port}${path}`, verb, {});
    expect([answer.status, answer.text]).toEqual([404, '']);
    await eventually(() => played.records.filter(({ kind }) => kind === 'log')).toMatchObject([
      { level: 'warn', message: expect.stringContaining(`refused ${verb} ${path}: no secret`) },
    ]);
    const { delivery, end } = await played.stop();
    expect([delivery.default?.reached, end.reason]).toEqual([false, 'stopped']);
  });

  test.each([
    ['no token', {}],
    ['another token', { serviceParameters: { authorization: 'Bearer nothing-of-the-kind' } }],
  ])('is told over gRPC that there is no such method, with %s', async (_name, options) => {
    await play();
    const client = await official('GRPC', played.url);
    await expect(client.sendMessage({ message }, options)).rejects.toThrow(/ 12 The server does not implement/);
    await expect(client.sendMessageStream({ message }, options).next()).rejects.toThrow(/does not implement/);
    expect(played.messages('message/send')).toEqual([]);
    await eventually(() => played.records.filter(({ kind }) => kind === 'log')).toMatchObject([
      { message: expect.stringContaining('refused gRPC /a2a.v1.A2AService/SendMessage: no secret') },
      { message: expect.stringContaining('SendStreamingMessage') },
    ]);
  });

  test('is also who has the secret but asks for another host over gRPC', async () => {
    const port = await play();
    const client = new GrpcClient(`127.0.0.1:${port}`, credentials.createInsecure(), {
      'grpc.default_authority': 'evil.example.com',
    });
    const metadata = new Metadata();
    metadata.set('authorization', `Bearer ${secret}`);
    const code = await new Promise((resolve) => {
      const asIs = (bytes: Buffer): Buffer => bytes;
      const path = '/a2a.v1.A2AService/SendMessage';
      client.makeUnaryRequest(path, asIs, asIs, Buffer.alloc(0), metadata, (error) => resolve(error?.code));
    });
    client.close();
    expect(code).toBe(12);
    await eventually(() => played.records.filter(({ kind }) => kind === 'log')).toMatchObject([
      { message: expect.stringContaining('host "evil.example.com" is not allowed') },
    ]);
  });

  test('begins no run: the time limit counts from the first agent on', async () => {
    const transport = { host: '0.0.0.0', exposure };
    played = await playServer({ state: {} }, { transport }, { limits: { sessionMs: 20, graceMs: 0 } });
    const port = Number(new URL(played.url).port);
    for (let count = 0; count < 50; count += 1) await rawRequest(`http://127.0.0.1:${port}/`, 'GET', {});
    expect((await fetch(new URL('.well-known/agent-card.json', played.url))).status).toBe(200);
    await eventually(() => fetch(played.url).catch(() => 'over')).toBe('over');
    expect((await played.stop()).end.reason).toBe('session_limit');
  });

  test('is cut off after opening HTTP/2 and sending nothing else', async () => {
    const transport = { host: '0.0.0.0', exposure, limits: { headersMs: 300 } };
    played = await playServer({ state: {} }, { transport });
    const { socket, closed } = openSocket(Number(new URL(played.url).port));
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00');
    await closed;
    expect(played.records.filter(({ kind }) => kind === 'connection')).toEqual([]);
  });
});

describe('TLS of an exposed A2A server', () => {
  test('serves the official client over JSON-RPC and HTTP+JSON', async () => {
    await play({ tls: pair });
    expect(played.url).toMatch(/^https:/);
    const printed = await trusting(
      pair.cert,
      `import { ClientFactory, ClientFactoryOptions } from '@a2a-js/sdk/client';
       for (const transport of ['JSONRPC', 'HTTP+JSON']) {
         const factory = new ClientFactory({ ...ClientFactoryOptions.default, preferredTransports: [transport] });
         const client = await factory.createFromUrl('${played.url}');
         const answer = await client.sendMessage({ message: ${JSON.stringify(message)} });
         console.log(transport, answer.status.message.parts[0].text);
       }`,
    );
    expect(printed).toBe('JSONRPC poison\nHTTP+JSON poison\n');
  });

  test('serves gRPC on the same port, and HTTP/1 to clients that can do both', async () => {
    const port = await play({ tls: pair });
    const grpc = await new GrpcTransportFactory({
      grpcChannelCredentials: credentials.createSsl(Buffer.from(pair.cert)),
    }).create(`localhost:${port}`, {} as never);
    expect(await grpc.sendMessage({ message }, bearer)).toMatchObject({ id: 't1' });
    await expect(grpc.sendMessage({ message })).rejects.toThrow(/does not implement/);
    const printed = await trusting(
      pair.cert,
      `import { connect } from 'node:tls';
       const socket = connect({ port: ${port}, host: 'localhost', ALPNProtocols: ['h2', 'http/1.1'] });
       socket.on('secureConnect', () => socket.end('GET / HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n'));
       let text = '';
       socket.on('data', (chunk) => { text += chunk; });
       socket.on('close', () => console.log(socket.alpnProtocol, text.split('\\r\\n')[0]));`,
    );
    expect(printed).toBe('http/1.1 HTTP/1.1 404 Not Found\n');
  });
});

test('an A2A server that is not exposed refuses a gRPC call that asks for another host, and it is no message of the agent', async () => {
  played = await playServer({ state: { task_responses: [{ content: poison }] } });
  const { port } = new URL(played.url);
  const call = (authority: string): Promise<number | undefined> => {
    const client = new GrpcClient(`127.0.0.1:${port}`, credentials.createInsecure(), {
      'grpc.default_authority': authority,
    });
    const asIs = (bytes: Buffer): Buffer => bytes;
    return new Promise((resolve) => {
      client.makeUnaryRequest(
        '/a2a.v1.A2AService/SendMessage',
        asIs,
        asIs,
        Buffer.alloc(0),
        new Metadata(),
        (error) => {
          client.close();
          resolve(error?.code);
        },
      );
    });
  };
  expect(await call('evil.example.com')).toBe(7);
  expect(played.messages('message/send')).toEqual([]);
  await eventually(() => played.records.filter(({ kind }) => kind === 'malformed')).toMatchObject([
    { reason: expect.stringContaining('host "evil.example.com" is not allowed') },
  ]);
  expect(await call(`127.0.0.1:${port}`)).not.toBe(7);
});
