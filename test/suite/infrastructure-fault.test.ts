import { expect, test } from 'vitest';
import type { Cause } from '../../src/model/results.ts';
import { isInfrastructureFault } from '../../src/suite/infrastructure-fault.ts';
import type { PlayResult } from '../../src/suite/play.ts';
import { resultOf } from './planned.ts';

const failed: Partial<PlayResult> = {
  end: { reason: 'failed', error: 'no port', diagnostics: [], skipped: [], waiting: {} },
};
const stopped: Partial<PlayResult> = {
  end: { reason: 'stopped', diagnostics: [], skipped: [], waiting: {} },
};
const doorless: Partial<PlayResult> = {
  end: { reason: 'finished', diagnostics: [], skipped: ['caller'], waiting: {} },
};

function inconclusive(cause: Cause): PlayResult['outcome'] {
  return { outcome: 'inconclusive', cause, reason: 'x', causes: [{ cause, reason: 'x' }] };
}

test.each<[string, PlayResult['outcome'], Partial<PlayResult>, boolean]>([
  ['exploited', { outcome: 'exploited' }, {}, false],
  ['partial', { outcome: 'partial' }, {}, false],
  ['resisted', { outcome: 'resisted' }, {}, false],
  ['what does not apply', { outcome: 'not_applicable', reason: 'x' }, {}, false],
  ['nothing delivered', inconclusive('not_delivered'), {}, false],
  ['nothing to judge by', inconclusive('unjudged'), {}, false],
  ['an answer that failed', inconclusive('trouble'), {}, true],
  ['an agent that an actor cannot speak to', inconclusive('trouble'), doorless, false],
  ['a run that failed', { outcome: 'error', reason: 'x' }, failed, true],
  ['a run that its user has ended', { outcome: 'error', reason: 'x' }, stopped, false],
])('%s', (_, outcome, more, expected) => {
  expect(isInfrastructureFault(resultOf(outcome, more))).toBe(expected);
});
