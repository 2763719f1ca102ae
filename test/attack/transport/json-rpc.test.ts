import { describe, expect, test } from 'vitest';
import {
  frameAnswer,
  frameError,
  frameNotification,
  frameRequest,
  readFrame,
} from '../../../src/attack/transport/json-rpc-frames.ts';
import { readJson } from '../../../src/attack/transport/json-text.ts';
import type { Value } from '../../../src/format/model/value.ts';

const two = { jsonrpc: '2.0' };

describe('readFrame', () => {
  test.each<[string, Value, object]>([
    [
      'a request as a request',
      { ...two, id: 1, method: 'm', params: { a: 1 } },
      { kind: 'request', id: 1, params: { a: 1 } },
    ],
    ['a request without params', { ...two, id: 'x', method: 'm' }, { kind: 'request', params: undefined }],
    ['params that are null', { ...two, id: 1, method: 'm', params: null }, { kind: 'request', params: null }],
    ['params that are a list', { ...two, id: 1, method: 'm', params: [1] }, { kind: 'request', params: [1] }],
    ['an id that is null', { ...two, id: null, method: 'm' }, { kind: 'request', id: null }],
    ['an id that is a fraction', { ...two, id: 1.5, method: 'm' }, { kind: 'request', id: 1.5 }],
    ['an id that is an object', { ...two, id: { a: [] }, method: 'm' }, { kind: 'request', id: { a: [] } }],
    ['an id that is false', { ...two, id: false, method: 'm' }, { kind: 'request', id: false }],
    ['a notification', { ...two, method: 'm', params: {} }, { kind: 'notification', method: 'm', params: {} }],
    ['an empty method as a notification', { ...two, method: '' }, { kind: 'notification', method: '' }],
    ['a result', { ...two, id: 1, result: null }, { kind: 'response', answer: { kind: 'result', result: null } }],
    ['an error', { ...two, id: null, error: 'no' }, { kind: 'response', answer: { kind: 'error', error: 'no' } }],
    ['null as invalid', null, { kind: 'invalid', id: null }],
    ['a string as invalid', 'm', { kind: 'invalid', id: null }],
    ['a list as invalid', [], { kind: 'invalid', id: null }],
    ['a message without a version as invalid', { id: 7, method: 'm' }, { kind: 'invalid', id: 7 }],
    ['version 1.0 as invalid', { jsonrpc: '1.0', id: 'a', method: 'm' }, { kind: 'invalid', id: 'a' }],
    ['a method that is a number as invalid', { ...two, id: 1, method: 5 }, { kind: 'invalid', id: 1 }],
    ['a method that is null as invalid', { ...two, id: 1, method: null }, { kind: 'invalid', id: 1 }],
    ['params that are a string as invalid', { ...two, id: 1, method: 'm', params: 'p' }, { kind: 'invalid', id: 1 }],
    ['an id alone as invalid', { ...two, id: 1 }, { kind: 'invalid', id: 1 }],
    ['a result without an id as invalid', { ...two, result: 1 }, { kind: 'invalid', id: null }],
    ['a result beside an error as invalid', { ...two, id: 1, result: 1, error: {} }, { kind: 'invalid', id: 1 }],
    ['a method beside a result as invalid', { ...two, id: 1, method: 'm', result: 1 }, { kind: 'invalid', id: 1 }],
  ])('reads %s', (_, message, frame) => {
    expect(readFrame(message)).toMatchObject(frame);
  });
});

describe('the functions that write JSON-RPC messages', () => {
  test.each<[string, string, Value]>([
    [
      'a result',
      frameAnswer(1, { kind: 'result', result: { a: 'é\u2028' } }),
      { ...two, id: 1, result: { a: 'é\u2028' } },
    ],
    ['an error', frameAnswer('x', { kind: 'error', error: 'any' }), { ...two, id: 'x', error: 'any' }],
    [
      'an error under an unusual id',
      frameError({ a: 1 }, -32600, 'no'),
      { ...two, id: { a: 1 }, error: { code: -32600, message: 'no' } },
    ],
    ['a notification', frameNotification('m', { a: 1 }), { ...two, method: 'm', params: { a: 1 } }],
    ['a notification without params', frameNotification('m', undefined), { ...two, method: 'm' }],
    ['a request', frameRequest('k', 'm', []), { ...two, id: 'k', method: 'm', params: [] }],
  ])('write %s as one line of JSON', (_, text, message) => {
    expect(JSON.parse(text)).toEqual(message);
    expect(text).not.toContain('\n');
  });
});

describe('readJson', () => {
  const deep = (levels: number) => Buffer.from('['.repeat(levels) + ']'.repeat(levels));
  test.each<[string, Buffer, boolean]>([
    ['accepts an object', Buffer.from('{"a":1}'), true],
    ['refuses an empty text', Buffer.from(''), false],
    ['refuses half a message', Buffer.from('{"a":'), false],
    ['refuses invalid UTF-8 within a string', Buffer.from([0x22, 0xff, 0x22]), false],
    ['accepts as many levels as allowed', deep(64), true],
    ['refuses one level too many', deep(65), false],
    ['refuses a million levels', Buffer.from('['.repeat(1_000_000)), false],
    ['accepts brackets in a string', Buffer.from(JSON.stringify(`${'['.repeat(200)}\\"[`)), true],
    [
      'accepts many brackets beside each other',
      Buffer.from(JSON.stringify(Array.from({ length: 500 }, () => [{}]))),
      true,
    ],
  ])('%s', (_, bytes, ok) => {
    expect(readJson(bytes, 64).ok).toBe(ok);
  });

  test('reads __proto__ as data', () => {
    const json = readJson(Buffer.from('{"__proto__":{"a":1}}'), 64);
    expect(json.ok && Object.keys(json.value as object)).toEqual(['__proto__']);
  });
});
