import { expect, test } from 'vitest';
import type { Cause, RunOutcome } from '../../../src/format/model/results-file.ts';
import { isInfrastructureFault } from '../../../src/suite/play/infrastructure-fault.ts';
import type { PlayResult } from '../../../src/suite/play/play-run.ts';
import { resultOf } from '../plan/planned.ts';

const failed: Partial<PlayResult> = {
  end: { reason: 'failed', error: 'no port', diagnostics: [], skipped: [], waiting: {} },
};
const stopped: Partial<PlayResult> = {
  end: { reason: 'stopped', diagnostics: [], skipped: [], waiting: {} },
};
const doorless: Partial<PlayResult> = {
  end: { reason: 'finished', diagnostics: [], skipped: ['caller'], waiting: {} },
};

function inconclusive(cause: Cause): RunOutcome {
  return { outcome: 'inconclusive', cause, reason: 'x', causes: [{ cause, reason: 'x' }] };
}

test.each<[string, RunOutcome, Partial<PlayResult>, boolean]>([
  ['no exploited run', { outcome: 'exploited' }, {}, false],
  ['no partial run', { outcome: 'partial' }, {}, false],
  ['no resisted run', { outcome: 'resisted' }, {}, false],
  ['no run that does not apply', { outcome: 'not_applicable', reason: 'x' }, {}, false],
  ['no run in which nothing was delivered', inconclusive('not_delivered'), {}, false],
  ['no run that had nothing to judge by', inconclusive('unjudged'), {}, false],
  ['a run whose agent failed to answer', inconclusive('trouble'), {}, true],
  ['no run in which an actor has no interface to speak to', inconclusive('trouble'), doorless, false],
  ['a run that ended in an error of ours', { outcome: 'error', reason: 'x' }, failed, true],
  ['no run that its user stopped', { outcome: 'error', reason: 'x' }, stopped, false],
])('isInfrastructureFault retries %s', (_, outcome, more, expected) => {
  expect(isInfrastructureFault(resultOf(outcome, more))).toBe(expected);
});
