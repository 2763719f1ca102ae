import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { a2aSchema03, dialects } from '../../../src/attack/transport/a2a/proto/a2a-operations.ts';
import { findRestRoute } from '../../../src/attack/transport/a2a/rest-routes.ts';
import { decodeProto } from '../../../src/attack/transport/proto/decode-proto.ts';
import { encodeProto } from '../../../src/attack/transport/proto/encode-proto.ts';
import { convertItemFromProto } from '../../../src/format/registry/a2a/from-proto.ts';
import { spelling03 } from '../../../src/format/registry/a2a/spelling.ts';
import { convertCardToProto, convertItemToProto } from '../../../src/format/registry/a2a/to-proto.ts';
import type { Value, ValueMap } from '../../../src/index.ts';
import { task } from './support.ts';

function lostOf(type: string, value: Value): string[] {
  const lost: string[] = [];
  encodeProto(a2aSchema03(), type, value, (path) => lost.push(path));
  return lost;
}

const encodeAll = (item: Value): Uint8Array =>
  encodeProto(a2aSchema03(), 'StreamResponse', item, (path) => {
    throw new Error(`${path} is lost`);
  });

const overGrpc = (item: Value): Value =>
  convertItemFromProto(
    spelling03,
    decodeProto(
      a2aSchema03(),
      'StreamResponse',
      encodeProto(a2aSchema03(), 'StreamResponse', convertItemToProto(spelling03, item), () => {}),
    ),
  );

describe('A2A proto encoding', () => {
  test.each(dialects.map((dialect) => [dialect.era ?? '0.3', dialect] as const))(
    '%s defines every message its procedures use, and one procedure per operation',
    (_, dialect) => {
      const { rpcs, messages } = dialect.schema();
      expect(
        rpcs.flatMap(({ request, response }) => [request, response]).filter((name) => !messages.has(name)),
      ).toEqual([]);
      expect(rpcs.map(({ name }) => name).sort()).toEqual(
        Object.values(dialect.operations)
          .map(({ rpc }) => rpc)
          .sort(),
      );
    },
  );

  test.each([
    ['a bare status', task({ status: 'completed' }), ['task.status']],
    [
      'parts with a type',
      task({ history: [{ role: 'agent', parts: [{ type: 'text', text: 'x' }] }] }),
      ['task.history[0].content[0].type'],
    ],
    ['unknown fields', task({ malformed: { a: 1 }, id: 7 }), ['task.id', 'task.malformed']],
    ['a message with an unknown role', { kind: 'message', role: 'root', parts: [] }, ['message.role']],
    ['an object that is neither task nor message', { hello: 'world' }, ['hello']],
    ['a plain string', 'plain text', ['all of it']],
    ['a task that it can carry whole', task({ metadata: { any: [{ thing: null }] } }), []],
  ])('reports what it cannot carry of %s', (_, item, lost) => {
    expect(lostOf('StreamResponse', convertItemToProto(spelling03, item as Value)).sort()).toEqual(lost);
  });

  test('keeps in JSON what gRPC loses', () => {
    expect(convertItemToProto(spelling03, task({ status: 'completed', odd: [1] }))).toEqual({
      task: { id: 't1', contextId: 'c1', status: 'completed', odd: [1] },
    });
  });

  test('encodes every kind of security scheme of a card', () => {
    const card = {
      name: 'x',
      securitySchemes: {
        a: { type: 'apiKey', in: 'header', name: 'k' },
        b: { type: 'http', scheme: 'bearer' },
        c: { type: 'oauth2', flows: { password: { tokenUrl: 'https://a.example', scopes: { r: 'read' } } } },
        d: { type: 'openIdConnect', openIdConnectUrl: 'https://b.example' },
        e: { type: 'mutualTLS' },
      },
      security: [{ a: [], b: ['x'] }],
    };
    expect(lostOf('AgentCard', convertCardToProto(card))).toEqual([]);
  });

  test('returns any metadata unchanged after encoding and decoding', () => {
    const json = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });
    fc.assert(
      fc.property(json, (metadata) => {
        // Minus zero is zero in JSON.
        const plain = JSON.parse(JSON.stringify(metadata)) as ValueMap;
        expect(overGrpc(task({ metadata: plain }))).toEqual(task({ metadata: plain }));
      }),
    );
  });

  test.each<[string, Value]>([
    ['an empty text', { message: { messageId: '', content: [{ text: '' }] } }],
    ['a false flag', { statusUpdate: { taskId: 't1', final: false } }],
    ['a time in the far future', { task: { status: { timestamp: '+012345-01-01T00:00:00.000Z' } } }],
    ['a key named __proto__', JSON.parse('{"message":{"metadata":{"__proto__":{"x":1}}}}')],
  ])('returns %s unchanged after encoding and decoding', (_, item) => {
    expect(JSON.stringify(decodeProto(a2aSchema03(), 'StreamResponse', encodeAll(item)))).toBe(JSON.stringify(item));
  });

  test('decodes the rest of a message with NaN in its metadata or an unknown role number', () => {
    const metadata = { not: Number.NaN, is: 'kept' };
    const { message } = decodeProto(
      a2aSchema03(),
      'StreamResponse',
      encodeAll({ message: { messageId: 'm1', metadata } }),
    );
    expect(message).toEqual({ messageId: 'm1', metadata });
    const unknownRole = Uint8Array.from([0x12, 2, 0x20, 9]);
    expect(decodeProto(a2aSchema03(), 'StreamResponse', unknownRole)).toEqual({ message: { role: 9 } });
  });

  test('decodes or refuses any bytes without hanging', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          decodeProto(a2aSchema03(), 'SendMessageRequest', bytes);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(Error);
        }
      }),
    );
  });

  test('refuses deeply nested bytes without a stack overflow', () => {
    let bytes = Buffer.from([0x0a, 0x00]);
    for (let depth = 0; depth < 500; depth++) bytes = Buffer.concat([Buffer.from([0x2a]), varint(bytes.length), bytes]);
    // A value within a struct within a value, and so on.
    const metadata = Buffer.concat([Buffer.from([0x1a]), varint(bytes.length), bytes]);
    expect(() => decodeProto(a2aSchema03(), 'SendMessageRequest', metadata)).not.toThrow(RangeError);
  });
});

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left >>>= 7) {
    if (left < 128) return Buffer.from([...bytes, left]);
    bytes.push((left & 127) | 128);
  }
}

test.each([
  ['GET', '/v1/card', 'agent/getAuthenticatedExtendedCard', {}],
  ['POST', '/v1/message:send', 'message/send', {}],
  ['POST', '/v1/message:stream', 'message/stream', {}],
  ['GET', '/v1/tasks', 'tasks/list', {}],
  ['GET', '/v1/tasks/a%2Fb', 'tasks/get', { id: 'a/b' }],
  ['POST', '/v1/tasks/a:cancel', 'tasks/cancel', { id: 'a' }],
  ['POST', '/v1/tasks/a:subscribe', 'tasks/resubscribe', { id: 'a' }],
  ['GET', '/v1/tasks/a:subscribe', 'tasks/resubscribe', { id: 'a' }],
  ['POST', '/v1/tasks/a/pushNotificationConfigs', 'tasks/pushNotificationConfig/set', { taskId: 'a' }],
  ['GET', '/v1/tasks/a/pushNotificationConfigs', 'tasks/pushNotificationConfig/list', { id: 'a' }],
  [
    'DELETE',
    '/v1/tasks/a/pushNotificationConfigs/b',
    'tasks/pushNotificationConfig/delete',
    { id: 'a', pushNotificationConfigId: 'b' },
  ],
])('findRestRoute: maps 0.3 %s %s to %s', (verb, path, method, ids) => {
  const { dialect, ...route } = findRestRoute(verb, path) ?? {};
  expect([dialect?.era, route]).toEqual([undefined, { method, ids }]);
});

test.each<[string, string, string, ValueMap]>([
  ['GET', '/extendedAgentCard', 'agent/getAuthenticatedExtendedCard', {}],
  ['POST', '/message:send', 'message/send', {}],
  ['POST', '/acme/message:stream', 'message/stream', { tenant: 'acme' }],
  ['GET', '/tasks', 'tasks/list', {}],
  ['GET', '/a%2Fb/tasks/t1', 'tasks/get', { tenant: 'a/b', id: 't1' }],
  ['POST', '/tasks/t1:cancel', 'tasks/cancel', { id: 't1' }],
  ['GET', '/tasks/t1:subscribe', 'tasks/resubscribe', { id: 't1' }],
  ['POST', '/tasks/t1:subscribe', 'tasks/resubscribe', { id: 't1' }],
  ['POST', '/tasks/t1/pushNotificationConfigs', 'tasks/pushNotificationConfig/set', { taskId: 't1' }],
  ['DELETE', '/tasks/t1/pushNotificationConfigs/p1', 'tasks/pushNotificationConfig/delete', { taskId: 't1', id: 'p1' }],
])('findRestRoute: maps 1.0 %s %s to %s', (verb, path, method, ids) => {
  const { dialect, ...route } = findRestRoute(verb, path) ?? {};
  expect([dialect?.era, route]).toEqual(['1.0', { method, ids }]);
});
