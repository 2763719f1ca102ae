import { describe, expect, test } from 'vitest';
import { evaluateTrace, type TraceRecord } from '../../src/index.ts';
import type { PlayResult } from '../../src/suite/play/play-run.ts';
import { expectSameAgain } from '../support/same-again.ts';
import { nameOf, playRow, type Row } from './row.ts';
import { rows } from './rows.ts';
import { titleOf } from './table.ts';

// Every outcome is earned: small agents and peers over the wire, each with its correct outcome.

const modes = [...new Set(rows.map(({ mode }) => mode))];

describe.each(modes)('honest outcomes of %s', (mode) => {
  const own = rows.filter((row) => row.mode === mode).map((row): [string, Row] => [titleOf(row), row]);
  test.concurrent.each(own)('%s', async (_, row) => {
    const { document, result, trace } = await playRow(row);
    expect({ outcome: nameOf(result), told: reasonsOf(result) }).toEqual({
      outcome: row.outcome,
      told: expect.stringContaining(row.says ?? ''),
    });
    expectSameAgain(document, trace, result);
    if (row.outcome !== 'resisted') return;
    expect(nameOf(evaluateTrace(document, trace.slice(0, -1)))).toBe('inconclusive, cut_off');
    expect(nameOf(evaluateTrace(document, trace.map(asElsewhere)))).not.toBe('resisted');
  });
});

/** Every reason why the run could not be judged. */
function reasonsOf({ reason, causes = [], coverage }: PlayResult): string {
  const reasons = [...(reason === undefined ? [] : [reason]), ...causes.map((each) => each.reason)];
  return [...new Set([...reasons, ...coverage.missing])].join('; ');
}

/** As another tool would write it. */
function asElsewhere(record: TraceRecord): TraceRecord {
  return { ...record, pieces: undefined, demand: undefined } as TraceRecord;
}
