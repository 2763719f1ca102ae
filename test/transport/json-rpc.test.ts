import { describe, expect, test } from 'vitest';
import type { Value } from '../../src/model/value.ts';
import {
  frameAnswer,
  frameError,
  frameNotification,
  frameRequest,
  readFrame,
} from '../../src/transport/json-rpc.ts';
import { readJson } from '../../src/transport/json-text.ts';

const two = { jsonrpc: '2.0' };

describe('readFrame', () => {
  test.each<[string, Value, object]>([
    [
      'a request',
      { ...two, id: 1, method: 'm', params: { a: 1 } },
      { kind: 'request', id: 1, params: { a: 1 } },
    ],
    ['a request without params', { ...two, id: 'x', method: 'm' }, { kind: 'request', params: undefined }],
    ['params null', { ...two, id: 1, method: 'm', params: null }, { kind: 'request', params: null }],
    ['params a list', { ...two, id: 1, method: 'm', params: [1] }, { kind: 'request', params: [1] }],
    ['id null', { ...two, id: null, method: 'm' }, { kind: 'request', id: null }],
    ['id a fraction', { ...two, id: 1.5, method: 'm' }, { kind: 'request', id: 1.5 }],
    ['id an object', { ...two, id: { a: [] }, method: 'm' }, { kind: 'request', id: { a: [] } }],
    ['id false', { ...two, id: false, method: 'm' }, { kind: 'request', id: false }],
    [
      'a notification',
      { ...two, method: 'm', params: {} },
      { kind: 'notification', method: 'm', params: {} },
    ],
    ['an empty method', { ...two, method: '' }, { kind: 'notification', method: '' }],
    [
      'a result',
      { ...two, id: 1, result: null },
      { kind: 'response', answer: { kind: 'result', result: null } },
    ],
    [
      'an error',
      { ...two, id: null, error: 'no' },
      { kind: 'response', answer: { kind: 'error', error: 'no' } },
    ],
    ['null', null, { kind: 'invalid', id: null }],
    ['a string', 'm', { kind: 'invalid', id: null }],
    ['a list in a list', [], { kind: 'invalid', id: null }],
    ['no version', { id: 7, method: 'm' }, { kind: 'invalid', id: 7 }],
    ['version 1.0', { jsonrpc: '1.0', id: 'a', method: 'm' }, { kind: 'invalid', id: 'a' }],
    ['method a number', { ...two, id: 1, method: 5 }, { kind: 'invalid', id: 1 }],
    ['method null', { ...two, id: 1, method: null }, { kind: 'invalid', id: 1 }],
    ['params a string', { ...two, id: 1, method: 'm', params: 'p' }, { kind: 'invalid', id: 1 }],
    ['nothing in it', { ...two, id: 1 }, { kind: 'invalid', id: 1 }],
    ['a result without id', { ...two, result: 1 }, { kind: 'invalid', id: null }],
    ['result and error', { ...two, id: 1, result: 1, error: {} }, { kind: 'invalid', id: 1 }],
    ['method and result', { ...two, id: 1, method: 'm', result: 1 }, { kind: 'invalid', id: 1 }],
  ])('%s', (_, message, frame) => {
    expect(readFrame(message)).toMatchObject(frame);
  });
});

describe('framing', () => {
  test.each<[string, string, Value]>([
    [
      'a result',
      frameAnswer(1, { kind: 'result', result: { a: 'é\u2028' } }),
      { ...two, id: 1, result: { a: 'é\u2028' } },
    ],
    ['an error', frameAnswer('x', { kind: 'error', error: 'any' }), { ...two, id: 'x', error: 'any' }],
    [
      'a strange id',
      frameError({ a: 1 }, -32600, 'no'),
      { ...two, id: { a: 1 }, error: { code: -32600, message: 'no' } },
    ],
    ['a notification', frameNotification('m', { a: 1 }), { ...two, method: 'm', params: { a: 1 } }],
    ['no params', frameNotification('m', undefined), { ...two, method: 'm' }],
    ['a request', frameRequest('k', 'm', []), { ...two, id: 'k', method: 'm', params: [] }],
  ])('%s', (_, text, message) => {
    expect(JSON.parse(text)).toEqual(message);
    expect(text).not.toContain('\n');
  });
});

describe('readJson', () => {
  const deep = (levels: number) => Buffer.from('['.repeat(levels) + ']'.repeat(levels));
  test.each<[string, Buffer, boolean]>([
    ['an object', Buffer.from('{"a":1}'), true],
    ['nothing', Buffer.from(''), false],
    ['half a message', Buffer.from('{"a":'), false],
    ['invalid UTF-8 within a string', Buffer.from([0x22, 0xff, 0x22]), false],
    ['as deep as allowed', deep(64), true],
    ['deeper', deep(65), false],
    ['a million levels', Buffer.from('['.repeat(1_000_000)), false],
    ['brackets in a string', Buffer.from(JSON.stringify(`${'['.repeat(200)}\\"[`)), true],
    ['many beside each other', Buffer.from(JSON.stringify(Array.from({ length: 500 }, () => [{}]))), true],
  ])('%s', (_, bytes, ok) => {
    expect(readJson(bytes, 64).ok).toBe(ok);
  });

  test('__proto__ is data', () => {
    const json = readJson(Buffer.from('{"__proto__":{"a":1}}'), 64);
    expect(json.ok && Object.keys(json.value as object)).toEqual(['__proto__']);
  });
});
