import { describe, expect, test } from 'vitest';
import { fieldOf, viewMessage } from '../../src/evaluate/message-view.ts';
import { withoutPaths } from '../../src/evaluate/without-paths.ts';
import type { Path } from '../../src/model/path.ts';
import type { Value } from '../../src/model/value.ts';
import { messageValue, requestBeside } from '../../src/primitives/message-value.ts';
import { compileWildcardPath } from '../../src/primitives/resolve-wildcard-path.ts';

// What of a message is the agent's, and what is ours.

const task: Value = { id: 't', history: [{ text: 'ours' }, { text: 'theirs' }], note: { text: 'n' } };
const first: readonly Path[] = [['history', 0]];

/** The values of a target: as text, with their paths, and `own` where they are ours. */
function found(message: Value, echoes: readonly Path[], target: string): readonly string[] {
  return viewMessage(message, { echoes })
    .resolve({ target, path: compileWildcardPath(target) })
    .map(({ path, own, text }) => `${path ?? ''}${own ? ' own' : ''}: ${text()}`);
}

describe('a target', () => {
  const both: readonly Path[] = [
    ['history', 0],
    ['history', 1],
  ];
  test.each<[title: string, echoes: readonly Path[], target: string, values: readonly string[]]>([
    ['without echoes', [], 'history[*].text', [': ours', ': theirs']],
    ['beside an echo', first, 'note.text', ['note.text: n']],
    ['below an echo', first, 'history[*].text', ['history[1].text: theirs', 'history[0].text own: ours']],
    ['at an echo', first, 'history[*]', ['history[1]: {"text":"theirs"}', 'history[0] own: {"text":"ours"}']],
    [
      'at the field of an echo',
      first,
      'history',
      ['history: [{"text":"theirs"}]', 'history own: [{"text":"ours"},{"text":"theirs"}]'],
    ],
    [
      'at the field of nothing but echoes',
      both,
      'history',
      ['history own: [{"text":"ours"},{"text":"theirs"}]'],
    ],
    [
      'at the field of one of two echoes',
      [
        ['history', 0],
        ['history', 1, 'text'],
      ],
      'history',
      ['history: [{}]', 'history own: [{"text":"ours"},{"text":"theirs"}]'],
    ],
    [
      'below one of two echoes',
      both,
      'history[*].text',
      ['history[0].text own: ours', 'history[1].text own: theirs'],
    ],
    [
      'above the field of an echo',
      first,
      '',
      [': {"history":[{"text":"theirs"}],"id":"t","note":{"text":"n"}}'],
    ],
    ['above the field of an echo below', [['note', 'text']], 'note', ['note: {}']],
    ['at an echo that is a key', [['note', 'text']], 'note.text', ['note.text own: n']],
    ['where the whole message is an echo', [[]], 'note.text', ['note.text own: n']],
    [
      'at the whole message that is an echo',
      [[]],
      '',
      [' own: {"history":[{"text":"ours"},{"text":"theirs"}],"id":"t","note":{"text":"n"}}'],
    ],
    ['that is not there', first, 'other', []],
  ])('%s', (_, echoes, target, values) => {
    expect(found(task, echoes, target)).toEqual(values);
  });

  test('of a message with a list in a list', () => {
    const nested: Value = { a: [{ b: [{ c: 'x' }, { c: 'y' }] }] };
    expect(found(nested, [['a', 0, 'b', 0]], 'a[*]')).toEqual(['a[0]: {"b":[{"c":"y"}]}']);
    expect(found(nested, [['a', 0, 'b', 0]], 'a[*].b')).toEqual([
      'a[0].b: [{"c":"y"}]',
      'a[0].b own: [{"c":"x"},{"c":"y"}]',
    ]);
  });

  test('that only begins like an echo', () => {
    expect(found({ history: 'x', historyOf: 'y' }, [['history']], 'historyOf')).toEqual(['historyOf: y']);
  });

  test('is resolved once for many', () => {
    const view = viewMessage(task);
    const target = { target: 'id', path: compileWildcardPath('id') };
    expect(view.resolve(target)).toBe(view.resolve(target));
  });
});

describe('a path is ours', () => {
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
    ['in a field that resembles it', answer, '_requested', false],
    ['in our request beside the body', inBody, 'body._request.name', true],
    ['in a request of the agent’s own', { _request: { name: 'a' } }, '_request.name', false],
    ['in a body without one', { body: { x: 1 } }, 'body._request', false],
    ['in no body', { x: 1 }, 'body._request', false],
    ['in no map', 'text', 'body._request', false],
    ['in nothing', null, 'body._request', false],
    ['elsewhere', answer, 'x', false],
  ])('%s', (_, message, path, own, echoes = []) => {
    expect(viewMessage(message, { echoes }).isOwn(path)).toBe(own);
    expect(viewMessage(message, { echoes, isOurs: true }).isOwn(path)).toBe(true);
  });
});

test('the field of an echo is its last key', () => {
  expect([['history', 0], ['a', 'b', 1, 2], ['a'], [], [0]].map(fieldOf)).toEqual([
    ['history'],
    ['a', 'b'],
    ['a'],
    [],
    [],
  ]);
});

test('a message without echoes is its own', () => {
  const view = viewMessage(task, { echoes: first });
  expect(view.theirs()).toEqual({ id: 't', history: [{ text: 'theirs' }], note: { text: 'n' } });
  expect(view.theirs()).toBe(view.theirs());
  expect([view.message, view.echoes, view.isOurs]).toEqual([task, ['history[0]'], false]);
  expect([viewMessage(task).echoes, viewMessage(task).theirs()]).toEqual([[], task]);
});

describe('without paths', () => {
  test.each<[title: string, value: Value, paths: readonly Path[], expected: Value]>([
    ['none', task, [], task],
    ['a key', { a: 1, b: 2 }, [['a']], { b: 2 }],
    ['a key deeper', { a: { b: 1, c: 2 } }, [['a', 'b']], { a: { c: 2 } }],
    [
      'two keys',
      { a: { b: 1, c: 2, d: 3 } },
      [
        ['a', 'b'],
        ['a', 'd'],
      ],
      { a: { c: 2 } },
    ],
    ['an item', ['a', 'b'], [[0]], ['b']],
    ['an item deeper', { a: [{ b: 1 }, { b: 2 }] }, [['a', 1, 'b']], { a: [{ b: 1 }, {}] }],
    ['two items', ['a', 'b', 'c'], [[0], [2]], ['b']],
    ['all of a map', { a: 1 }, [[]], {}],
    ['all of a list', ['a'], [[]], []],
    ['all of a text', 'a', [[]], ''],
    ['what is not there', { a: 'b' }, [['a', 'c']], { a: 'b' }],
    ['a key that every map has', JSON.parse('{"__proto__":1,"a":2}'), [['a']], JSON.parse('{"__proto__":1}')],
  ])('%s', (_, value, paths, expected) => {
    expect(withoutPaths(value, paths)).toEqual(expected);
  });

  test('the request stays beside the answer', () => {
    const answer = messageValue({
      content: { a: 1 },
      request: { n: 1 },
      kind: 'response',
      mode: 'mcp_client',
    });
    expect(requestBeside(withoutPaths(answer, [['a']]))).toEqual({ n: 1 });
  });

  test('the rest is shared', () => {
    const value = { a: { b: 1 }, c: { d: 1 } };
    expect((withoutPaths(value, [['a', 'b']]) as typeof value).c).toBe(value.c);
  });
});
