import { expect, test } from 'vitest';
import { includedViews } from '../../../src/attack/bindings/included-views.ts';
import type { TraceRecord } from '../../../src/format/model/trace-record.ts';
import { createTraceEvaluator } from '../../../src/judgement/evaluate/trace-evaluator.ts';
import { createJudge } from '../../../src/judgement/judge/judge-run.ts';
import { findRefusal } from '../../../src/judgement/judge/run-outcome.ts';
import { documentWith } from '../../support/records.ts';

// Whether the errors of a run may all be refusals.

const client = { actor: 'default', protocol: 'mcp', mode: 'mcp_client', phase: 'ask', method: 'tools/call' };
const document = documentWith({
  execution: {
    mode: 'mcp_client',
    phases: [{ name: 'ask', state: { actions: [{ method: 'tools/call', params: { name: 'find' } }] } }],
  },
  indicators: [{ surface: 'tools/call', target: 'content', pattern: { contains: 'secret' } }],
});

/** One request for each answer, which is an error with this code. */
function refusalIn(codes: readonly number[]): string | undefined {
  const messages = codes.flatMap((code, id) => [
    {
      ...client,
      kind: 'request',
      origin: 'attacker',
      id,
      content: {},
      pieces: ['/phases/0/state/actions/0'],
    },
    { ...client, kind: 'response', origin: 'agent', id, failed: true, content: { code, message: 'no' } },
  ]);
  const records = [
    { kind: 'phase', actor: 'default', phase: 'ask' },
    ...messages,
    { kind: 'end', reason: 'idle', demand: 'payload', skipped: [] },
  ].map((fields, seq) => ({ seq, timestamp: '2026-01-01T00:00:00.000Z', ...fields }) as TraceRecord);
  const judge = createJudge(document, includedViews, { marks: [], refusalOf: findRefusal });
  const evaluator = createTraceEvaluator({ document }, includedViews, { cel: null });
  for (const record of records) {
    judge.add(record);
    evaluator.add(record);
  }
  return judge.conclude(evaluator.finish()).refusal;
}

test.each([
  ['finds one in an error whose code may be a refusal', [-32000], true],
  ['finds none in an error whose code is a failure', [-32603], false],
  ['finds one in many errors that may be refusals', Array.from({ length: 60 }, () => -32000), true],
  [
    'finds none if a failure follows many errors that may be refusals',
    [...Array.from({ length: 60 }, () => -32000), -32603],
    false,
  ],
])('refusalOf %s', (_, codes, isRefusal) => {
  expect(refusalIn(codes) !== undefined).toBe(isRefusal);
});
