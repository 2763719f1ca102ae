import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import type { Incoming } from '../../src/engine/messages.ts';
import { checkTls, coversName } from '../../src/transport/exposure/check-tls.ts';
import { comparesWith, newSecret, secretProblem } from '../../src/transport/exposure/exposure.ts';
import { createStreamableHttp, type StreamableHttpOptions } from '../../src/transport/streamable-http.ts';
import { selfSigned } from '../support/certificate.ts';
import {
  call,
  eventually,
  initialize,
  isFree,
  type OpenTransport,
  openSocket,
  openTransport,
  post,
  rawRequest,
} from '../support/http-peer.ts';
import { connect1, connect2, connectSse1, connectSse2 } from '../support/mcp-clients.ts';
import { type RunningActor, runActor } from '../support/run-actor.ts';
import { trusting } from '../support/trusting.ts';

const secret = newSecret();
const exposure = { secret, hostNames: ['localhost', 'box.test'] };
const everywhere: StreamableHttpOptions = { host: '0.0.0.0', exposure };

const shop = `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state:
      tools:
        - name: buy
          inputSchema: {type: object}
          responses: [{content: [{type: text, text: bought}]}]
`;

let actor: RunningActor | undefined;
let open: OpenTransport | undefined;
afterEach(async () => {
  await actor?.stop();
  await open?.transport.close();
  actor = undefined;
  open = undefined;
});

const logs = (): Extract<Incoming, { kind: 'log' }>[] =>
  (open?.received ?? []).filter((message) => message.kind === 'log');

describe('a secret', () => {
  test('that is made has 192 bits, and is another each time', () => {
    expect(Buffer.from(newSecret(), 'base64url')).toHaveLength(24);
    expect(newSecret()).not.toBe(newSecret());
    expect(secretProblem(newSecret())).toBeUndefined();
  });

  test.each([
    ['', false],
    ['fifteen-letters', false],
    ['sixteen-letters-', true],
    ['with a space in it', false],
    ['slash/slash/slash/slash', false],
    ['x'.repeat(256), true],
    ['x'.repeat(257), false],
  ])('%s', (text, isRight) => {
    expect(secretProblem(text) === undefined).toBe(isRight);
    if (text !== '' && !isRight) expect(secretProblem(text)).not.toContain(text);
    const create = () => createStreamableHttp({ exposure: { secret: text } });
    if (isRight) expect(create).not.toThrow();
    else expect(create).toThrow(/the secret of an exposure/);
  });

  test('is only like itself', () => {
    const isSame = comparesWith(secret);
    expect([secret, '', secret.slice(1), `${secret}x`, secret.toUpperCase()].map(isSame)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('a client with the secret', () => {
  test.each([
    ['v1', connect1, '/mcp'],
    ['v2', connect2, '/mcp'],
    ['v1 of 2024-11-05', connectSse1, '/sse'],
    ['v2 of 2024-11-05', connectSse2, '/sse'],
  ])('is served: the official client %s', async (_name, connectTo, path) => {
    actor = await runActor(shop, everywhere);
    expect(actor.url).toMatch(new RegExp(`^http://localhost:\\d+/${secret}/mcp$`));
    const client = await connectTo(actor.url.replace(/\/mcp$/, path));
    expect((await client.tools()).map(({ name }) => name)).toEqual(['buy']);
    expect((await client.call('buy')).content).toEqual([{ type: 'text', text: 'bought' }]);
    await client.leave();
    expect(JSON.stringify(actor.records)).not.toContain(secret);
  });

  test.each([
    ['the path', `/${secret}/mcp`, {}],
    ['a bearer token', '/mcp', { authorization: `Bearer ${secret}` }],
    ['a bearer token in other letters', '/mcp', { authorization: `bEARER  ${secret}` }],
    ['the path, beside a token for something else', `/${secret}/mcp`, { authorization: 'Bearer other' }],
    ['the path, with a query', `/${secret}/mcp?a=1`, {}],
  ])('may show it by %s', async (_name, path, headers) => {
    open = await openTransport(everywhere);
    const response = await post(`http://127.0.0.1:${open.port}${path}`, call('initialize', {}), headers);
    expect([response.status, response.headers.has('mcp-session-id')]).toEqual([200, true]);
    expect(open.transport.isConnected()).toBe(true);
    expect(logs()).toEqual([]);
  });

  test('is told what is wrong, and the record does not repeat the secret', async () => {
    open = await openTransport(everywhere);
    const { status, text } = await rawRequest(open.url, 'PUT', {});
    expect([status, text]).toEqual([405, expect.stringContaining('the endpoint takes')]);
    expect(open.turnedAway()).toMatchObject([{ reason: expect.stringMatching(/^PUT \/mcp: /) }]);
    expect(JSON.stringify(open.received)).not.toContain(secret);
  });

  test('keeps being checked on a connection that was let in', async () => {
    open = await openTransport(everywhere);
    const { socket, closed } = openSocket(open.port);
    socket.write(`GET /${secret}/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    socket.write('GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect((await closed).match(/HTTP\/1.1 \d+|the endpoint is/g)).toEqual([
      'HTTP/1.1 404',
      'the endpoint is',
      'HTTP/1.1 404',
    ]);
    expect(logs()).toHaveLength(1);
  });
});

const fromElsewhere = { origin: 'https://evil.example.com' };

describe('a stranger', () => {
  test.each<[string, string, string, Record<string, string>]>([
    ['no secret', 'POST', '/mcp', {}],
    ['nothing', 'GET', '/', {}],
    ['another secret', 'POST', `/${newSecret()}/mcp`, {}],
    ['the beginning of it', 'POST', `/${secret.slice(0, -1)}/mcp`, {}],
    ['more than it', 'POST', `/${secret}x/mcp`, {}],
    ['it in another place', 'POST', `/mcp/${secret}`, {}],
    ['it in a query', 'POST', `/mcp?secret=${secret}`, {}],
    ['it with two slashes', 'POST', `//${secret}/mcp`, {}],
    ['another token', 'POST', '/mcp', { authorization: `Bearer ${newSecret()}` }],
    ['it as no bearer token', 'POST', '/mcp', { authorization: `Basic ${secret}` }],
    ['it without a scheme', 'POST', '/mcp', { authorization: secret }],
    ['no token', 'POST', '/mcp', { authorization: 'Bearer ' }],
    ['no secret for the older transport', 'GET', '/sse', { accept: 'text/event-stream' }],
    ['no secret for its messages', 'POST', '/messages?sessionId=1', {}],
    ['a preflight', 'OPTIONS', '/mcp', { ...fromElsewhere, 'access-control-request-method': 'POST' }],
    ['the secret for another host', 'POST', `/${secret}/mcp`, { host: 'evil.example.com' }],
    ['the secret for an address of others', 'POST', `/${secret}/mcp`, { host: '192.0.2.1' }],
    ['the secret from a page elsewhere', 'POST', `/${secret}/mcp`, fromElsewhere],
  ])('with %s learns nothing', async (_name, method, path, headers) => {
    open = await openTransport(everywhere);
    const body = method === 'POST' ? JSON.stringify(call('initialize', {})) : '';
    const given = { 'content-type': 'application/json', ...headers };
    const answer = await rawRequest(`http://127.0.0.1:${open.port}${path}`, method, given, body);
    expect([answer.status, answer.text, Object.keys(answer.headers).sort()]).toEqual([
      404,
      '',
      ['connection', 'content-length', 'date'],
    ]);
    expect(open.received).toEqual([
      {
        kind: 'log',
        level: 'warn',
        message: expect.stringMatching(/^refused \w+ \/\S*: .* \(from 127\.0\.0\.1\)$/),
      },
    ]);
    // One that was nearly right is as secret.
    expect(JSON.stringify(open.received)).not.toContain(secret.slice(0, 16));
    expect([open.transport.openSessions(), open.transport.isConnected()]).toEqual([0, false]);
  });

  test.each([
    ['localhost', true],
    ['box.test', true],
    ['BOX.test:1234', true],
    ['127.0.0.1', true],
    ['[::1]', true],
    ['box.test.evil.example', false],
    ['10.0.0.1', false],
  ])('is who comes for a host that is not ours: %s', async (host, isOurs) => {
    open = await openTransport(everywhere);
    const { status } = await rawRequest(`http://127.0.0.1:${open.port}/${secret}/mcp`, 'PUT', { host });
    expect(status).toBe(isOurs ? 405 : 404);
    if (!isOurs) expect(logs()).toMatchObject([{ message: expect.stringContaining(JSON.stringify(host)) }]);
  });

  test('cannot fill the record', async () => {
    open = await openTransport(everywhere);
    const url = `http://127.0.0.1:${open.port}/wp-login.php`;
    for (let count = 0; count < 120; count += 1) await rawRequest(url, 'GET', {});
    expect(open.received).toHaveLength(21);
    expect(logs().at(-1)?.message).toMatch(/^refused GET \/wp-login\.php: .*; 100 so far\)$/);
  });

  test('bytes that are not HTTP are not a message', async () => {
    open = await openTransport(everywhere);
    const { socket, closed } = openSocket(open.port);
    socket.write(`POST /${secret}/mcp HTTP/1.1\r\nnonsense\r\n\r\n`);
    await closed;
    expect(open.received).toEqual([
      { kind: 'log', level: 'warn', message: expect.stringMatching(/^refused a connection: not HTTP/) },
    ]);
    expect(JSON.stringify(open.received)).not.toContain(secret);
  });

  test('a silent client without the secret is closed; an agent may stay', async () => {
    open = await openTransport({ ...everywhere, limits: { headersMs: 300 } });
    const silent = openSocket(open.port);
    const agent = openSocket(open.port);
    agent.socket.write(`PUT /${secret}/mcp HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await silent.closed;
    await eventually(() => agent.text()).toContain('405');
    expect([agent.socket.destroyed, open.transport.isConnected()]).toEqual([false, true]);
    agent.socket.destroy();
    await eventually(() => open?.transport.isConnected()).toBe(false);
  });
});

test('without an exposure everything is as it was', async () => {
  open = await openTransport();
  expect(open.url).toBe(`http://127.0.0.1:${open.port}/mcp`);
  expect(await initialize(open.url)).toMatchObject({ 'mcp-session-id': expect.stringMatching(/./) });
});

describe('TLS', () => {
  const pair = selfSigned();
  const overTls: StreamableHttpOptions = { host: '0.0.0.0', exposure: { ...exposure, tls: pair } };

  test.each([
    ['v1', '@modelcontextprotocol/sdk/client/index.js', '@modelcontextprotocol/sdk/client/streamableHttp.js'],
    ['v2', '@modelcontextprotocol/client', '@modelcontextprotocol/client'],
  ])('serves the official client %s, which trusts the certificate', async (_name, client, transport) => {
    actor = await runActor(shop, overTls);
    expect(actor.url).toMatch(/^https:\/\/localhost:/);
    const printed = await trusting(
      pair.cert,
      `import { Client } from '${client}';
       import { StreamableHTTPClientTransport } from '${transport}';
       const client = new Client({ name: 'c', version: '1' });
       await client.connect(new StreamableHTTPClientTransport(new URL('${actor.url}')));
       console.log(JSON.stringify((await client.callTool({ name: 'buy', arguments: {} })).content));
       await client.close();`,
    );
    expect(printed).toBe('[{"type":"text","text":"bought"}]\n');
  });

  test('serves the older transport beneath the path', async () => {
    actor = await runActor(shop, overTls);
    const printed = await trusting(
      pair.cert,
      `import { Client } from '@modelcontextprotocol/sdk/client/index.js';
       import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
       const client = new Client({ name: 'c', version: '1' });
       await client.connect(new SSEClientTransport(new URL('${actor.url.replace('/mcp', '/sse')}')));
       console.log((await client.listTools()).tools[0].name);
       await client.close();`,
    );
    expect(printed).toBe('buy\n');
  });

  test('turns strangers away as well', async () => {
    open = await openTransport(overTls);
    const socket = connectTls({ port: open.port, host: '127.0.0.1', ca: pair.cert });
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    socket.end('GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await new Promise((resolve) => socket.on('close', resolve));
    expect(text).toMatch(/^HTTP\/1.1 404 [\s\S]*\r\n\r\n$/);
    expect(logs()).toHaveLength(1);
  });

  test('notes who speaks none', async () => {
    open = await openTransport(overTls);
    const { socket, closed } = openSocket(open.port);
    socket.write(`GET /${secret}/mcp HTTP/1.1\r\n\r\n`);
    expect(await closed).not.toContain('HTTP');
    expect(logs()).toMatchObject([{ message: expect.stringContaining('TLS failed: http request') }]);
  });

  test('waits for no handshake when it closes', async () => {
    open = await openTransport(overTls);
    const socket = connect(open.port, '127.0.0.1');
    socket.on('error', () => {});
    await new Promise((resolve) => socket.on('connect', resolve));
    await open.transport.close();
    expect(await isFree(open.port)).toBe(true);
  });

  const expired = selfSigned({ from: new Date('2020-01-01'), to: new Date('2021-01-01') });
  const locked = '-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----\n';
  test.each([
    ['right', pair, undefined, ''],
    ['of another key', { ...pair, key: selfSigned().key }, 'key', 'not the key'],
    ['expired', expired, 'cert', 'expired on Jan  1 00:00:00 2021'],
    ['not valid yet', selfSigned({ from: new Date(Date.now() + 1e8) }), 'cert', 'not valid before'],
    ['no certificate', { ...pair, cert: 'nothing' }, 'cert', 'not a PEM certificate'],
    ['a key in place of it', { ...pair, cert: pair.key }, 'cert', 'not a PEM certificate'],
    ['without a key', { ...pair, key: pair.cert }, 'key', 'not a PEM private key'],
    ['with a locked key', { ...pair, key: locked }, 'key', 'passphrase'],
  ])('a pair that is %s', (_name, given, part, problem) => {
    const found = checkTls(given, Date.now());
    expect(found?.in).toBe(part);
    expect(found?.problem ?? '').toContain(problem);
  });

  test.each([
    ['localhost', true],
    ['127.0.0.1', true],
    ['box.test', false],
    ['127.0.0.2', false],
  ])('a certificate for loopback is for %s: %s', (name, isFor) => {
    expect(coversName(pair, name)).toBe(isFor);
  });
});
