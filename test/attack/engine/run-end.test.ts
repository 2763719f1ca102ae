import { describe, expect, test } from 'vitest';
import { cutOffBy, decideRunEnd, defaultRunLimits, type RunEndFacts } from '../../../src/attack/engine/run-end.ts';

/** An agent that has left: its session has ended and it has no connection. */
const facts: RunEndFacts = {
  limits: { ...defaultRunLimits, sessionMs: 1_000_000, terminalMs: 500_000 },
  graceMs: undefined,
  firstTraffic: 1_000,
  lastTraffic: 5_000,
  hadAgent: true,
  terminalSince: undefined,
  clientsDoneSince: 'none',
  isSettled: true,
  openSessions: 0,
  isConnected: false,
};
const open = { openSessions: 1 };

test('defaultRunLimits holds the documented limits of a run', () => {
  expect(defaultRunLimits).toEqual({
    sessionMs: 120_000,
    terminalMs: 300_000,
    askMs: 30_000,
    records: 250_000,
    traceBytes: 268_435_456,
    generatedBytes: 4_294_967_296,
  });
});

describe('decideRunEnd', () => {
  const rows: [string, Partial<RunEndFacts>, ReturnType<typeof decideRunEnd>][] = [
    ['two seconds after the last session', {}, ['idle', 7_000]],
    ['two seconds after the last session, though somebody is connected', { isConnected: true }, ['idle', 7_000]],
    ['a grace period after the last session', { graceMs: 40_000 }, ['idle', 45_000]],
    ['at once after the last session with a grace period of zero', { graceMs: 0 }, ['idle', 5_000]],
    ['after half a minute without a connection', open, ['idle', 35_000]],
    [
      'half a minute without a connection despite a shorter grace period',
      { ...open, graceMs: 10_000 },
      ['idle', 35_000],
    ],
    ['a longer grace period without a connection', { ...open, graceMs: 40_000 }, ['idle', 45_000]],
    ['while a session has a connection', { ...open, isConnected: true }, ['session_limit', 1_001_000]],
    ['when only unreadable bytes came', { hadAgent: false }, ['session_limit', 1_001_000]],
    ['when only unreadable bytes came in a session', { ...open, hadAgent: false }, ['session_limit', 1_001_000]],
    ['when the clients are done', { clientsDoneSince: 8_000 }, ['finished', 8_000]],
    [
      'two quiet seconds after the clients are done, where the agent may still act',
      { clientsDoneSince: 8_000, isSettled: false },
      ['finished', 10_000],
    ],
    [
      'two seconds after the last traffic, where the agent may still act',
      { clientsDoneSince: 8_000, isSettled: false, lastTraffic: 9_000 },
      ['finished', 11_000],
    ],
    [
      'a grace period after the clients are done, though the agent may still act',
      { clientsDoneSince: 8_000, isSettled: false, graceMs: 500 },
      ['finished', 8_500],
    ],
    ['a grace period after the clients are done', { clientsDoneSince: 8_000, graceMs: 40_000 }, ['finished', 48_000]],
    ['while a client is at work', { clientsDoneSince: undefined }, ['session_limit', 1_001_000]],
    [
      'when terminal phases have been served long enough',
      { ...open, isConnected: true, terminalSince: 20_000 },
      ['terminal_limit', 520_000],
    ],
    [
      'when terminal phases have been served long enough since the first traffic',
      { ...open, isConnected: true, terminalSince: 0 },
      ['terminal_limit', 501_000],
    ],
    [
      'at the session limit, where that is sooner',
      { clientsDoneSince: 2_000_000, terminalSince: 900_000 },
      ['session_limit', 1_001_000],
    ],
  ];
  test.each(rows)('decides the end of a run %s: $2', (_, some, expected) => {
    expect(decideRunEnd({ ...facts, ...some })).toEqual(expected);
  });
});

test.each([
  ['session_limit', '1000 s were over'],
  ['terminal_limit', '500 s were over'],
  ['flood', 'more than the 250000 messages'],
  ['stopped', 'the run ended before'],
] as const)('cutOffBy explains an answer that is cut off by %s', (reason, expected) => {
  expect(cutOffBy(reason, facts.limits)).toContain(expected);
});
