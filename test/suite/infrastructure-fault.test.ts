import { expect, test } from 'vitest';
import { isInfrastructureFault } from '../../src/suite/infrastructure-fault.ts';
import type { PlayResult } from '../../src/suite/play.ts';
import { resultOf } from './planned.ts';

const actor = {
  mode: 'mcp_server',
  reached: false,
  delivered: false,
  engaged: false,
  served: 0,
  phases: [],
  phasesEntered: [],
  phasesSeen: [],
};
const there = { delivery: { default: actor } };
const troubled = { delivery: { default: { ...actor, trouble: 'it broke off' } } };
const failed: Partial<PlayResult> = {
  end: { reason: 'failed', error: 'no port', diagnostics: [], skipped: [] },
};
const stopped: Partial<PlayResult> = { end: { reason: 'stopped', diagnostics: [], skipped: [] } };
const doorless: Partial<PlayResult> = {
  end: { reason: 'finished', diagnostics: [], skipped: ['caller'] },
};
const unjudged: Partial<PlayResult> = {
  verdict: {
    result: 'error',
    indicatorVerdicts: [],
    evaluationSummary: { matched: 0, notMatched: 0, error: 1, skipped: 0 },
  },
};

test.each<[string, PlayResult['outcome']['outcome'], Partial<PlayResult>, boolean]>([
  ['a verdict', 'exploited', troubled, false],
  ['a verdict', 'partial', troubled, false],
  ['a verdict', 'resisted', there, false],
  ['nothing delivered', 'inconclusive', there, false],
  ['an answer that broke off', 'inconclusive', troubled, true],
  ['an agent that an actor cannot speak to', 'inconclusive', { ...troubled, ...doorless }, false],
  ['a run that failed', 'error', failed, true],
  ['an agent that never came', 'error', there, true],
  ['an expression that cannot be evaluated', 'error', { ...there, ...unjudged }, false],
  ['no actor that could be played', 'error', {}, false],
  ['a run that its user has ended', 'error', { ...there, ...stopped }, false],
])('%s, %s', (_, outcome, more, expected) => {
  const came = outcome === 'inconclusive' || outcome === 'error' ? { outcome, reason: 'x' } : { outcome };
  expect(isInfrastructureFault(resultOf(came, more))).toBe(expected);
});
