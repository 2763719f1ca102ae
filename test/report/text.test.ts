import { describe, expect, test } from 'vitest';
import { writeSummary, writeTextReport } from '../../src/report/text-report.ts';
import { compared, context, hostile, nothing, oneEach, repeated, resultsOf } from './some-results.ts';

function sectionsOf(text: string): readonly string[] {
  return text.match(/^\S.*$/gm) ?? [];
}

describe('the text report', () => {
  test.each([
    ['one of each outcome', oneEach, ['Summary', 'Evidence', 'Not judged']],
    ['a baseline', compared, ['Summary', 'Against oatf-baseline.yaml', 'Evidence', 'Not run']],
    ['no runs', nothing, ['No attack was run']],
    ['only resisted attacks', resultsOf([{ outcomes: ['resisted'] }]), ['Summary']],
  ])('has the right sections for %s', (_what, results, sections) => {
    expect(sectionsOf(writeTextReport(results, context))).toEqual(sections);
  });

  test.each(['T-1 A shop  EXPLOITED', 'T-2 A shop  PARTIAL', 'T-3 A shop  RESISTED', 'T-4 A shop  INCONCLUSIVE'])(
    'has the table row %s',
    (row) => {
      expect(writeTextReport(oneEach, context)).toContain(row);
    },
  );

  test('leaves the evidence out of the summary', () => {
    const paint = (text: string): string => text;
    const colours = { bold: paint, dim: paint, red: paint, green: paint, yellow: paint };
    expect(sectionsOf(writeSummary(compared, context, { columns: 80, colours }))).toEqual([
      'Summary',
      'Against oatf-baseline.yaml',
      'Not run',
    ]);
  });

  test('shows the rate of repeats', () => {
    expect(writeTextReport(repeated, context)).toMatch(/FLAKY 2\/3 +FLAKY 1\/4/);
  });

  test('lists changes against a baseline: new, then fixed, then the rest', () => {
    const words = writeTextReport(compared, context).match(/^ {2}(?:NEW|FIXED|UNEXPECTED|MISSING)\b/gm);
    expect(words?.map((word) => word.trim())).toEqual(['NEW', 'FIXED', 'UNEXPECTED', 'MISSING']);
  });

  test.each(hostile)('keeps hostile text from adding control characters or sections: %s', (_what, text) => {
    const results = resultsOf([
      {
        name: text,
        agent: text,
        indicator: text,
        evidence: text,
        match: { path: text },
        outcomes: ['exploited'],
      },
      { name: text, agent: text, reason: text, outcomes: ['error'] },
    ]);
    const report = writeTextReport(results, context);
    expect(report).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]|\p{Cs}/u);
    expect(sectionsOf(report)).toEqual(['Summary', 'Evidence', 'Not judged']);
  });
});
