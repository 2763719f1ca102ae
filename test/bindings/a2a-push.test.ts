import { describe, expect, test } from 'vitest';
import { type A2aServerOptions, a2aServer } from '../../src/bindings/a2a/server.ts';
import type { Value, ValueMap } from '../../src/index.ts';

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

describe('a push is kept here', () => {
  test.each<[string, Value, readonly Configured[], A2aServerOptions, RegExp]>([
    ['without an address', { payload: 1 }, [], {}, /has no `url`/],
    ['without anything', 'odd', [], {}, /has no `url`/],
    ['of nothing', null, [], {}, /has no `url`/],
    ['to an address that nobody registered', { url: here }, [], {}, /no agent registered/],
    ['to another machine', { url: away }, [{ url: away }], {}, /: it is not on this machine/],
    [
      'to this machine for an agent of another',
      { url: here },
      [{ url: here }],
      { isExposed: true },
      /on another/,
    ],
    [
      'to a host that only looks allowed',
      { url: away },
      [],
      { allowedHosts: ['example'] },
      /no agent registered/,
    ],
    [
      'to another port than the allowed',
      { url: away },
      [],
      { allowedHosts: ['agent.example:1'] },
      /no agent/,
    ],
  ])('%s', (_, value, configs, options, reason) => {
    expect(planned(value, configs, options)).toEqual({
      warnings: [{ severity: 'warning', code: 'O-122', message: expect.stringMatching(reason) }],
    });
  });
});

describe('a push goes out', () => {
  test.each<[string, readonly Configured[], A2aServerOptions]>([
    [here, [{ url: here }], {}],
    ['http://localhost/', [{ url: 'http://localhost/' }], {}],
    [away, [], { allowedHosts: ['agent.example'] }],
    [away, [], { allowedHosts: ['other.example', 'agent.example:8443'] }],
    [away, [{ url: away }], { allowedHosts: ['agent.example'] }],
    [here, [{ url: here }], { isExposed: true, allowedHosts: ['127.0.0.1'] }],
  ])('to %s %j %j', (url, configs, options) => {
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
  ])('%j gives the headers %j', (config, headers) => {
    expect(planned({ url: here }, [{ url: here, ...config }])).toEqual({
      method: 'send_push_notification',
      params: { url: here, headers, payload: null },
    });
  });

  test('as the last that registered the address asked for', () => {
    const configs = [
      { url: here, token: 'a' },
      { url: here, token: 'b' },
      { url: away, token: 'c' },
    ];
    expect(planned({ url: here }, configs)).toMatchObject({
      params: { headers: { 'x-a2a-notification-token': 'b' } },
    });
  });

  test('in the spelling of 1.0 to a webhook of 1.0', () => {
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

test('any other entry action is not ours', () => {
  expect(a2aServer().entryAction?.('shout', {}, { memory: undefined } as never)).toBeUndefined();
});
