import { describe, expect, test } from 'vitest';
import {
  createScheduleState,
  type ScheduleEffect,
  type ScheduleEvent,
  type ScheduleRules,
  type ScheduleState,
  stepSchedule,
  type TryResult,
} from '../../src/suite/schedule-step.ts';
import { plannedAttacks } from './plan/planned.ts';

// The step of a schedule alone: no clock, no promise. Each row says what happens when, and what has to be done then.

type Event = ScheduleEvent<string>;
type Moment = readonly [now: number, event: Event];

interface Stepped {
  readonly state: ScheduleState<string>;
  /** The effects of each event, in words. */
  readonly effects: readonly string[];
}

function stepThrough(
  given: Partial<ScheduleRules> & { readonly documents?: number },
  moments: readonly Moment[],
): Stepped {
  const { documents = 2, ...more } = given;
  const rules = { attacks: plannedAttacks(documents, ['a']), repeat: 1, earlyStop: true, ...more };
  let state = createScheduleState<string>(rules, 0);
  const effects: string[] = [];
  for (const [now, event] of moments) {
    const step = stepSchedule(state, event, now, rules);
    state = step.state;
    effects.push(step.effects.map(describeEffect).join(', '));
  }
  return { state, effects };
}

function describeEffect(effect: ScheduleEffect<string>): string {
  switch (effect.kind) {
    case 'play':
      return `play ${effect.run} ${effect.task.attack.document.key}.${effect.task.repeat} try ${effect.attempt}`;
    case 'store':
      return `store ${effect.run} ${effect.result} after ${effect.attempts}`;
    case 'close':
      return `close ${effect.attack.document.key}${effect.run === undefined ? '' : ` for ${effect.run}`}`;
    case 'wake':
      return `wake at ${effect.at}`;
    case 'end':
      return `end ${JSON.stringify(effect.end)}`;
    case 'fail':
      return `fail ${effect.error}`;
  }
}

const begin: Event = { kind: 'begin' };
const tried = (run: number, outcome: TryResult<string>['outcome'] = 'resisted', isFault = false): Event => ({
  kind: 'tried',
  run,
  tried: { outcome, isFault, result: outcome },
});
const stored = (run: number): Event => ({ kind: 'stored', run });
const closed = (run?: number): Event => ({ kind: 'closed', run });

describe('stepSchedule', () => {
  test('begins a run, stores it, closes its attack, and then begins the next', () => {
    const { effects, state } = stepThrough({}, [
      [0, begin],
      [100, tried(1)],
      [100, stored(1)],
      [100, closed(1)],
      [200, tried(2)],
      [200, stored(2)],
      [200, closed(2)],
    ]);
    expect(effects).toEqual([
      'play 1 D1.1 try 1',
      'store 1 resisted after 1',
      'close D1 for 1',
      'play 2 D2.1 try 1',
      'store 2 resisted after 1',
      'close D2 for 2',
      'end {}',
    ]);
    expect(state.stage).toBe('over');
  });

  test('leaves the state that it was given unchanged', () => {
    const rules = { attacks: plannedAttacks(2, ['a']), repeat: 1, earlyStop: true };
    const before = createScheduleState<string>(rules, 0);
    const copy = structuredClone(before);
    stepSchedule(before, begin, 0, rules);
    expect(before).toEqual(copy);
  });

  test('closes attacks that finished earlier before it begins a run', () => {
    const done: ScheduleRules['done'] = ({ document }) =>
      document.key === 'D1' ? [{ repeat: 1, outcome: 'resisted' }] : [];
    expect(
      stepThrough({ done }, [
        [0, begin],
        [5, closed()],
      ]).effects,
    ).toEqual(['close D1', 'play 1 D2.1 try 1']);
  });

  test('waits for the rate of the agent, but not beyond the budget', () => {
    const rules = { concurrency: 2, intervalMs: 500, documents: 3 };
    expect(
      stepThrough(rules, [
        [0, begin],
        [500, { kind: 'woken' }],
      ]).effects,
    ).toEqual(['play 1 D1.1 try 1, wake at 500', 'play 2 D2.1 try 1']);
    expect(
      stepThrough({ ...rules, budgetMs: 300 }, [
        [0, begin],
        [300, { kind: 'woken' }],
        [400, tried(1)],
        [400, stored(1)],
        [400, closed(1)],
        [400, closed()],
        [400, closed()],
      ]).effects,
    ).toEqual([
      'play 1 D1.1 try 1, wake at 300',
      '',
      'store 1 resisted after 1',
      'close D1 for 1',
      'close D2, close D3',
      '',
      'end {"stopped":"budget"}',
    ]);
  });

  test.each<[string, readonly Moment[], readonly string[]]>([
    [
      'pauses before another try',
      [
        [100, tried(1, 'error', true)],
        [1_099, { kind: 'woken' }],
        [1_100, { kind: 'woken' }],
        [1_200, tried(1)],
      ],
      ['wake at 1100', 'wake at 1100', 'play 1 D1.1 try 2', 'store 1 resisted after 2'],
    ],
    [
      'ends the pause when it is interrupted',
      [
        [100, tried(1, 'error', true)],
        [500, { kind: 'interrupted' }],
      ],
      ['wake at 1100', 'store 1 error after 1'],
    ],
    [
      'tries once more at most',
      [
        [100, tried(1, 'error', true)],
        [1_100, { kind: 'woken' }],
        [1_200, tried(1, 'error', true)],
      ],
      ['wake at 1100', 'play 1 D1.1 try 2', 'store 1 error after 2'],
    ],
  ])('%s', (_, moments, expected) => {
    expect(stepThrough({ retries: 1, documents: 1 }, [[0, begin], ...moments]).effects.slice(1)).toEqual(expected);
  });

  test.each<[string, number, number, readonly string[]]>([
    ['to another run', 2, 1, ['play 1 D1.1 try 1, play 2 D2.1 try 1', 'play 3 D3.1 try 1']],
    ['to nobody where one runs at a time', 1, 1, ['play 1 D1.1 try 1', '']],
    ['to nobody when an earlier try speaks', 2, 0, ['play 1 D1.1 try 1, play 2 D2.1 try 1', '']],
  ])('gives the slot of a run that only waits %s', (_, concurrency, attempt, expected) => {
    const waits: Event = { kind: 'waits', run: 1, attempt };
    expect(
      stepThrough({ concurrency, documents: 4 }, [
        [0, begin],
        [50, waits],
      ]).effects,
    ).toEqual(expected);
  });

  test('ignores a run that says again that it waits', () => {
    const waits: Event = { kind: 'waits', run: 1, attempt: 1 };
    const { effects } = stepThrough({ concurrency: 2, documents: 5 }, [
      [0, begin],
      [50, waits],
      [60, waits],
    ]);
    expect(effects[2]).toBe('');
  });

  test('fails with the first error, once nothing runs any more', () => {
    const broken: Event = {
      kind: 'failed',
      error: 'a bug',
      effect: { kind: 'store', run: 1, task: {} as never, result: '', attempts: 1 },
    };
    const { effects } = stepThrough({ concurrency: 2, documents: 3 }, [
      [0, begin],
      [100, tried(1)],
      [100, broken],
      [200, tried(2)],
      [200, stored(2)],
      [200, closed(2)],
    ]);
    expect(effects.slice(1)).toEqual([
      'store 1 resisted after 1',
      '',
      'store 2 resisted after 1',
      'close D2 for 2',
      'fail a bug',
    ]);
  });

  test('names the first run that was not available, and stores none', () => {
    const { effects } = stepThrough({ documents: 1 }, [
      [0, begin],
      [100, tried(1, 'unavailable')],
      [100, closed()],
    ]);
    expect(effects.slice(1)).toEqual(['close D1', 'end {"stopped":"unavailable","unavailable":"unavailable"}']);
  });
});
