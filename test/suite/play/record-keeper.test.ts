import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { includedViews } from '../../../src/attack/bindings/included-views.ts';
import { evaluateTrace, type TraceRecord } from '../../../src/index.ts';
import { trackDisclosure } from '../../../src/judgement/disclosure/track-disclosure.ts';
import { createRedactor } from '../../../src/secrets/redactor.ts';
import { judgeTrace } from '../../../src/suite/play/judge-trace.ts';
import { createRecordKeeper } from '../../../src/suite/play/record-keeper.ts';
import { attackedDocument, interleave, sessionsArbitrary } from '../../support/sessions-arbitrary.ts';

// Records are judged in slices, between the answers to peers. Where a slice ends depends on the speed of the machine, so it
// must not matter. The clock moves only while a record is handled.

let now = 0;

beforeEach(() => {
  now = 0;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'Date'] });
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** What happens after a record was handed over, and how long each record takes. */
const paces = fc.record({
  after: fc.array(fc.constantFrom('nothing', 'a turn', 'a pause', 'a drain'), { minLength: 1, maxLength: 12 }),
  costs: fc.array(fc.constantFrom(0, 0.02, 0.2), { minLength: 1, maxLength: 6 }),
});

test('any split of a trace into slices gives the judgement of the whole trace, and the same stored records', async () => {
  const sessions = fc.tuple(sessionsArbitrary(true), fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 20 }));
  let slices = 0;
  await fc.assert(
    fc.asyncProperty(sessions, paces, async ([all, choices], { after, costs }) => {
      const records = interleave(all, choices);
      const judge = await judgeTrace(attackedDocument, {});
      const kept: TraceRecord[] = [];
      const keeper = createRecordKeeper({
        views: includedViews,
        redactor: createRedactor({ shapes: false }),
        traceBytes: Number.POSITIVE_INFINITY,
        judge: async () => judge,
        kept(record) {
          now += costs[kept.length % costs.length] ?? 0;
          kept.push(record);
        },
        dropped: () => expect.unreachable('no record may be dropped'),
        failed: (reason) => expect.unreachable(reason),
      });
      for (const [index, record] of records.entries()) {
        keeper.add(record);
        const before = kept.length;
        const pause = after[index % after.length];
        if (pause === 'a turn') await vi.advanceTimersByTimeAsync(1);
        if (pause === 'a pause') await vi.advanceTimersByTimeAsync(5);
        if (pause === 'a drain') await keeper.drain();
        if (kept.length > before) slices += 1;
      }
      await keeper.drain();
      expect(kept).toEqual(records);
      vi.setSystemTime(0);
      expect(await judge.finish()).toEqual(evaluateTrace(attackedDocument, records, { trackDisclosure }));
    }),
    { seed: 34, numRuns: 100 },
  );
  expect(slices).toBeGreaterThan(500);
});
