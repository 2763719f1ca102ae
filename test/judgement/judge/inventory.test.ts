import { describe, expect, test } from 'vitest';
import type { ListPage } from '../../../src/format/model/binding-views.ts';
import {
  createInventory,
  findMissingThing,
  noteDenial,
  noteDoubt,
  notePage,
} from '../../../src/judgement/judge/inventory.ts';

// Only a list that was read whole, and did not change, shows that the agent lacks something.

type Step = readonly [names: string[], cursor?: string | undefined, next?: string] | 'changed';

const thing = { kinds: ['tool'], name: 'find', label: 'the tool "find"' };

/** Whether the tool "find" is absent, by the pages of the list. */
function isAbsent(steps: readonly Step[], denied = thing): boolean {
  const inventory = createInventory();
  for (const step of steps) {
    if (step === 'changed') noteDoubt(inventory, 'a', 'tool');
    else {
      const [names, cursor, next] = step;
      const page: ListPage = {
        kind: 'tool',
        names,
        ...(cursor !== undefined && { cursor }),
        ...(next !== undefined && { next }),
      };
      notePage(inventory, 'a', page);
    }
  }
  noteDenial(inventory, 'a', ['/x'], denied);
  return findMissingThing(inventory, 'a', '/x') !== undefined;
}

describe('a thing is absent from the list of an agent', () => {
  test.each<[what: string, steps: readonly Step[], expected: boolean]>([
    ['if no list was read', [], false],
    ['if the whole list is empty', [[[]]], true],
    ['if the whole list has others', [[['search', 'Find', 'find2']]], true],
    ['if the list has it', [[['find']]], false],
    ['if the next page was not read', [[['a'], undefined, 'p2']], false],
    [
      'if all pages were read',
      [
        [['a'], undefined, 'p2'],
        [['b'], 'p2', 'p3'],
        [['c'], 'p3'],
      ],
      true,
    ],
    [
      'if the second page has it',
      [
        [['a'], undefined, 'p2'],
        [['find'], 'p2'],
      ],
      false,
    ],
    ['if the last page was read without those before it', [[['c'], 'p3']], false],
    [
      'if a page was left out',
      [
        [['a'], undefined, 'p2'],
        [['c'], 'p3'],
      ],
      false,
    ],
    [
      'if the first page was read again in between',
      [
        [['a'], undefined, 'p2'],
        [['a'], undefined, 'p2'],
        [[], 'p2'],
      ],
      true,
    ],
    ['if two lists are the same', [[['a', 'b']], [['b', 'a']]], true],
    ['if two lists differ', [[['a']], [['b']]], false],
    ['if an unfinished list differs from a whole one', [[['a']], [['b'], undefined, 'p2']], true],
    ['if an unfinished list has it', [[['a']], [['find'], undefined, 'p2']], false],
    ['if the list changed before it was read', ['changed', [['a']]], false],
    ['if the list changed after it was read', [[['a']], 'changed'], false],
    ['if the list is longer than what is kept', [[Array.from({ length: 10_001 }, (_, index) => `t${index}`)]], false],
  ])('%s', (_, steps, expected) => {
    expect(isAbsent(steps)).toBe(expected);
  });

  test('only if every kind that could have it was listed', () => {
    const denied = { kinds: ['tool', 'template'], name: 'file:///a/b', label: 'it' };
    expect(isAbsent([[['file:///a']]], denied)).toBe(false);
    expect(isAbsent([[['file:///a']]], { ...denied, kinds: ['tool'] })).toBe(true);
    expect(isAbsent([[['file:///{path}']]], { ...denied, kinds: ['tool'] })).toBe(false);
    expect(isAbsent([[['http:///{path}']]], { ...denied, kinds: ['tool'] })).toBe(true);
  });
});
