import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placeTwinsBesideAttacks } from '../../src/suite/plan/pairs.ts';
import { listPlannedAttacks, type PlannedRun } from '../../src/suite/plan/plan.ts';
import { scheduleRuns } from '../../src/suite/schedule.ts';
import type { RunSpacing, ScheduleRules } from '../../src/suite/schedule-step.ts';
import { VirtualClock } from '../support/virtual-run.ts';
import { planPair } from './statistics/pair-runs.ts';

// An attack and its benign twin, repeated while only both together tell what the attack caused.

interface Scene extends RunSpacing {
  /** By repeat: whether it matches in the attack, and in the twin. */
  readonly attack: readonly boolean[];
  readonly twin: readonly boolean[];
  readonly maxRate?: number;
  readonly done?: NonNullable<ScheduleRules['done']>;
  readonly takes?: (task: PlannedRun) => number;
}

/** Plays the pair. Returns the repeats that were played of each, and why it stopped. */
async function playPair({ attack, twin, maxRate = 0, takes = () => 100, ...more }: Scene) {
  const plan = planPair(attack.length, { maxRate });
  const clock = new VirtualClock();
  const played = { attack: [] as number[], twin: [] as number[] };
  const closed: string[] = [];
  let isOver = false;
  const ended = scheduleRuns<string>({
    ...more,
    attacks: placeTwinsBesideAttacks(listPlannedAttacks(plan)),
    repeat: plan.repeat,
    earlyStop: plan.early_stop,
    clock,
    async playRun(task) {
      const isTwin = task.attack.document.twin_of !== undefined;
      played[isTwin ? 'twin' : 'attack'].push(task.repeat);
      await new Promise<void>((wake) => clock.wakeAt(clock.now() + takes(task), wake));
      const isMatch = (isTwin ? twin : attack)[task.repeat - 1] === true;
      return { outcome: isMatch ? 'exploited' : 'resisted', isFault: false, result: '' };
    },
    storeRun: () => {},
    closeAttack: ({ document }) => void closed.push(document.twin_of === undefined ? 'attack' : 'twin'),
  });
  ended.finally(() => {
    isOver = true;
  });
  for (let step = 0; step < 5_000 && !isOver; step++) {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    clock.advance(50);
  }
  return { end: await ended, counts: [played.attack.length, played.twin.length], played, closed };
}

const [yes, no] = [true, false];

describe('with early stopping, an attack and its benign twin', () => {
  test.each<[title: string, scene: Scene, counts: readonly number[]]>([
    [
      'are both repeated to the end if both have a match',
      { attack: [yes, yes, yes, yes], twin: [no, no, yes, no] },
      [4, 4],
    ],
    [
      'are repeated to the end even if only the last run of the twin matches',
      { attack: [yes, no, no, no], twin: [no, no, no, yes] },
      [4, 4],
    ],
    [
      'stop early if the twin is over without a match',
      { attack: [yes, yes, yes, yes], twin: [no, no, no, no] },
      [1, 4],
    ],
    [
      'stop early if the attack is decided without a match',
      { attack: [no, no, no, no], twin: [yes, yes, yes, yes], maxRate: 0.5 },
      [2, 4],
    ],
  ])('%s', async (_title, scene, counts) => {
    expect((await playPair(scene)).counts).toEqual(counts);
  });

  test('play the same repeats whatever runs at the same time, and however long each takes', async () => {
    const matches = fc.array(fc.boolean(), { minLength: 5, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(
        matches,
        matches,
        fc.constantFrom(0, 0.2, 0.5),
        fc.integer({ min: 2, max: 10 }),
        fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 10, maxLength: 10 }),
        async (attack, twin, maxRate, concurrency, times) => {
          const alone = await playPair({ attack, twin, maxRate });
          const takes = ({ attack: { index }, repeat }: PlannedRun) => 50 * (times[index * 5 + repeat - 1] ?? 1);
          const together = await playPair({ attack, twin, maxRate, concurrency, takes });
          expect(together.counts).toEqual(alone.counts);
          expect([...together.closed].sort()).toEqual(['attack', 'twin']);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('play what is missing when the suite is continued, as if it had not been interrupted', async () => {
    const matches = fc.array(fc.boolean(), { minLength: 4, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(matches, matches, fc.nat(8), async (attack, twin, finished) => {
        const whole = await playPair({ attack, twin });
        const first = [
          ...whole.played.attack.map((repeat) => ({ isTwin: false, repeat })),
          ...whole.played.twin.map((repeat) => ({ isTwin: true, repeat })),
        ].slice(0, finished);
        const rest = await playPair({
          attack,
          twin,
          done: ({ document }) =>
            first.flatMap(({ isTwin, repeat }) =>
              isTwin === (document.twin_of !== undefined)
                ? {
                    repeat,
                    outcome: (isTwin ? twin : attack)[repeat - 1] ? ('exploited' as const) : ('resisted' as const),
                  }
                : [],
            ),
        });
        const total = [false, true].map(
          (isTwin, index) => first.filter((each) => each.isTwin === isTwin).length + (rest.counts[index] ?? 0),
        );
        expect(total).toEqual(whole.counts);
      }),
      { numRuns: 60 },
    );
  });
});

describe('isEnough', () => {
  test.each<[title: string, attack: boolean, asked: readonly string[]]>([
    ['is asked about an attack with a match once its twin is over', yes, ['attack 1', 'twin 0', 'twin 0']],
    ['is asked at once about an attack without a match', no, ['attack 0', 'attack 0', 'twin 0', 'attack 0', 'twin 0']],
  ])('%s', async (_title, matches, expected) => {
    const asked: string[] = [];
    await playPair({
      attack: [matches, no],
      twin: [no, no],
      maxRate: 1,
      isEnough: ({ document }, { succeeded }) => {
        asked.push(`${document.twin_of === undefined ? 'attack' : 'twin'} ${succeeded}`);
        return false;
      },
    });
    expect([...asked].sort()).toEqual([...expected].sort());
  });
});
