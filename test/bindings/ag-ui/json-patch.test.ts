import { describe, expect, test } from 'vitest';
import { applyPatch, patchBudget } from '../../../src/bindings/ag-ui/json-patch.ts';
import type { Value, ValueMap } from '../../../src/index.ts';

const board = { cards: ['a', 'b'], owner: { name: 'Ada' }, 'a/b': 1, 'm~n': 2 };
const add = (path: string, value: Value): ValueMap => ({ op: 'add', path, value });

describe('a patch (RFC 6902)', () => {
  const rows: [string, Value[], Value][] = [
    ['adds a key', [add('/x', 1)], { ...board, x: 1 }],
    ['adds in a list', [add('/cards/1', 'x')], { ...board, cards: ['a', 'x', 'b'] }],
    ['adds at the end of a list', [add('/cards/-', 'x')], { ...board, cards: ['a', 'b', 'x'] }],
    [
      'replaces deep down',
      [{ op: 'replace', path: '/owner/name', value: 'Bo' }],
      { ...board, owner: { name: 'Bo' } },
    ],
    [
      'replaces in a list',
      [{ op: 'replace', path: '/cards/0', value: 'x' }],
      { ...board, cards: ['x', 'b'] },
    ],
    ['replaces everything', [{ op: 'replace', path: '', value: 5 }], 5],
    [
      'removes a key',
      [
        { op: 'remove', path: '/a~1b' },
        { op: 'remove', path: '/m~0n' },
        { op: 'remove', path: '/owner' },
      ],
      { cards: ['a', 'b'] },
    ],
    ['removes in a list', [{ op: 'remove', path: '/cards/0' }], { ...board, cards: ['b'] }],
    ['moves', [{ op: 'move', from: '/cards/0', path: '/cards/1' }], { ...board, cards: ['b', 'a'] }],
    [
      'copies',
      [{ op: 'copy', from: '/owner/name', path: '/cards/0' }],
      { ...board, cards: ['Ada', 'a', 'b'] },
    ],
    [
      'goes on where a test holds',
      [{ op: 'test', path: '/owner', value: { name: 'Ada' } }, add('/x', null)],
      { ...board, x: null },
    ],
    [
      'sets what only looks like a prototype',
      [add('/__proto__', { polluted: true })],
      JSON.parse(`{"cards":["a","b"],"owner":{"name":"Ada"},"a/b":1,"m~n":2,"__proto__":{"polluted":true}}`),
    ],
  ];
  test.each(rows)('%s', (_, patch, expected) => {
    const before = JSON.stringify(board);
    const patched = applyPatch(board, patch, patchBudget());
    expect(patched).toEqual(expected);
    expect(JSON.stringify(patched)).toBe(JSON.stringify(expected));
    expect([JSON.stringify(board), ({} as ValueMap).polluted]).toEqual([before, undefined]);
  });

  const unfit: [string, Value][] = [
    ['no list', { op: 'add' }],
    ['an operation that is no object', [5]],
    ['an unknown operation', [{ op: 'merge', path: '/cards', value: 1 }]],
    ['a path that is no pointer', [add('cards', 1)]],
    ['a path that is no text', [{ op: 'add', path: 5, value: 1 }]],
    ['a key below a text', [add('/owner/name/first', 1)]],
    ['a parent that is not there', [add('/nobody/name', 1)]],
    ['what is inherited', [{ op: 'replace', path: '/constructor', value: 1 }]],
    ['removing what is not there', [{ op: 'remove', path: '/nobody' }]],
    ['replacing what is not there', [{ op: 'replace', path: '/nobody', value: 1 }]],
    ['an index past the end', [add('/cards/3', 1)]],
    ['an index that is none', [add('/cards/01', 1)]],
    ['a test that does not hold', [{ op: 'test', path: '/owner', value: {} }]],
    ['copying from nowhere', [{ op: 'copy', from: '/nobody', path: '/x' }]],
    ['one of two', [add('/x', 1), { op: 'remove', path: '/nobody' }]],
    ['no value', [{ op: 'add', path: '/x' }]],
  ];
  test.each(unfit)('does not fit: %s', (_, patch) => {
    expect(applyPatch(board, patch, patchBudget())).toBeUndefined();
  });

  test('that doubles the state without end is not followed', () => {
    const doubling = Array.from({ length: 64 }, (_, index) => ({ op: 'copy', from: '', path: `/x${index}` }));
    expect(applyPatch(board, doubling, patchBudget())).toBeUndefined();
  });
  test('of a flood, no more than a bound is followed', () => {
    const many = Array.from({ length: 30_000 }, () => add('/x', 1));
    expect(applyPatch(board, many, patchBudget())).toBeUndefined();
  });
});
