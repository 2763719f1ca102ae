import { describe, expect, test } from 'vitest';
import { defaultRunLimits } from '../../../src/attack/engine/run-end.ts';
import {
  describeEnd,
  initialRunState,
  isKnownTraffic,
  type RunEffect,
  type RunRules,
  type RunScene,
  type RunState,
  type RunStepEvent,
  stepRun,
} from '../../../src/attack/engine/run-step.ts';

// The step of a whole run alone: time is a number that each event brings along.

const limits = { ...defaultRunLimits, sessionMs: 60_000, terminalMs: 500_000 };
const rules: RunRules = {
  limits,
  graceMs: undefined,
  servers: new Map([['shop', ['lure', 'strike']]]),
  hasClients: false,
};
/** An agent that is connected and has one session. */
const scene: RunScene = {
  lastTraffic: 0,
  isReceiving: false,
  areClientsDone: true,
  terminalSince: undefined,
  isAgentSettled: false,
  leftServers: [],
  openSessions: 1,
  isConnected: true,
};
const came: RunStepEvent = { kind: 'traffic', actor: 'shop', phase: 'lure', isAgent: true };
const look = (more: Partial<RunScene> = {}): RunStepEvent => ({
  kind: 'woken',
  scene: { ...scene, ...more },
});
const stop: RunStepEvent = { kind: 'end', reason: 'stopped' };
type Moment = readonly [now: number, event: RunStepEvent];

function stepThrough(moments: readonly Moment[], more: Partial<RunRules> = {}) {
  let state = initialRunState;
  const effects: (readonly RunEffect[])[] = [];
  for (const [now, event] of moments) {
    const step = stepRun(state, event, now, { ...rules, ...more });
    state = step.state;
    effects.push(step.effects);
  }
  return { state, effects, last: effects.at(-1) };
}

describe('stepRun', () => {
  test('looks at the run when the first traffic comes, and not before', () => {
    expect(stepThrough([[5, look()]]).last).toEqual([]);
    expect(stepThrough([[10, came]]).last).toEqual([{ kind: 'wake', at: 10 }]);
    expect(
      stepThrough([
        [10, came],
        [20, { kind: 'traffic', actor: 'shop', isAgent: true }],
      ]).last,
    ).toEqual([]);
  });

  test('looks again every 250 ms, or sooner if the run may end sooner', () => {
    expect(
      stepThrough([
        [0, came],
        [0, look()],
      ]).last,
    ).toEqual([{ kind: 'wake', at: 250 }]);
    expect(
      stepThrough([
        [0, came],
        [59_900, look()],
      ]).last,
    ).toEqual([{ kind: 'wake', at: 60_000 }]);
  });

  test.each<[string, readonly Moment[], Partial<RunRules>, string]>([
    [
      'at the session limit',
      [
        [0, came],
        [60_000, look()],
      ],
      {},
      'session_limit',
    ],
    [
      'when the agent has left',
      [
        [0, came],
        [2_000, look({ openSessions: 0 })],
      ],
      {},
      'idle',
    ],
    [
      'when the caller stops it',
      [
        [0, came],
        [5, stop],
      ],
      {},
      'stopped',
    ],
    ['before any traffic', [[5, stop]], {}, 'stopped'],
    [
      'when its clients are done and the agent has left its server',
      [
        [0, came],
        [9, look({ leftServers: ['shop'] })],
      ],
      { hasClients: true },
      'finished',
    ],
  ])('closes the run %s', (_, moments, more, reason) => {
    const { last, state } = stepThrough(moments, more);
    expect(last).toEqual([{ kind: 'close', reason }]);
    expect(describeEnd(state, {}, ['left']).reason).toBe(reason);
  });

  test('does not close a run while a message comes in, and counts the quiet from its end', () => {
    const moments: Moment[] = [
      [0, came],
      [5_000, look({ openSessions: 0, isReceiving: true })],
      [6_999, look({ openSessions: 0 })],
    ];
    expect(stepThrough(moments).last).toEqual([{ kind: 'wake', at: 7_000 }]);
    expect(stepThrough([...moments, [7_000, look({ openSessions: 0 })]]).last).toEqual([
      { kind: 'close', reason: 'idle' },
    ]);
  });

  test('says once that the run only waits', () => {
    const waiting: Moment[] = [
      [0, { kind: 'clients_begin' }],
      [100, look()],
    ];
    const more = { hasClients: true };
    expect(stepThrough(waiting, more).last).toEqual([{ kind: 'tell_waiting' }, { kind: 'wake', at: 350 }]);
    expect(stepThrough([...waiting, [350, look()]], more).last).toEqual([{ kind: 'wake', at: 600 }]);
  });

  test('gives the agent the grace period after a limit', () => {
    const moments: Moment[] = [
      [0, came],
      [60_000, look()],
    ];
    const more = { graceMs: 3_000 };
    expect(stepThrough(moments, more).last).toEqual([{ kind: 'wake', at: 63_000 }]);
    expect(stepThrough([...moments, [61_000, { kind: 'moved' }]], more).last).toEqual([]);
    expect(stepThrough([...moments, [63_000, look()]], more).last).toEqual([
      { kind: 'close', reason: 'session_limit' },
    ]);
  });

  test('ends the grace period when the run is stopped, and keeps the reason', () => {
    const { last, state } = stepThrough(
      [
        [0, came],
        [60_000, look()],
        [61_000, stop],
      ],
      { graceMs: 3_000 },
    );
    expect(last).toEqual([{ kind: 'close', reason: 'session_limit' }]);
    expect(state.stage).toBe('closing');
  });

  test('closes a run once; an error while it closes makes it a failed one', () => {
    const { effects, state } = stepThrough([
      [0, came],
      [1, stop],
      [2, { kind: 'end', reason: 'failed', error: 'broken' }],
      [3, { kind: 'end', reason: 'failed', error: 'broken again' }],
      [4, { kind: 'moved' }],
    ]);
    expect(effects.slice(2)).toEqual([[], [], []]);
    expect(describeEnd(state, {}, [])).toEqual({
      reason: 'failed',
      error: 'broken',
      waiting: {},
      diagnostics: [],
      skipped: [],
    });
  });

  test('keeps the trouble of an agent that could not be launched', () => {
    const { state, last } = stepThrough([[0, { kind: 'not_launched', trouble: 'it is not there' }]]);
    expect(last).toEqual([{ kind: 'close', reason: 'failed' }]);
    expect(describeEnd(state, {}, [])).toMatchObject({ reason: 'failed', trouble: 'it is not there' });
  });

  test('warns of the phases that an agent has missed, once', () => {
    const late: RunStepEvent = { kind: 'traffic', actor: 'shop', phase: 'strike', isAgent: true };
    const { state } = stepThrough([
      [0, late],
      [1, late],
    ]);
    expect(state.diagnostics.map(({ code, message }) => [code, message.slice(0, 22)])).toEqual([
      ['O-114', 'phase "lure" of "shop"'],
    ]);
  });

  test('keeps each warning once, and 200 at most', () => {
    const warnings = Array.from({ length: 300 }, (_, index): Moment => {
      const message = `warning ${Math.floor(index / 2)}`;
      return [0, { kind: 'warning', diagnostic: { severity: 'warning', code: 'O-1', message } }];
    });
    expect(stepThrough(warnings).state.diagnostics).toHaveLength(150);
    const others = warnings.map(
      (_, index): Moment => [
        0,
        { kind: 'warning', diagnostic: { severity: 'warning', code: 'O-2', message: `${index}` } },
      ],
    );
    expect(stepThrough([...warnings, ...others]).state.diagnostics).toHaveLength(200);
  });
});

describe('isKnownTraffic', () => {
  const known = stepRun(initialRunState, came, 0, rules).state;
  const odd = stepRun(initialRunState, { ...came, isAgent: false }, 0, rules).state;
  test.each<[string, RunState, string | undefined, boolean]>([
    ['the first traffic of a run', initialRunState, undefined, false],
    ['traffic to an actor that nobody has visited', known, 'bank', true],
    ['an agent that comes after odd bytes', odd, 'shop', true],
  ])('is false for %s', (_, state, actor, isAgent) => {
    expect(isKnownTraffic(state, actor, isAgent)).toBe(false);
  });
  test.each<[string, RunState, string | undefined, boolean]>([
    ['traffic from a known agent to a visited actor', known, 'shop', true],
    ['traffic from a known agent to no actor', known, undefined, true],
    ['odd bytes that come after odd bytes', odd, 'shop', false],
  ])('is true for %s', (_, state, actor, isAgent) => {
    expect(isKnownTraffic(state, actor, isAgent)).toBe(true);
  });
});
