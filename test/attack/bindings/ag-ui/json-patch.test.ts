import { describe, expect, test } from 'vitest';
import { applyPatch, createPatchBudget } from '../../../../src/attack/bindings/ag-ui/json-patch.ts';
import type { Value, ValueMap } from '../../../../src/index.ts';

const board = { cards: ['a', 'b'], owner: { name: 'Ada' }, 'a/b': 1, 'm~n': 2 };
const add = (path: string, value: Value): ValueMap => ({ op: 'add', path, value });

describe('applyPatch (RFC 6902)', () => {
  const rows: [string, Value[], Value][] = [
    ['adds a key', [add('/x', 1)], { ...board, x: 1 }],
    ['inserts into a list', [add('/cards/1', 'x')], { ...board, cards: ['a', 'x', 'b'] }],
    ['appends to a list', [add('/cards/-', 'x')], { ...board, cards: ['a', 'b', 'x'] }],
    [
      'replaces a nested value',
      [{ op: 'replace', path: '/owner/name', value: 'Bo' }],
      { ...board, owner: { name: 'Bo' } },
    ],
    ['replaces a list item', [{ op: 'replace', path: '/cards/0', value: 'x' }], { ...board, cards: ['x', 'b'] }],
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
    ['removes a list item', [{ op: 'remove', path: '/cards/0' }], { ...board, cards: ['b'] }],
    ['moves a list item', [{ op: 'move', from: '/cards/0', path: '/cards/1' }], { ...board, cards: ['b', 'a'] }],
    ['copies a value', [{ op: 'copy', from: '/owner/name', path: '/cards/0' }], { ...board, cards: ['Ada', 'a', 'b'] }],
    [
      'continues after a test that holds',
      [{ op: 'test', path: '/owner', value: { name: 'Ada' } }, add('/x', null)],
      { ...board, x: null },
    ],
    [
      'sets a key named __proto__ without touching the prototype',
      [add('/__proto__', { polluted: true })],
      JSON.parse(`{"cards":["a","b"],"owner":{"name":"Ada"},"a/b":1,"m~n":2,"__proto__":{"polluted":true}}`),
    ],
  ];
  test.each(rows)('%s', (_, patch, expected) => {
    const before = JSON.stringify(board);
    const patched = applyPatch(board, patch, createPatchBudget());
    expect(patched).toEqual(expected);
    expect(JSON.stringify(patched)).toBe(JSON.stringify(expected));
    expect([JSON.stringify(board), ({} as ValueMap).polluted]).toEqual([before, undefined]);
  });

  const unfit: [string, Value][] = [
    ['a patch that is not a list', { op: 'add' }],
    ['an operation that is not an object', [5]],
    ['an unknown operation', [{ op: 'merge', path: '/cards', value: 1 }]],
    ['a path that is not a pointer', [add('cards', 1)]],
    ['a path that is not a string', [{ op: 'add', path: 5, value: 1 }]],
    ['a key below a string', [add('/owner/name/first', 1)]],
    ['a parent that does not exist', [add('/nobody/name', 1)]],
    ['an inherited property', [{ op: 'replace', path: '/constructor', value: 1 }]],
    ['the removal of a missing key', [{ op: 'remove', path: '/nobody' }]],
    ['the replacement of a missing key', [{ op: 'replace', path: '/nobody', value: 1 }]],
    ['an index past the end', [add('/cards/3', 1)]],
    ['an index with a leading zero', [add('/cards/01', 1)]],
    ['a test that does not hold', [{ op: 'test', path: '/owner', value: {} }]],
    ['a copy from a missing key', [{ op: 'copy', from: '/nobody', path: '/x' }]],
    ['two operations when the second fails', [add('/x', 1), { op: 'remove', path: '/nobody' }]],
    ['an operation without a value', [{ op: 'add', path: '/x' }]],
  ];
  test.each(unfit)('rejects %s', (_, patch) => {
    expect(applyPatch(board, patch, createPatchBudget())).toBeUndefined();
  });

  test('rejects copies that double the state without end', () => {
    const doubling = Array.from({ length: 64 }, (_, index) => ({ op: 'copy', from: '', path: `/x${index}` }));
    expect(applyPatch(board, doubling, createPatchBudget())).toBeUndefined();
  });
  test('rejects 30 000 operations', () => {
    const many = Array.from({ length: 30_000 }, () => add('/x', 1));
    expect(applyPatch(board, many, createPatchBudget())).toBeUndefined();
  });
});
