import { describe, expect, test } from 'vitest';
import type { RunEnd } from '../../../src/attack/engine/run-end.ts';
import {
  initialPlayState,
  type PlayEffect,
  type PlayEvent,
  type PlayState,
  stepPlay,
} from '../../../src/suite/play/play-step.ts';

// What happens around a run, and how it ends then: decided without a run.

const finished: RunEnd = { reason: 'finished', waiting: {}, diagnostics: [], skipped: [] };
const failed: RunEnd = { ...finished, reason: 'failed', error: 'a bug' };
const begun: PlayEvent = { kind: 'begun', isReachable: true };
const interrupted: PlayEvent = { kind: 'interrupted' };
const full: PlayEvent = { kind: 'trace_full' };
const broken: PlayEvent = { kind: 'trace_failed', reason: 'the disk is full' };
const ended = (end = finished): PlayEvent => ({ kind: 'ended', end });
const left: PlayEvent = { kind: 'agent_left', agent: { trouble: 'its program ended with code 1' } };
const drained: PlayEvent = { kind: 'drained' };
const flushed: PlayEvent = { kind: 'flushed' };

function stepThrough(...events: readonly PlayEvent[]): {
  readonly state: PlayState;
  readonly effects: readonly PlayEffect[];
} {
  let state = initialPlayState;
  const effects: PlayEffect[] = [];
  for (const event of events) {
    const step = stepPlay(state, event);
    state = step.state;
    effects.push(...step.effects);
  }
  return { state, effects };
}

describe('stepPlay, on what happens around a run', () => {
  test.each<[string, readonly PlayEvent[], readonly string[]]>([
    ['is not stopped when it can be reached', [begun], []],
    ['is finished at once when no agent can reach it', [{ kind: 'begun', isReachable: false }], ['finished']],
    ['is stopped when it is interrupted', [begun, interrupted], ['stopped']],
    ['is stopped as soon as it has begun', [interrupted, begun], ['stopped']],
    ['keeps the first reason until it has begun', [full, interrupted, begun], ['flood']],
    ['is stopped once for all records without room', [begun, full, full], ['flood']],
    ['is stopped when its trace cannot be written', [begun, broken], ['stopped']],
    ['is not stopped because its caller threw', [begun, { kind: 'caller_threw', thrown: 1 }], []],
  ])('%s', (_, events, reasons) => {
    const { effects } = stepThrough(...events);
    expect(effects).toEqual(reasons.map((reason) => ({ kind: 'stop_run', reason })));
  });

  test.each<[string, readonly PlayEvent[], string, observed: boolean]>([
    ['ends as it says', [ended()], 'finished', true],
    ['ends as a flood when records were dropped', [full, ended()], 'flood', true],
    ['stays failed when records were dropped', [full, ended(failed)], 'failed', false],
    ['is stopped when its trace was not written', [ended(), broken], 'stopped', false],
    ['stays failed when its trace was not written', [ended(failed), broken], 'failed', false],
    ['is not observed when it was stopped', [ended({ ...finished, reason: 'stopped' })], 'stopped', false],
  ])('%s', (_, events, reason, isObserved) => {
    const { state, effects } = stepThrough(begun, ...events, left, drained, flushed);
    const kinds = effects.map(({ kind }) => kind).filter((kind) => kind !== 'stop_run');
    expect(state.end?.reason).toBe(reason);
    expect(kinds.at(-1)).toBe('record_end');
    if (isObserved) expect(kinds).toEqual(['record_observation', 'record_end']);
  });

  test('records the end with the fault of a trace that fails at the very end', () => {
    const { effects, state } = stepThrough(begun, ended(), left, drained, broken, flushed);
    expect(effects.at(-1)).toEqual({
      kind: 'record_end',
      end: { ...finished, reason: 'stopped' },
      agent: state.agent,
      traceFault: 'the disk is full',
    });
  });

  test('records nothing of a run that has never ended', () => {
    expect(stepThrough(left, drained, flushed).effects).toEqual([]);
  });

  test('keeps the first fault of a trace, and what the caller threw', () => {
    const { state } = stepThrough(
      begun,
      broken,
      { kind: 'trace_failed', reason: 'again' },
      {
        kind: 'caller_threw',
        thrown: 'mine',
      },
    );
    expect([state.traceFault, state.callersFault]).toEqual(['the disk is full', { thrown: 'mine' }]);
  });

  test('remembers that the agent was spoken to', () => {
    expect(stepThrough({ kind: 'spoken' }).state.isSpokenTo).toBe(true);
  });
});
