import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { OutcomeName } from '../../src/format/model/results-file.ts';
import type { PlannedAttack, PlannedRun } from '../../src/suite/plan/plan.ts';
import { type Schedule, scheduleRuns } from '../../src/suite/schedule.ts';
import type { ScheduleEnd, TryResult } from '../../src/suite/schedule-step.ts';
import { VirtualClock } from '../support/virtual-run.ts';
import { plannedAttacks } from './plan/planned.ts';

interface Scene {
  readonly documents?: number;
  readonly agents?: readonly string[];
  readonly repeat?: number;
  readonly maxRate?: number;
  /** How long a run takes. */
  readonly takes?: (task: PlannedRun) => number;
  /** From when on it only waits; it says so twice. */
  readonly waitsAfter?: number;
  readonly outcome?: (task: PlannedRun, attempt: number) => OutcomeName | 'unavailable' | 'fault' | 'absent';
  readonly options?: Partial<Schedule<string>>;
  readonly during?: (clock: VirtualClock, started: readonly string[]) => void;
}

interface Played {
  readonly end: ScheduleEnd<string>;
  /** `document.agent.repeat@time`. */
  readonly started: readonly string[];
  readonly finished: readonly string[];
  readonly closed: readonly string[];
  /** Ends of runs, and attacks that are closed, in their order. */
  readonly log: readonly string[];
  readonly most: number;
}

const name = ({ document, agent }: PlannedAttack) => `${document.key}.${agent.name}`;

async function play(scene: Scene): Promise<Played> {
  const { documents = 1, agents = ['a'], repeat = 1, takes = () => 100, outcome = () => 'resisted' } = scene;
  const clock = new VirtualClock();
  const started: string[] = [];
  const finished: string[] = [];
  const closed: string[] = [];
  const log: string[] = [];
  let running = 0;
  let most = 0;
  let isOver = false;
  const ended = scheduleRuns<string>({
    attacks: plannedAttacks(documents, agents, scene.maxRate),
    repeat,
    concurrency: 1,
    earlyStop: true,
    clock,
    async playRun(task, attempt, makeRoom): Promise<TryResult<string>> {
      started.push(`${name(task.attack)}.${task.repeat}@${clock.now()}`);
      most = Math.max(most, ++running);
      if (scene.waitsAfter !== undefined)
        for (const after of [scene.waitsAfter, scene.waitsAfter + 50]) clock.wakeAt(clock.now() + after, makeRoom);
      await new Promise<void>((wake) => clock.wakeAt(clock.now() + takes(task), wake));
      running -= 1;
      const came = outcome(task, attempt);
      return {
        outcome: came === 'fault' ? 'error' : came === 'absent' ? 'inconclusive' : came,
        ...(came === 'absent' && { absence: 'nothing listens there' }),
        isFault: came === 'fault' || came === 'unavailable',
        result: came === 'unavailable' ? name(task.attack) : came,
      };
    },
    storeRun: ({ attack, repeat: each }, result, attempts) => {
      finished.push(`${name(attack)}.${each} ${result}${attempts > 1 ? ` after ${attempts}` : ''}`);
      log.push(`${name(attack)}.${each}`);
    },
    closeAttack: (attack) => {
      closed.push(name(attack));
      log.push(`${name(attack)} closed`);
    },
    ...scene.options,
  });
  const over = () => {
    isOver = true;
  };
  ended.then(over, over);
  for (let step = 0; step < 5_000 && !isOver; step++) {
    // Everything that is due runs before time goes on.
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    scene.during?.(clock, started);
    clock.advance(50);
  }
  return { end: await ended, started, finished, closed, log, most };
}

describe('scheduleRuns', () => {
  test('runs document by document, agent by agent, repeat by repeat', async () => {
    const { started, end, closed } = await play({ documents: 2, agents: ['a', 'b'], repeat: 2 });
    expect(started.map((each) => each.split('@')[0])).toEqual([
      'D1.a.1',
      'D1.a.2',
      'D1.b.1',
      'D1.b.2',
      'D2.a.1',
      'D2.a.2',
      'D2.b.1',
      'D2.b.2',
    ]);
    expect(closed).toEqual(['D1.a', 'D1.b', 'D2.a', 'D2.b']);
    expect(end).toEqual({});
  });

  test.each([
    [1, 1, 800],
    [3, 3, 300],
    [8, 8, 100],
    [20, 8, 100],
  ])('with 8 runs and %i at a time has %i running at most, and takes %i ms', async (concurrency, most, lasts) => {
    const played = await play({ documents: 4, repeat: 2, options: { concurrency } });
    const last = Math.max(...played.started.map((each) => Number(each.split('@')[1])));
    expect([played.most, last + 100, played.finished.length]).toEqual([most, lasts, 8]);
  });

  test.each([
    ['lets the next run begin while a run only waits', 4, 8, 50],
    ['keeps a waiting run in its place if one runs at a time', 1, 1, 7 * 2_050],
  ])('%s', async (_, concurrency, most, lastBegins) => {
    const played = await play({
      documents: 8,
      takes: () => 2_050,
      waitsAfter: 50,
      options: { concurrency },
    });
    const last = Math.max(...played.started.map((each) => Number(each.split('@')[1])));
    expect([played.most, last, played.finished.length]).toEqual([most, lastBegins, 8]);
  });

  test('lets at most 128 runs wait at a time', async () => {
    const { most } = await play({
      documents: 200,
      takes: () => 10_000,
      waitsAfter: 50,
      options: { concurrency: 4 },
    });
    expect(most).toBe(132);
  });

  test.each<[concurrency: number, log: string]>([
    [1, 'D1.a.1 D1.a.2 D1.a closed D2.a.1 D2.a.2 D2.a closed'],
    // The second repeat of D1 takes less time than the first.
    [2, 'D1.a.2 D1.a.1 D1.a closed D2.a.1 D2.a.2 D2.a closed'],
  ])('at %i at a time closes an attack when no run of it follows: %s', async (concurrency, log) => {
    const played = await play({
      documents: 2,
      repeat: 2,
      takes: ({ repeat }) => (repeat === 1 ? 300 : 100),
      options: { concurrency },
    });
    expect(played.log.join(' ')).toBe(log);
  });

  test('does not repeat runs that finished before', async () => {
    const { started, closed } = await play({
      documents: 2,
      repeat: 3,
      options: {
        done: ({ document }) =>
          document.key === 'D1'
            ? [1, 2, 3].map((repeat) => ({ repeat, outcome: 'resisted' as const }))
            : [{ repeat: 2, outcome: 'resisted' }],
      },
    });
    expect(started.map((each) => each.split('@')[0])).toEqual(['D2.a.1', 'D2.a.3']);
    expect(closed).toEqual(['D1.a', 'D2.a']);
  });

  test('throws what a run throws once all others have ended', async () => {
    const broken = play({
      documents: 3,
      options: { concurrency: 2, storeRun: () => Promise.reject(new Error('a bug')) },
    });
    await expect(broken).rejects.toThrow('a bug');
  });

  test('throws the first of two errors', async () => {
    const broken = play({
      documents: 2,
      takes: ({ attack }) => (attack.document.key === 'D1' ? 200 : 100),
      options: {
        concurrency: 2,
        storeRun: ({ attack }) => Promise.reject(new Error(`a bug of ${attack.document.key}`)),
      },
    });
    await expect(broken).rejects.toThrow('a bug of D2');
  });
});

describe('the rate of scheduleRuns', () => {
  test('is kept for each agent separately', async () => {
    const { started } = await play({
      documents: 3,
      agents: ['a', 'b'],
      options: { concurrency: 8, intervalMs: 500 },
    });
    expect(started).toEqual(['D1.a.1@0', 'D1.b.1@0', 'D2.a.1@500', 'D2.b.1@500', 'D3.a.1@1000', 'D3.b.1@1000']);
  });

  test('counts each try as a visit', async () => {
    const { started } = await play({
      documents: 2,
      outcome: ({ attack }, attempt) => (attack.document.key === 'D1' && attempt === 1 ? 'fault' : 'resisted'),
      options: { intervalMs: 1_500, retries: 1 },
    });
    // The try after the pause of a second has to wait until 1500, the next run until 3000.
    expect(started).toEqual(['D1.a.1@0', 'D1.a.1@1500', 'D2.a.1@3000']);
  });
});

describe('retries of scheduleRuns', () => {
  test.each([
    ['fault', 0, 1],
    ['fault', 2, 3],
    ['error', 2, 1],
    ['inconclusive', 2, 1],
    ['exploited', 2, 1],
    ['resisted', 2, 1],
  ] as const)('play a run that ends as %s, with %i retries allowed, %i times', async (outcome, retries, tries) => {
    const { started, finished } = await play({ outcome: () => outcome, options: { retries } });
    expect([started.length, finished.length]).toEqual([tries, 1]);
  });

  test('wait longer each time, and end with the first that succeeds', async () => {
    const { started, finished } = await play({
      outcome: (_, attempt) => (attempt < 4 ? 'fault' : 'resisted'),
      options: { retries: 5 },
    });
    expect(started).toEqual(['D1.a.1@0', 'D1.a.1@1100', 'D1.a.1@3200', 'D1.a.1@7300']);
    expect(finished).toEqual(['D1.a.1 resisted after 4']);
  });

  test('wait at most 30 s', async () => {
    const { started } = await play({
      outcome: (_, attempt) => (attempt < 9 ? 'fault' : 'resisted'),
      options: { retries: 9 },
      takes: () => 50,
    });
    const times = started.map((each) => Number(each.split('@')[1]));
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0) - 50);
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  });

  test('name the first of several runs that cannot be played', async () => {
    const { end, closed } = await play({
      documents: 3,
      outcome: () => 'unavailable',
      takes: ({ attack }) => (attack.document.key === 'D1' ? 200 : 100),
      options: { concurrency: 2 },
    });
    expect(end).toEqual({ stopped: 'unavailable', unavailable: 'D2.a' });
    expect(closed).toEqual(['D1.a', 'D2.a', 'D3.a']);
  });

  test('end the suite at a run that cannot be played', async () => {
    const { end, started, finished } = await play({
      documents: 3,
      outcome: ({ attack }) => (attack.document.key === 'D2' ? 'unavailable' : 'resisted'),
      options: { retries: 1 },
    });
    expect(end).toEqual({ stopped: 'unavailable', unavailable: 'D2.a' });
    expect([started.length, finished]).toEqual([3, ['D1.a.1 resisted']]);
  });
});

describe('scheduleRuns ends early', () => {
  test('when the budget is spent, but finishes runs that have begun', async () => {
    const { end, finished } = await play({ documents: 10, options: { budgetMs: 250, concurrency: 2 } });
    expect([end.stopped, finished.length]).toEqual(['budget', 6]);
  });

  test('when the budget is spent while it waits for the rate', async () => {
    const { end, started } = await play({ documents: 3, options: { budgetMs: 700, intervalMs: 500 } });
    expect([end.stopped, started]).toEqual(['budget', ['D1.a.1@0', 'D2.a.1@500']]);
  });

  test('not if the budget was enough', async () => {
    expect((await play({ documents: 2, options: { budgetMs: 1_000 } })).end).toEqual({});
  });

  test('at the first success if that is enough', async () => {
    const { end, finished } = await play({
      documents: 5,
      outcome: ({ attack }) => (attack.document.key === 'D2' ? 'exploited' : 'resisted'),
      options: { isEnough: (_, { succeeded }) => succeeded > 0 },
    });
    expect([end.stopped, finished]).toEqual(['fail_fast', ['D1.a.1 resisted', 'D2.a.1 exploited']]);
  });

  test('if it was interrupted before it began', async () => {
    const controller = new AbortController();
    controller.abort();
    const { end, started, closed } = await play({ documents: 2, options: { signal: controller.signal } });
    expect([end, started, closed]).toEqual([{ stopped: 'interrupted' }, [], ['D1.a', 'D2.a']]);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  test('if it is interrupted while it waits for the rate', async () => {
    const controller = new AbortController();
    const { end, started } = await play({
      documents: 2,
      options: { signal: controller.signal, intervalMs: 5_000 },
      during: (clock) => {
        if (clock.now() === 1_000) controller.abort();
      },
    });
    expect([end, started]).toEqual([{ stopped: 'interrupted' }, ['D1.a.1@0']]);
  });

  test('not if the interruption comes when everything has run', async () => {
    const controller = new AbortController();
    const { end } = await play({
      options: { signal: controller.signal },
      during: (clock) => {
        if (clock.now() === 50) controller.abort();
      },
    });
    expect(end).toEqual({});
  });

  test('if it is interrupted in the pause before a retry', async () => {
    const controller = new AbortController();
    const { end, finished } = await play({
      documents: 3,
      outcome: () => 'fault',
      options: { retries: 9, signal: controller.signal },
      during: (clock) => {
        if (clock.now() === 150) controller.abort();
      },
    });
    expect([end.stopped, finished]).toEqual(['interrupted', ['D1.a.1 fault']]);
  });
});

describe('early stopping in scheduleRuns', () => {
  type Outcome = (task: PlannedRun) => OutcomeName;
  const everyFifth: Outcome = ({ repeat }) => (repeat % 5 === 0 ? 'exploited' : 'resisted');

  test.each<[string, number | undefined, Outcome, number]>([
    ['never succeeds', 0.2, () => 'resisted', 16],
    ['always succeeds', 0.2, () => 'exploited', 5],
    ['always succeeds', 0, () => 'exploited', 1],
    ['never succeeds', 0, () => 'resisted', 20],
    ['succeeds every fifth time', 0.1, everyFifth, 15],
    ['succeeds every fifth time', 0.5, everyFifth, 12],
    ['always succeeds', undefined, () => 'exploited', 20],
  ])(
    'of an attack that %s, with the rate %s accepted, leaves out runs that decide nothing',
    async (_, maxRate, outcome, runs) => {
      for (const concurrency of [1, 3, 8, 40]) {
        const { finished, end } = await play({
          repeat: 20,
          outcome,
          ...(maxRate !== undefined && { maxRate }),
          takes: ({ repeat }) => 100 + ((repeat * 37) % 5) * 50,
          options: { concurrency },
        });
        const repeats = finished.map((each) => Number(each.split('.')[2]?.split(' ')[0])).sort((a, b) => a - b);
        expect([repeats, end]).toEqual([Array.from({ length: runs }, (_, index) => index + 1), {}]);
      }
    },
  );

  test('comes at once if earlier runs decide it', async () => {
    const { started, closed } = await play({
      repeat: 5,
      maxRate: 0,
      options: { done: () => [{ repeat: 1, outcome: 'exploited' }] },
    });
    expect([started, closed]).toEqual([[], ['D1.a']]);
  });

  test('can be turned off', async () => {
    const { finished } = await play({
      repeat: 5,
      maxRate: 0,
      outcome: () => 'exploited',
      options: { earlyStop: false },
    });
    expect(finished.length).toBe(5);
  });
});

describe('an absent agent in scheduleRuns', () => {
  test('is given up after three absences in a row, and other agents go on', async () => {
    const { end, finished, closed } = await play({
      documents: 5,
      agents: ['a', 'b'],
      outcome: ({ attack }) => (attack.agent.name === 'a' ? 'absent' : 'resisted'),
    });
    expect(finished.filter((run) => run.includes('.a.'))).toEqual(['D1.a.1 absent', 'D2.a.1 absent', 'D3.a.1 absent']);
    expect(finished.filter((run) => run.includes('.b.'))).toHaveLength(5);
    expect(end).toEqual({ absent: new Map([['a', 'nothing listens there']]) });
    expect([...closed].sort()).toEqual(['D1', 'D2', 'D3', 'D4', 'D5'].flatMap((d) => [`${d}.a`, `${d}.b`]));
  });

  test('has its attacks closed when none of their runs goes on', async () => {
    const { log, end } = await play({
      documents: 5,
      outcome: () => 'absent',
      takes: ({ attack }) => Number(attack.document.key.slice(1)) * 100,
      options: { concurrency: 4 },
    });
    expect(log.join(' ')).toBe(
      'D1.a.1 D1.a closed D2.a.1 D2.a closed D3.a.1 D3.a closed D4.a.1 D4.a closed D5.a.1 D5.a closed',
    );
    expect(end.absent?.size).toBe(1);
  });

  test('is not tried again once it is given up', async () => {
    const { started } = await play({
      documents: 4,
      outcome: () => 'absent',
      options: { concurrency: 1, retries: 1 },
    });
    expect(started).toHaveLength(3);
  });

  // The words are the outcomes of the runs, in order.
  test.each<[came: string, runs: number]>([
    ['absent absent resisted absent absent inconclusive absent absent exploited', 9],
    ['absent absent absent resisted resisted', 3],
    // Runs that do not apply, or that failed because of us, decide nothing.
    ['absent not_applicable absent fault absent resisted', 5],
    ['resisted absent absent absent', 4],
  ])('whose runs end as "%s" is left after %i runs', async (came, runs) => {
    const words = came.split(' ');
    const { finished } = await play({
      documents: words.length,
      outcome: ({ attack }) => words[Number(attack.document.key.slice(1)) - 1] as OutcomeName,
    });
    expect(finished).toHaveLength(runs);
  });
});
