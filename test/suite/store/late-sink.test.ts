import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OutcomeName, RunEntry } from '../../../src/format/model/results-file.ts';
import type { TraceRecord } from '../../../src/format/model/trace-record.ts';
import { createRedactor, type Redacted } from '../../../src/secrets/redactor.ts';
import { listPlannedAttacks, type PlannedRun } from '../../../src/suite/plan/plan.ts';
import { ResultsFolder } from '../../../src/suite/store/results-folder.ts';
import type { SuiteSink } from '../../../src/suite/store/run-sink.ts';
import { createLateSink } from '../../../src/suite/store/run-sink.ts';
import { createStoredRun } from '../../../src/suite/store/stored-run.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { message, phase } from '../../support/records.ts';
import { planFor, resultOf, textOf } from '../plan/planned.ts';

// A folder that is made only when there is something to store.

const plan = planFor({ ids: ['A-001'] });
const [attack] = listPlannedAttacks(plan);
const task = { attack, repeat: 1 } as PlannedRun;
const storeAll = createRedactor({ shapes: false });
const own = (record: TraceRecord): Redacted<TraceRecord> => storeAll.record(record);
const finished = '2026-01-01T01:00:00.000Z';

/** A sink that is opened by the first message; `isRefused`: its folder cannot be made. */
function late({ isRefused = false } = {}) {
  const path = join(freshFolder(), 'results');
  let opened = 0;
  const open = (): SuiteSink | undefined => {
    opened += 1;
    return isRefused ? undefined : ResultsFolder.begin(path, plan, [textOf('A-001')]);
  };
  const sink = createLateSink(open, ({ kind }) => kind !== 'phase')(plan, [textOf('A-001')]);
  return { sink, path, opened: () => opened };
}

const entryOf = (outcome: OutcomeName): Redacted<RunEntry> =>
  storeAll.entry(createStoredRun(plan, task, resultOf({ outcome } as never)));
const linesOf = (path: string | undefined): number =>
  readFileSync(path ?? '', 'utf8')
    .split('\n')
    .filter(Boolean).length;

describe('createLateSink', () => {
  test('has no entries, traces or files before it is opened', async () => {
    const { sink, opened } = late();
    sink.recorded?.(own(phase('a', 'p')));
    expect([sink.entries, sink.runsOf(task.attack), sink.traceFile?.(task), opened()]).toEqual([[], [], undefined, 0]);
    sink.add(entryOf('resisted'));
    await sink.discard();
    await expect(sink.finish({ finished })).rejects.toThrow('nothing was stored');
  });

  test('is opened once by the first record that begins a run, and then stores runs', async () => {
    const { sink, path, opened } = late();
    for (let count = 0; count < 3; count++) sink.recorded?.(own(message({})));
    expect([opened(), sink.traceFile?.(task)]).toEqual([1, join(path, 'traces/A-001.a.jsonl')]);
    expect(sink.takes?.(task, 'resisted')).toBe(true);
    sink.add(entryOf('resisted'));
    expect([sink.entries.length, sink.runsOf(task.attack).length]).toEqual([1, 1]);
    expect((await sink.finish({ finished })).statistics.runs).toBe(1);
  });

  // An attack may succeed before any record began the run.
  test.each<[OutcomeName, boolean]>([
    ['exploited', true],
    ['partial', true],
    ['resisted', false],
    ['inconclusive', false],
    ['error', false],
  ])('takes a run that ended as %s before it was opened: %s', (outcome, isTaken) => {
    const { sink, opened } = late();
    sink.recorded?.(own(phase('a', 'p')));
    sink.recorded?.(own(phase('a', 'q')));
    expect([sink.takes?.(task, outcome), opened()]).toEqual([isTaken, isTaken ? 1 : 0]);
    if (isTaken) expect(linesOf(sink.traceFile?.(task))).toBe(2);
  });

  test('does not write a trace that is being written already', () => {
    const { sink, path, opened } = late();
    sink.recorded?.(own(message({})));
    expect([sink.takes?.(task, 'exploited'), opened()]).toEqual([true, 1]);
    expect(() => linesOf(join(path, 'traces/A-001.a.jsonl'))).toThrow('ENOENT');
  });

  test('asks only once for a folder that is refused, and stores nothing', () => {
    const { sink, opened } = late({ isRefused: true });
    for (let count = 0; count < 2; count++) sink.recorded?.(own(message({})));
    expect([sink.takes?.(task, 'exploited'), opened()]).toEqual([false, 1]);
    const other = late({ isRefused: true });
    expect([other.sink.takes?.(task, 'exploited'), other.opened()]).toEqual([false, 1]);
  });
});
