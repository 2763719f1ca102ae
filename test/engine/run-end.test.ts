import { describe, expect, test } from 'vitest';
import { cutOffBy, defaultRunLimits, endOfRun, type RunFacts } from '../../src/engine/run-end.ts';

/** An agent that has left: its session has ended and it has no connection. */
const facts: RunFacts = {
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

test('the limits of a run where nothing else is said', () => {
  expect(defaultRunLimits).toEqual({
    sessionMs: 120_000,
    terminalMs: 300_000,
    askMs: 30_000,
    records: 250_000,
    traceBytes: 268_435_456,
    generatedBytes: 4_294_967_296,
  });
});

describe('why and when a run ends', () => {
  const rows: [string, Partial<RunFacts>, ReturnType<typeof endOfRun>][] = [
    ['two seconds after the last session', {}, ['idle', 7_000]],
    ['… though somebody is connected', { isConnected: true }, ['idle', 7_000]],
    ['… a grace period instead', { graceMs: 40_000 }, ['idle', 45_000]],
    ['… also one of nothing', { graceMs: 0 }, ['idle', 5_000]],
    ['half a minute without a connection', open, ['idle', 35_000]],
    ['… which a shorter grace period does not shorten', { ...open, graceMs: 10_000 }, ['idle', 35_000]],
    ['… and a longer one extends', { ...open, graceMs: 40_000 }, ['idle', 45_000]],
    ['not while somebody is connected', { ...open, isConnected: true }, ['session_limit', 1_001_000]],
    ['garbage alone is no agent', { hadAgent: false }, ['session_limit', 1_001_000]],
    ['… nor with a session', { ...open, hadAgent: false }, ['session_limit', 1_001_000]],
    ['when the clients are done', { clientsDoneSince: 8_000 }, ['finished', 8_000]],
    [
      '… after two quiet seconds, where the agent may still act',
      { clientsDoneSince: 8_000, isSettled: false },
      ['finished', 10_000],
    ],
    [
      '… counted from what it did last',
      { clientsDoneSince: 8_000, isSettled: false, lastTraffic: 9_000 },
      ['finished', 11_000],
    ],
    [
      '… a grace period later, settled or not',
      { clientsDoneSince: 8_000, isSettled: false, graceMs: 500 },
      ['finished', 8_500],
    ],
    ['… a grace period later', { clientsDoneSince: 8_000, graceMs: 40_000 }, ['finished', 48_000]],
    ['not while a client is at work', { clientsDoneSince: undefined }, ['session_limit', 1_001_000]],
    [
      'when terminal phases have been served long enough',
      { ...open, isConnected: true, terminalSince: 20_000 },
      ['terminal_limit', 520_000],
    ],
    [
      '… counted from the first traffic, where they began before it',
      { ...open, isConnected: true, terminalSince: 0 },
      ['terminal_limit', 501_000],
    ],
    [
      'the session limit, where that is sooner',
      { clientsDoneSince: 2_000_000, terminalSince: 900_000 },
      ['session_limit', 1_001_000],
    ],
  ];
  test.each(rows)('%s', (_, some, expected) => {
    expect(endOfRun({ ...facts, ...some })).toEqual(expected);
  });
});

test.each([
  ['session_limit', '1000 s were over'],
  ['terminal_limit', '500 s were over'],
  ['flood', 'more than the 250000 messages'],
  ['stopped', 'the run ended before'],
] as const)('an answer that is cut off by %s says so', (reason, expected) => {
  expect(cutOffBy(reason, facts.limits)).toContain(expected);
});
