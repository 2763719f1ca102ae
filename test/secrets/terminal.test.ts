import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import type { Sink } from '../../src/cli/io.ts';
import { formatAttackReason } from '../../src/cli/run/view/attack-view.ts';
import { createDescriber } from '../../src/cli/trace/describe-record.ts';
import type { EvaluationReport } from '../../src/cli/verdict/verdict-text.ts';
import { formatJudgement, formatJudgementLine } from '../../src/cli/verdict/verdict-text.ts';
import { load } from '../../src/format/load.ts';
import { selectRedactor } from '../../src/secrets/redactor.ts';
import { textOf } from '../suite/plan/planned.ts';
import { key } from './texts-in.ts';

const sink: Sink = {
  isTTY: false,
  columns: 200,
  colours: picocolors.createColors(false),
  write: async () => {},
  isOpen: () => true,
};
const look = (showSecrets: boolean) => ({ sink, redactor: selectRedactor(showSecrets) });

const loaded = load(textOf('A-001'));
if (!loaded.ok) throw new Error('A-001 is not valid');
const judgement: EvaluationReport = {
  document: loaded.document,
  file: '',
  trace: '',
  verdict: {
    result: 'exploited',
    indicatorVerdicts: [{ indicatorId: 'A-001-01', result: 'matched', evidence: `it said ${key}` }],
    evaluationSummary: { matched: 1, notMatched: 0, error: 0, skipped: 0 },
  } as unknown as EvaluationReport['verdict'],
  delivery: {},
  coverage: { delivered: 0, of: 0, inferred: true, missing: [], pieces: [] },
  demand: 'payload',
  outcome: 'exploited',
  task: 'not_done',
  task_reason: `T1: it says ${key}`,
  task_checks: [{ indicator_id: 'A-001-T1', result: 'not_matched' }],
  disclosure: 'disclosed',
  disclosure_details: { decided_by: 'rule', rule: 'warning', sentence: `The page says ${key}` },
  records: 1,
  skippedLines: 0,
};
const unmatched: EvaluationReport['verdict'] = { ...judgement.verdict, indicatorVerdicts: [] };
const failed: EvaluationReport = {
  ...judgement,
  outcome: 'error',
  reason: `it answered 401: ${key}`,
};
const message = {
  seq: 1,
  timestamp: '',
  actor: 'shop',
  kind: 'request',
  method: 'm',
  fromAgent: true,
  content: { note: key },
} as const;

test.each<[string, (options: ReturnType<typeof look>) => string]>([
  ['evidence', (options) => formatJudgement(judgement, options)],
  ['evidence in one line', (options) => formatAttackReason(judgement, options)],
  ['the reason why a task was not done', (options) => formatJudgement({ ...judgement, verdict: unmatched }, options)],
  ['the reason of an error', (options) => formatJudgement(failed, options)],
  ['the reason of an error in one line', (options) => formatJudgementLine(failed, options)],
  ['the reason of an error beside a progress line', (options) => formatAttackReason(failed, options)],
  ['a message', (options) => createDescriber({ ...options, full: false }).message(message)],
  ['a message in full', (options) => createDescriber({ ...options, full: true }).message(message)],
  [
    'a method',
    (options) => createDescriber({ ...options, full: false }).message({ ...message, content: 1, method: key }),
  ],
])('the terminal shows %s without its secrets, unless they are asked for', (_what, shown) => {
  expect(shown(look(false))).not.toContain(key);
  expect(shown(look(true))).toContain(key);
});
