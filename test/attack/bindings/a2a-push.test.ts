import { describe, expect, test } from 'vitest';
import { createA2aClientBinding } from '../../../src/attack/bindings/a2a/a2a-client-binding.ts';
import { type A2aServerOptions, a2aServer } from '../../../src/attack/bindings/a2a/a2a-server-binding.ts';
import type { Value, ValueMap } from '../../../src/index.ts';

// Where a push goes, what it carries, and what keeps it here.

const here = 'http://127.0.0.1:9/hook';
const away = 'https://agent.example:8443/hook';

interface Configured extends ValueMap {
  readonly url: string;
}

function planned(value: Value, configs: readonly Configured[], options: A2aServerOptions = {}, era?: string) {
  const memory = {
    tasks: [],
    configs: configs.map((config) => ({ taskId: 't', config, ...(era !== undefined && { era }) })),
  } as unknown as Value;
  const binding = a2aServer(options);
  return binding.entryAction?.('send_push_notification', value, { memory } as never);
}

describe('a2aServer, a push notification that is not sent', () => {
  test.each<[string, Value, readonly Configured[], A2aServerOptions, RegExp]>([
    ['without a URL', { payload: 1 }, [], {}, /has no `url`/],
    ['that is a string', 'odd', [], {}, /has no `url`/],
    ['that is null', null, [], {}, /has no `url`/],
    ['to an address that no agent registered', { url: here }, [], {}, /no agent registered/],
    ['to another machine', { url: away }, [{ url: away }], {}, /: it is not on this machine/],
    [
      'to this machine when the agent may be on another',
      { url: here },
      [{ url: here }],
      { isExposed: true },
      /on another/,
    ],
    [
      'to a host whose name only ends like an allowed one',
      { url: away },
      [],
      { allowedHosts: ['example'] },
      /no agent registered/,
    ],
    ['to another port than the allowed one', { url: away }, [], { allowedHosts: ['agent.example:1'] }, /no agent/],
  ])('warns with O-122 for a notification %s', (_, value, configs, options, reason) => {
    expect(planned(value, configs, options)).toEqual({
      warnings: [{ severity: 'warning', code: 'O-122', message: expect.stringMatching(reason) }],
    });
  });
});

describe('createA2aClientBinding, a push notification', () => {
  test.each<[string, string, readonly string[], boolean]>([
    [here, 'http://localhost:4000/', [], true],
    [here, 'grpc://[::1]:4000', [], true],
    [away, 'https://agent.example/', [], true],
    [here, 'https://agent.example/', [], false],
    [here, 'https://agent.example/', ['127.0.0.1'], true],
    [away, 'http://localhost/', [], false],
    [away, 'http://localhost/', ['agent.example:8443'], true],
    [away, '', [], false],
  ])('to %s, for an agent at %s and the allowed hosts %j, is sent: %s', (url, agent, allowedHosts, isSent) => {
    const binding = createA2aClientBinding(allowedHosts);
    const context = { endpoint: { url: agent } } as never;
    const does = binding.entryAction?.('send_push_notification', { url, payload: 1 }, context);
    expect(does).toMatchObject(
      isSent ? { method: 'send_push_notification', params: { url, payload: 1 } } : { warnings: [{ code: 'O-122' }] },
    );
    expect(binding.entryAction?.('shout', {}, context)).toBeUndefined();
  });
});

describe('a2aServer, a push notification that is sent', () => {
  test.each<[string, readonly Configured[], A2aServerOptions]>([
    [here, [{ url: here }], {}],
    ['http://localhost/', [{ url: 'http://localhost/' }], {}],
    [away, [], { allowedHosts: ['agent.example'] }],
    [away, [], { allowedHosts: ['other.example', 'agent.example:8443'] }],
    [away, [{ url: away }], { allowedHosts: ['agent.example'] }],
    [here, [{ url: here }], { isExposed: true, allowedHosts: ['127.0.0.1'] }],
  ])('goes to %s with the configurations %j and the options %j', (url, configs, options) => {
    expect(planned({ url, payload: { a: 1 } }, configs, options)).toEqual({
      method: 'send_push_notification',
      params: { url, headers: {}, payload: { a: 1 } },
    });
  });

  test.each<[ValueMap, ValueMap]>([
    [{ token: 't' }, { 'x-a2a-notification-token': 't' }],
    [{ token: '' }, {}],
    [{ token: 5 }, {}],
    [{ authentication: { credentials: 'c' } }, { authorization: 'Bearer c' }],
    [{ authentication: { credentials: 'c', schemes: ['Basic', 'Digest'] } }, { authorization: 'Basic c' }],
    [{ authentication: { credentials: 'c', schemes: [5] } }, { authorization: 'Bearer c' }],
    [{ authentication: { credentials: 'c', schemes: 'Basic' } }, { authorization: 'Bearer c' }],
    [{ authentication: { credentials: '', schemes: ['Basic'] } }, {}],
    [{ authentication: 'c' }, {}],
  ])('makes from the configuration %j the headers %j', (config, headers) => {
    expect(planned({ url: here }, [{ url: here, ...config }])).toEqual({
      method: 'send_push_notification',
      params: { url: here, headers, payload: null },
    });
  });

  test('uses the last configuration that registered its URL', () => {
    const configs = [
      { url: here, token: 'a' },
      { url: here, token: 'b' },
      { url: away, token: 'c' },
    ];
    expect(planned({ url: here }, configs)).toMatchObject({
      params: { headers: { 'x-a2a-notification-token': 'b' } },
    });
  });

  test('is written in the form of 1.0 for a webhook that was configured in 1.0', () => {
    const payload = { kind: 'task', id: 't', contextId: 'c', status: { state: 'completed' } };
    expect(planned({ url: here, payload }, [{ url: here }], {}, '1.0')).toEqual({
      method: 'send_push_notification',
      params: {
        url: here,
        headers: { 'content-type': 'application/a2a+json' },
        payload: { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } },
      },
    });
  });
});

test('a2aServer: leaves an unknown entry action to others', () => {
  expect(a2aServer().entryAction?.('shout', {}, { memory: undefined } as never)).toBeUndefined();
});
