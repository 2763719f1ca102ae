import { describe, expect, test } from 'vitest';
import {
  createHelperTest,
  initialLeftBehind,
  type LeftBehindLook,
  type LeftProcess,
  stepLeftBehind,
} from '../../../../src/agents/adapters/command/left-behind.ts';

// What happens to processes that a program leaves behind, look by look. Time is a number.

const child = (name: string, more: Partial<LeftProcess> = {}): LeftProcess => ({
  pid: 7,
  name,
  isHelper: false,
  sockets: '',
  ...more,
});
const helper = child('gopls', { isHelper: true });

type Look = readonly [now: number, look?: Partial<LeftBehindLook>];

/** The time at which it was over, and what was left then. */
function follow(looks: readonly Look[], deadline = 60_000): readonly [number | undefined, string | undefined] {
  let state = initialLeftBehind;
  for (const [now, look] of looks) {
    const step = stepLeftBehind(state, { processes: [], holdsOutput: false, lastSign: 0, ...look }, now, deadline);
    if (step.isOver) return [now, step.left];
    state = step.state;
  }
  return [undefined, undefined];
}

const alone = { processes: [child('sleep')] };
const quiet = 'the program left "sleep" running after two quiet seconds';

describe('processes that a program left behind', () => {
  test.each<[what: string, looks: readonly Look[], over: number | undefined, left?: string]>([
    ['are over at the second look that finds none', [[0], [5]], 5],
    ['are not over at one look that finds none', [[0, alone], [50], [55, alone], [60]], undefined],
    [
      'are named after two quiet seconds',
      [
        [0, alone],
        [1_999, alone],
        [2_000, alone],
      ],
      2_000,
      quiet,
    ],
    [
      'have two more seconds if the agent did something after 1.9 s',
      [
        [0, alone],
        [1_900, alone],
        [3_899, { ...alone, lastSign: 1_900 }],
        [3_900, { ...alone, lastSign: 1_900 }],
      ],
      3_900,
      quiet,
    ],
    [
      'are not quiet when they open a socket',
      [
        [0, alone],
        [1_900, { processes: [child('sleep', { sockets: 'socket:[1]' })] }],
        [2_100, alone],
        [4_099, alone],
      ],
      undefined,
    ],
    [
      'are not quiet when another process appears',
      [
        [0, alone],
        [1_900, { processes: [child('sleep'), child('cat', { pid: 8 })] }],
        [2_100, alone],
      ],
      undefined,
    ],
    [
      'may be helpers',
      [
        [0, { processes: [helper] }],
        [2_000, { processes: [helper] }],
      ],
      2_000,
    ],
    [
      'may be helpers that poll something',
      [
        [0, { processes: [helper] }],
        [2_000, { processes: [{ ...helper, sockets: 'socket:[2]' }] }],
      ],
      2_000,
    ],
    [
      'may hold the output as helpers',
      [
        [0, { processes: [helper], holdsOutput: true }],
        [2_000, { processes: [helper], holdsOutput: true }],
      ],
      2_000,
    ],
    [
      'are named without the helpers beside them',
      [
        [0, { processes: [helper, ...alone.processes] }],
        [2_000, { processes: [helper, ...alone.processes] }],
      ],
      2_000,
      quiet,
    ],
    [
      'are named when time is over',
      [
        [59_000, alone],
        [60_000, { ...alone, lastSign: 59_999 }],
      ],
      60_000,
      'the program left "sleep" running at work until its time was over',
    ],
    [
      'are named as helpers that are at work when time is over',
      [
        [59_000, { processes: [helper] }],
        [60_000, { processes: [helper], lastSign: 59_999 }],
      ],
      60_000,
      'the program left "gopls" running at work until its time was over',
    ],
    [
      'are reported if only the open output shows them',
      [
        [0, { holdsOutput: true }],
        [2_000, { holdsOutput: true }],
      ],
      2_000,
      'the program left its output open in a process that was not found, after two quiet seconds',
    ],
    [
      'are reported if the system does not name them',
      [
        [0, { processes: 'unnamed' }],
        [2_000, { processes: 'unnamed' }],
      ],
      2_000,
      'the program left processes running, which this system does not name, after two quiet seconds',
    ],
    [
      'are counted if they are many',
      [0, 2_000].map((now) => [now, { processes: ['a', 'b', 'c', 'd', 'e'].map((name) => child(name)) }] as const),
      2_000,
      'the program left "a", "b", "c", 2 more running after two quiet seconds',
    ],
  ])('%s', (_, looks, over, left) => {
    expect(follow(looks)).toEqual([over, left]);
  });

  test.each<[names: string[], isHelper: boolean]>([
    [['gopls', 'gopls', ''], true],
    [['node', 'node', 'tsserver.js'], true],
    [['node', 'node', 'agent.js'], false],
    [['GOPLS', 'gopls2', 'my gopls'], false],
  ])('with the names %j are helpers: %s', (names, isHelper) => {
    expect(createHelperTest(['gopls', 'tsserver.js'], 'http')(names, names)).toBe(isHelper);
  });
});
