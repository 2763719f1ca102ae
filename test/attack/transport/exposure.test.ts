import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import type { Incoming } from '../../../src/attack/engine/actor-messages.ts';
import { checkTls, isNameCovered } from '../../../src/attack/transport/exposure/check-tls.ts';
import { createSecret, createSecretCheck, explainBadSecret } from '../../../src/attack/transport/exposure/exposure.ts';
import { createMcpServer, type HttpServerOptions } from '../../../src/attack/transport/mcp-server/streamable-http.ts';
import { selfSigned } from '../../support/certificate.ts';
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
} from '../../support/http-peer.ts';
import { connect1, connect2, connectSse1, connectSse2 } from '../../support/mcp-clients.ts';
import { type RunningActor, runActor } from '../../support/run-actor.ts';
import { trusting } from '../../support/trusting.ts';

const secret = createSecret();
const exposure = { secret, hostNames: ['localhost', 'box.test'] };
const everywhere: HttpServerOptions = { host: '0.0.0.0', exposure };

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

describe('the secret of an exposed server', () => {
  test('is made with 192 bits, and anew each time', () => {
    expect(Buffer.from(createSecret(), 'base64url')).toHaveLength(24);
    expect(createSecret()).not.toBe(createSecret());
    expect(explainBadSecret(createSecret())).toBeUndefined();
  });

  test.each([
    ['', false],
    ['fifteen-letters', false],
    ['sixteen-letters-', true],
    ['with a space in it', false],
    ['slash/slash/slash/slash', false],
    ['x'.repeat(256), true],
    ['x'.repeat(257), false],
  ])('can be the text "%s": %s', (text, isRight) => {
    expect(explainBadSecret(text) === undefined).toBe(isRight);
    if (text !== '' && !isRight) expect(explainBadSecret(text)).not.toContain(text);
    const create = () => createMcpServer({ exposure: { secret: text } });
    if (isRight) expect(create).not.toThrow();
    else expect(create).toThrow(/the secret of an exposure/);
  });

  test('equals only itself, by createSecretCheck', () => {
    const isSame = createSecretCheck(secret);
    expect([secret, '', secret.slice(1), `${secret}x`, secret.toUpperCase()].map(isSame)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('an MCP client with the secret of an exposed server', () => {
  test.each([
    ['v1', connect1, '/mcp'],
    ['v2', connect2, '/mcp'],
    ['v1 of 2024-11-05', connectSse1, '/sse'],
    ['v2 of 2024-11-05', connectSse2, '/sse'],
  ])('is served if it is the official client %s', async (_name, connectTo, path) => {
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
    ['a bearer token with another case of "Bearer"', '/mcp', { authorization: `bEARER  ${secret}` }],
    ['the path, with another bearer token', `/${secret}/mcp`, { authorization: 'Bearer other' }],
    ['the path, with a query', `/${secret}/mcp?a=1`, {}],
  ])('may show the secret by %s', async (_name, path, headers) => {
    open = await openTransport(everywhere);
    const response = await post(`http://127.0.0.1:${open.port}${path}`, call('initialize', {}), headers);
    expect([response.status, response.headers.has('mcp-session-id')]).toEqual([200, true]);
    expect(open.transport.isConnected()).toBe(true);
    expect(logs()).toEqual([]);
  });

  test('is told what is wrong with its request, and the record masks the secret', async () => {
    open = await openTransport(everywhere);
    const { status, text } = await rawRequest(open.url, 'PUT', {});
    expect([status, text]).toEqual([405, expect.stringContaining('the endpoint takes')]);
    expect(open.turnedAway()).toMatchObject([{ reason: expect.stringMatching(/^PUT \/mcp: /) }]);
    expect(JSON.stringify(open.received)).not.toContain(secret);
  });

  test('is checked again at each request of a connection', async () => {
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

describe('a stranger without the secret of an exposed MCP server', () => {
  test.each<[string, string, string, Record<string, string>]>([
    ['no secret', 'POST', '/mcp', {}],
    ['no secret at the root', 'GET', '/', {}],
    ['another secret', 'POST', `/${createSecret()}/mcp`, {}],
    ['the beginning of the secret', 'POST', `/${secret.slice(0, -1)}/mcp`, {}],
    ['more than the secret', 'POST', `/${secret}x/mcp`, {}],
    ['the secret behind the endpoint', 'POST', `/mcp/${secret}`, {}],
    ['the secret in a query', 'POST', `/mcp?secret=${secret}`, {}],
    ['the secret behind two slashes', 'POST', `//${secret}/mcp`, {}],
    ['another bearer token', 'POST', '/mcp', { authorization: `Bearer ${createSecret()}` }],
    ['the secret in Basic authorization', 'POST', '/mcp', { authorization: `Basic ${secret}` }],
    ['the secret without a scheme', 'POST', '/mcp', { authorization: secret }],
    ['an empty bearer token', 'POST', '/mcp', { authorization: 'Bearer ' }],
    ['no secret for the older transport', 'GET', '/sse', { accept: 'text/event-stream' }],
    ['no secret for messages of the older transport', 'POST', '/messages?sessionId=1', {}],
    ['a CORS preflight', 'OPTIONS', '/mcp', { ...fromElsewhere, 'access-control-request-method': 'POST' }],
    ['the secret for another host', 'POST', `/${secret}/mcp`, { host: 'evil.example.com' }],
    ['the secret for a foreign address', 'POST', `/${secret}/mcp`, { host: '192.0.2.1' }],
    ['the secret from a page of another origin', 'POST', `/${secret}/mcp`, fromElsewhere],
  ])('learns nothing with %s', async (_name, method, path, headers) => {
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
  ])('is also who has the secret, unless the host %s is ours: %s', async (host, isOurs) => {
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

  test('sends bytes that are not HTTP without adding a message', async () => {
    open = await openTransport(everywhere);
    const { socket, closed } = openSocket(open.port);
    socket.write(`POST /${secret}/mcp HTTP/1.1\r\nnonsense\r\n\r\n`);
    await closed;
    expect(open.received).toEqual([
      { kind: 'log', level: 'warn', message: expect.stringMatching(/^refused a connection: not HTTP/) },
    ]);
    expect(JSON.stringify(open.received)).not.toContain(secret);
  });

  test('is cut off if it says nothing, while an agent may stay', async () => {
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

test('a Streamable HTTP server without an exposure has no secret path', async () => {
  open = await openTransport();
  expect(open.url).toBe(`http://127.0.0.1:${open.port}/mcp`);
  expect(await initialize(open.url)).toMatchObject({ 'mcp-session-id': expect.stringMatching(/./) });
});

describe('TLS of an exposed MCP server', () => {
  const pair = selfSigned();
  const overTls: HttpServerOptions = { host: '0.0.0.0', exposure: { ...exposure, tls: pair } };

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

  test('serves the older transport below the secret path', async () => {
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

  test('records a client that does not speak TLS', async () => {
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
    ['a right certificate and key', pair, undefined, ''],
    ['a key of another certificate', { ...pair, key: selfSigned().key }, 'key', 'not the key'],
    ['an expired certificate', expired, 'cert', 'expired on Jan  1 00:00:00 2021'],
    [
      'a certificate that is not valid yet',
      selfSigned({ from: new Date(Date.now() + 1e8) }),
      'cert',
      'not valid before',
    ],
    ['a text that is no certificate', { ...pair, cert: 'nothing' }, 'cert', 'not a PEM certificate'],
    ['a key in place of the certificate', { ...pair, cert: pair.key }, 'cert', 'not a PEM certificate'],
    ['a certificate in place of the key', { ...pair, key: pair.cert }, 'key', 'not a PEM private key'],
    ['a locked key', { ...pair, key: locked }, 'key', 'passphrase'],
  ])('is checked by checkTls: %s', (_name, given, part, problem) => {
    const found = checkTls(given, Date.now());
    expect(found?.in).toBe(part);
    expect(found?.problem ?? '').toContain(problem);
  });

  test.each([
    ['localhost', true],
    ['127.0.0.1', true],
    ['box.test', false],
    ['127.0.0.2', false],
  ])('covers, with a certificate for loopback, the name %s: %s', (name, isFor) => {
    expect(isNameCovered(pair, name)).toBe(isFor);
  });
});
