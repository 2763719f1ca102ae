import { describe, expect, test } from 'vitest';
import type { Path } from '../../../src/format/model/path.ts';
import type { Value } from '../../../src/format/model/value.ts';
import { messageValue, readAttachedRequest } from '../../../src/format/primitives/message-value.ts';
import { compileWildcardPath } from '../../../src/format/primitives/resolve-wildcard-path.ts';
import { createMessageView, findEchoField, removeEchoes } from '../../../src/judgement/evaluate/message-view.ts';

// What of a message is the agent's, and what is ours.

const task: Value = { id: 't', history: [{ text: 'ours' }, { text: 'theirs' }], note: { text: 'n' } };
const first: readonly Path[] = [['history', 0]];

/** The values of a target: as text, with their paths, and `own` where they are ours. */
function found(message: Value, echoes: readonly Path[], target: string): readonly string[] {
  return createMessageView(message, { echoes: echoes.map((path) => ({ path })) })
    .resolve({ target, path: compileWildcardPath(target) })
    .map(({ path, own, text }) => `${path ?? ''}${own ? ' own' : ''}: ${text()}`);
}

describe('createMessageView, for a target', () => {
  const both: readonly Path[] = [
    ['history', 0],
    ['history', 1],
  ];
  test.each<[title: string, echoes: readonly Path[], target: string, values: readonly string[]]>([
    ['in a message without echoes', [], 'history[*].text', [': ours', ': theirs']],
    ['beside an echo', first, 'note.text', ['note.text: n']],
    ['below an echo', first, 'history[*].text', ['history[1].text: theirs', 'history[0].text own: ours']],
    ['at an echo', first, 'history[*]', ['history[1]: {"text":"theirs"}', 'history[0] own: {"text":"ours"}']],
    [
      'at the field of an echo',
      first,
      'history',
      ['history: [{"text":"theirs"}]', 'history own: [{"text":"ours"},{"text":"theirs"}]'],
    ],
    ['at a field with nothing but echoes', both, 'history', ['history own: [{"text":"ours"},{"text":"theirs"}]']],
    [
      'at the field of one of two echoes',
      [
        ['history', 0],
        ['history', 1, 'text'],
      ],
      'history',
      ['history: [{}]', 'history own: [{"text":"ours"},{"text":"theirs"}]'],
    ],
    ['below one of two echoes', both, 'history[*].text', ['history[0].text own: ours', 'history[1].text own: theirs']],
    ['above the field of an echo', first, '', [': {"history":[{"text":"theirs"}],"id":"t","note":{"text":"n"}}']],
    ['above an echo that is a key', [['note', 'text']], 'note', ['note: {}']],
    ['at an echo that is a key', [['note', 'text']], 'note.text', ['note.text own: n']],
    ['in a message that is an echo as a whole', [[]], 'note.text', ['note.text own: n']],
    [
      'at the root of a message that is an echo as a whole',
      [[]],
      '',
      [' own: {"history":[{"text":"ours"},{"text":"theirs"}],"id":"t","note":{"text":"n"}}'],
    ],
    ['that the message lacks', first, 'other', []],
  ])('resolves the values of a target %s', (_, echoes, target, values) => {
    expect(found(task, echoes, target)).toEqual(values);
  });

  test('resolves a target in a list within a list beside an echo', () => {
    const nested: Value = { a: [{ b: [{ c: 'x' }, { c: 'y' }] }] };
    expect(found(nested, [['a', 0, 'b', 0]], 'a[*]')).toEqual(['a[0]: {"b":[{"c":"y"}]}']);
    expect(found(nested, [['a', 0, 'b', 0]], 'a[*].b')).toEqual([
      'a[0].b: [{"c":"y"}]',
      'a[0].b own: [{"c":"x"},{"c":"y"}]',
    ]);
  });

  test('takes no key for an echo that only begins like one', () => {
    expect(found({ history: 'x', historyOf: 'y' }, [['history']], 'historyOf')).toEqual(['historyOf: y']);
  });

  test('resolves a target only once', () => {
    const view = createMessageView(task);
    const target = { target: 'id', path: compileWildcardPath('id') };
    expect(view.resolve(target)).toBe(view.resolve(target));
  });
});

describe('createMessageView, for a text with ours in it', () => {
  const said: Value = { content: 'you said: hello. I say: pw', other: 1 };
  const echoes = [{ path: ['content'], rest: 'you said: . I say: pw' }];
  const view = createMessageView(said, { echoes });
  const values = (target: string) =>
    view.resolve({ target, path: compileWildcardPath(target) }).map(({ own, text }) => `${own ? 'own ' : ''}${text()}`);
  test('offers what is left as the agent’s, and the whole as ours', () => {
    expect(values('content')).toEqual(['you said: . I say: pw', 'own you said: hello. I say: pw']);
  });
  test('offers what is left within a larger value', () => {
    expect(values('')).toEqual(['{"content":"you said: . I say: pw","other":1}']);
    expect(view.theirs()).toEqual({ content: 'you said: . I say: pw', other: 1 });
  });
  test('does not count what is left as ours', () => {
    expect([view.isOwn('content'), view.echoes]).toEqual([false, ['content']]);
  });
  test('keeps the name of a field whose whole value is cut out', () => {
    expect(removeEchoes({ pw: 'hello' }, [{ path: ['pw'], rest: '' }])).toEqual({ pw: '' });
  });
});

describe('isOwn of a message view', () => {
  const answer = messageValue({
    content: { x: 1 },
    request: { name: 'a' },
    kind: 'response',
    mode: 'mcp_client',
  });
  const inBody: Value = { body: answer, other: 1 };
  test.each<[title: string, message: Value, path: string, own: boolean, echoes?: readonly Path[]]>([
    ['in an echo', task, 'history[0].text', true, first],
    ['at an echo', task, 'history[0]', true, first],
    ['beside an echo', task, 'history[1].text', false, first],
    ['above an echo', task, 'history', false, first],
    ['in our request', answer, '_request.name', true],
    ['at our request', answer, '_request', true],
    ['in a list of our request', answer, '_request[0]', true],
    ['in a field whose name resembles _request', answer, '_requested', false],
    ['in our request beside the body', inBody, 'body._request.name', true],
    ['in a request of the agent’s own', { _request: { name: 'a' } }, '_request.name', false],
    ['in a body without a request', { body: { x: 1 } }, 'body._request', false],
    ['in a message without a body', { x: 1 }, 'body._request', false],
    ['in a message that is a text', 'text', 'body._request', false],
    ['in a message that is null', null, 'body._request', false],
    ['in the answer to our request', answer, 'x', false],
  ])('says of a path %s ($2) whether it is ours: $3', (_, message, path, own, echoes = []) => {
    const given = echoes.map((path) => ({ path }));
    expect(createMessageView(message, { echoes: given }).isOwn(path)).toBe(own);
    expect(createMessageView(message, { echoes: given, isOurs: true }).isOwn(path)).toBe(true);
  });
});

test('fieldOf returns the path of an echo up to its last key', () => {
  expect([['history', 0], ['a', 'b', 1, 2], ['a'], [], [0]].map(findEchoField)).toEqual([
    ['history'],
    ['a', 'b'],
    ['a'],
    [],
    [],
  ]);
});

test('createMessageView returns the message without its echoes', () => {
  const view = createMessageView(task, { echoes: first.map((path) => ({ path })) });
  expect(view.theirs()).toEqual({ id: 't', history: [{ text: 'theirs' }], note: { text: 'n' } });
  expect(view.theirs()).toBe(view.theirs());
  expect([view.message, view.echoes, view.isOurs]).toEqual([task, ['history[0]'], false]);
  expect([createMessageView(task).echoes, createMessageView(task).theirs()]).toEqual([[], task]);
});

describe('removeEchoes', () => {
  const removePaths = (value: Value, paths: readonly Path[]): Value =>
    removeEchoes(
      value,
      paths.map((path) => ({ path })),
    );

  test.each<[title: string, value: Value, paths: readonly Path[], expected: Value]>([
    ['nothing if there are no paths', task, [], task],
    ['a key', { a: 1, b: 2 }, [['a']], { b: 2 }],
    ['a key in a map within a map', { a: { b: 1, c: 2 } }, [['a', 'b']], { a: { c: 2 } }],
    [
      'two keys of one map',
      { a: { b: 1, c: 2, d: 3 } },
      [
        ['a', 'b'],
        ['a', 'd'],
      ],
      { a: { c: 2 } },
    ],
    ['an item of a list', ['a', 'b'], [[0]], ['b']],
    ['a key of an item', { a: [{ b: 1 }, { b: 2 }] }, [['a', 1, 'b']], { a: [{ b: 1 }, {}] }],
    ['two items of a list', ['a', 'b', 'c'], [[0], [2]], ['b']],
    ['all of a map', { a: 1 }, [[]], {}],
    ['all of a list', ['a'], [[]], []],
    ['all of a text', 'a', [[]], ''],
    ['nothing for a path that does not exist', { a: 'b' }, [['a', 'c']], { a: 'b' }],
    ['a key beside __proto__', JSON.parse('{"__proto__":1,"a":2}'), [['a']], JSON.parse('{"__proto__":1}')],
  ])('removes %s', (_, value, paths, expected) => {
    expect(removePaths(value, paths)).toEqual(expected);
  });

  test('keeps the request beside the answer', () => {
    const answer = messageValue({
      content: { a: 1 },
      request: { n: 1 },
      kind: 'response',
      mode: 'mcp_client',
    });
    expect(readAttachedRequest(removePaths(answer, [['a']]))).toEqual({ n: 1 });
  });

  test('shares the rest of the value with the original', () => {
    const value = { a: { b: 1 }, c: { d: 1 } };
    expect((removePaths(value, [['a', 'b']]) as typeof value).c).toBe(value.c);
  });
});
