import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ValueMap } from '../../../src/index.ts';
import { eventually } from '../../support/http-peer.ts';
import { type Played, playClient, playServer, rpc, task, userMessage } from './support.ts';

// `send_push_notification` goes to the address that the agent gave, and to no other without the operator's permission.

interface Notification {
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

let server: Server;
let hook: string;
let heard: Notification[];
let played: Played;

beforeEach(async () => {
  heard = [];
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    heard.push({ headers: request.headers, body: JSON.parse(body) });
    if (request.url === '/redirect') response.writeHead(307, { location: '/elsewhere' }).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok": true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  hook = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await played.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const payload = { task: task({ id: '{{task}}' }) };
const phases = (url: string): ValueMap[] => [
  {
    name: 'wait',
    state: { task_responses: [{ content: task({ status: { state: 'working' } }) }] },
    extractors: [
      { name: 'task', source: 'response', type: 'json_path', selector: '$.id' },
      {
        name: 'hook',
        source: 'request',
        type: 'json_path',
        selector: '$.pushNotificationConfig.url',
      },
    ],
    trigger: { event: 'tasks/cancel' },
  },
  { name: 'tell', on_enter: [{ send_push_notification: { url, payload } }] },
];

/** Sends a message, registers the address for notifications, and makes the phase end. */
async function converse(url: string, config: ValueMap | undefined): Promise<void> {
  await rpc(url, 'message/send', { message: userMessage('go') });
  if (config !== undefined)
    await rpc(url, 'tasks/pushNotificationConfig/set', { taskId: 't1', pushNotificationConfig: config });
  await rpc(url, 'tasks/cancel', { id: 't1' });
}

describe('A2A push notifications', () => {
  test('go to the address that the agent configured, with its token, and are recorded with their response', async () => {
    played = await playServer({ phases: phases('{{hook}}') });
    const authentication = { schemes: ['Basic'], credentials: 'abc' };
    await converse(played.url, { url: `${hook}/a`, token: 'secret-token', authentication });
    await eventually(() => heard).toMatchObject([
      {
        headers: {
          'x-a2a-notification-token': 'secret-token',
          authorization: 'Basic abc',
          'content-type': 'application/json',
        },
        body: { task: { id: 't1' } },
      },
    ]);
    await eventually(() => played.messages('send_push_notification')).toMatchObject([
      { kind: 'request', origin: 'attacker', phase: 'tell', content: { url: `${hook}/a` } },
      { kind: 'response', origin: 'agent', content: { status: 200, body: { ok: true } } },
    ]);
  });

  test.each([
    ['an address that no agent configured', undefined, /no agent registered this address/],
    ['an address other than the configured one', { url: 'http://127.0.0.1:9/other' }, /no agent registered/],
  ])('are not sent to %s', async (_, config, reason) => {
    played = await playServer({ phases: phases(`${hook}/b`) });
    await converse(played.url, config);
    const { end } = await played.stop();
    expect(heard).toEqual([]);
    expect(end.diagnostics).toMatchObject([{ code: 'O-122', message: expect.stringMatching(reason) }]);
  });

  test.each(['http://169.254.169.254/latest', 'https://agent.example/hook', 'http://127.0.0.1@10.1.1.1/'])(
    'are not sent off this machine when the agent configured %s',
    async (url) => {
      played = await playServer({ phases: phases(url) });
      await converse(played.url, { url });
      const { end } = await played.stop();
      expect(end.diagnostics).toMatchObject([{ code: 'O-122', message: expect.stringMatching(/not on this machine/) }]);
    },
  );

  test('are not sent to this machine when the agent may be on another', async () => {
    played = await playServer({ phases: phases('{{hook}}') }, { isExposed: true });
    await converse(played.url, { url: `${hook}/inner` });
    const { end } = await played.stop();
    expect(heard).toEqual([]);
    expect(end.diagnostics).toMatchObject([
      { code: 'O-122', message: expect.stringMatching(/the agent may be on another/) },
    ]);
  });

  test('are sent to a host that the operator allows', async () => {
    played = await playServer({ phases: phases(`${hook}/c`) }, { allowedHosts: ['127.0.0.1'] });
    await converse(played.url, undefined);
    await eventually(() => heard.length).toBe(1);
  });

  test('do not follow a redirect', async () => {
    played = await playServer({ phases: phases('{{hook}}') });
    await converse(played.url, { url: `${hook}/redirect` });
    await eventually(() => played.messages('send_push_notification')[1]?.content).toMatchObject({
      status: 307,
    });
    expect(heard).toHaveLength(1);
  });

  test('are logged when they cannot be delivered', async () => {
    played = await playServer({ phases: phases('{{hook}}') });
    await converse(played.url, { url: 'http://127.0.0.1:1/nobody' });
    await eventually(() => played.records.find(({ kind }) => kind === 'log')).toMatchObject({
      message: expect.stringMatching(/was not delivered: nothing listens/),
    });
  });

  test('go to an address that was configured within the message itself', async () => {
    played = await playServer({
      phases: [
        {
          state: { task_responses: [{ content: task({ status: { state: 'working' } }) }] },
          trigger: { event: 'message/send' },
        },
        { on_enter: [{ send_push_notification: { url: `${hook}/d`, payload: { message: 'hi' } } }] },
      ],
    });
    const configuration = { pushNotificationConfig: { url: `${hook}/d`, token: 't' } };
    await rpc(played.url, 'message/send', { message: userMessage('go'), configuration });
    await eventually(() => heard).toMatchObject([
      { body: { message: 'hi' }, headers: { 'x-a2a-notification-token': 't' } },
    ]);
  });
});

describe('A2A push notifications of a client', () => {
  const pushing = (url: string): ValueMap[] => [
    { state: { actions: [] }, on_enter: [{ send_push_notification: { url, payload: { task: task() } } }] },
  ];
  beforeEach(async () => {
    played = await playServer({ state: {} });
  });

  test('go to the machine of the agent, and are recorded with their response', async () => {
    const { messages } = await playClient(played.url, [], { phases: pushing(`${hook}/a`) });
    expect(heard).toMatchObject([{ headers: { 'content-type': 'application/json' }, body: { task: task() } }]);
    expect(messages('send_push_notification')).toMatchObject([
      { kind: 'request', origin: 'attacker', content: { url: `${hook}/a`, payload: { task: task() } } },
      { kind: 'response', origin: 'agent', content: { status: 200, body: { ok: true } } },
    ]);
  });

  test('give headers of the operator to nobody', async () => {
    const headers = { authorization: 'Bearer given' };
    await playClient(played.url, [], { phases: pushing(`${hook}/a`), headers });
    expect(heard.map((each) => each.headers.authorization)).toEqual([undefined]);
  });

  test.each([
    ['https://agent.example/hook', /not on the machine of the agent/],
    ['http://127.0.0.1@10.1.1.1/', /not on the machine of the agent/],
    ['ftp://127.0.0.1/', /not an http or https URL/],
    [7 as unknown as string, /has no `url`/],
  ])('are not sent to %s', async (url, reason) => {
    const { end, messages } = await playClient(played.url, [], { phases: pushing(url) });
    expect(messages('send_push_notification')).toEqual([]);
    expect(end.diagnostics).toMatchObject([{ code: 'O-122', message: expect.stringMatching(reason) }]);
  });

  test('end the call with a reason when nobody listens or the status is an error', async () => {
    const elsewhere = await playClient(played.url, [], { phases: pushing('http://127.0.0.1:1/') });
    const redirected = await playClient(played.url, [], { phases: pushing(`${hook}/redirect`) });
    const reasons = [elsewhere, redirected].map(({ records }) =>
      records.flatMap((record) => (record.kind === 'connection' ? [record.reason] : [])),
    );
    expect(reasons).toEqual([[expect.stringContaining('nothing listens')], [expect.stringContaining('HTTP 307')]]);
    expect(heard).toHaveLength(1);
  });
});

test('A2A server: skips an unknown entry action and an action it cannot send, each with a warning', async () => {
  played = await playServer({
    phases: [{ state: {}, on_enter: [{ shout: 'hello' }, { send: { method: 'message/send' } }] }],
  });
  const { end } = await played.stop();
  expect(end.diagnostics.map(({ code }) => code)).toEqual(['O-101', 'O-123']);
});
