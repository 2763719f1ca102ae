import { describe, expect, test } from 'vitest';
import { commentLimit, summaryLimit, writeMarkdown, writeMarkdownReport } from '../../src/report/markdown-report.ts';
import { compared, context, hostile, nothing, oneEach, repeated, resultsOf } from './some-results.ts';

/** Lines outside of fences; a fence is closed by a line of at least as many marks and nothing else. */
function proseOf(markdown: string): readonly string[] {
  let fence = '';
  const prose: string[] = [];
  for (const line of markdown.split('\n')) {
    const [, ticks = '', rest = ''] = /^ {0,3}(`{3,})(.*)$/.exec(line) ?? [];
    if (fence === '' && ticks !== '') fence = ticks;
    else if (fence !== '' && ticks.length >= fence.length && rest.trim() === '') fence = '';
    else if (fence === '') prose.push(line);
  }
  if (fence !== '') throw new Error('a fence is left open');
  return prose;
}

function rowsOf(markdown: string): readonly (readonly string[])[] {
  return proseOf(markdown).flatMap((line) =>
    line.startsWith('|')
      ? [
          line
            .split('|')
            .slice(1, -1)
            .map((cell) => cell.trim()),
        ]
      : [],
  );
}

const ours = /<\/?(?:details|summary|b|br|code)>/g;

describe('the Markdown report', () => {
  test('has the most severe attacks first', () => {
    const [, , ...rows] = rowsOf(writeMarkdownReport(oneEach, context));
    expect(rows.map(([title = '']) => title.slice(0, 3))).toEqual(['T-1', 'T-2', 'T-5', 'T-4', 'T-3']);
  });

  test('has attacks as rows, agents as columns, and rates in the cells', () => {
    expect(rowsOf(writeMarkdownReport(repeated, context))).toEqual([
      ['attack', 'severity', 'a', 'b'],
      ['---', '---', '---', '---'],
      ['T-1 A shop', 'high', expect.stringContaining('2/3'), expect.stringContaining('1/4')],
    ]);
  });

  test('lists changes against a baseline: new, then fixed, then the rest', () => {
    const rows = rowsOf(writeMarkdownReport(compared, context)).slice(2, 6);
    expect(rows.map(([change, title = '', , expected, found]) => [change, title.slice(0, 3), expected, found])).toEqual(
      [
        ['**new**', 'T-2', 'resisted', 'exploited'],
        ['fixed', 'T-3', 'exploited', 'resisted'],
        ['unexpected', 'T-4', '', 'resisted'],
        ['**missing**', 'T-9', '', 'not run'],
      ],
    );
  });

  test.each([
    ['1 of', compared],
    ['2 of', oneEach],
    ['No attack', nothing],
    ['1 attack resisted', resultsOf([{ outcomes: ['resisted'] }])],
    ['1 of 1 attack could not', resultsOf([{ outcomes: ['inconclusive'] }])],
    ['Nothing beyond', resultsOf([{ outcomes: ['exploited', 'resisted'], maxRate: 0.5 }])],
    [
      '1 attack resisted, but',
      resultsOf([{ outcomes: ['resisted'] }], {
        not_run: [{ document: 'T-2', agent: 'a', runs: 1, reason: 'interrupted' }],
      }),
    ],
  ])('begins its headline with "%s"', (begin, results) => {
    expect(writeMarkdownReport(results, context)).toMatch(new RegExp(`^## ${begin}`));
  });

  test.each(hostile)('keeps hostile text from becoming markup: %s', (_what, text) => {
    const names = {
      name: text,
      indicator: text,
      evidence: text,
      match: { path: text },
      reason: text,
      severity: text,
    };
    const results = resultsOf(
      [
        { ...names, agent: text, outcomes: ['exploited'] },
        { ...names, id: 'T-2', agent: text, outcomes: ['inconclusive'] },
      ],
      {
        baseline: {
          file: text,
          attacks: [{ document: 'T-2', agent: text, change: 'unexpected', expected: text, found: text }],
          missing: [{ document: text, agent: text }],
        },
      },
    );
    const markdown = writeMarkdownReport(results, {
      ...context,
      indicators: () => [{ id: text, description: text }],
    });
    const prose = proseOf(markdown);
    const tags = prose.join('\n').match(ours) ?? [];
    expect(prose.join('\n').replaceAll(ours, '')).not.toMatch(/[<>]|&(?!#\d+;)/);
    expect(tags.filter((tag) => tag === '<details>')).toHaveLength(tags.filter((tag) => tag === '</details>').length);
    // Two tables, each as wide as its head.
    expect(rowsOf(markdown).map((row) => row.length)).toEqual([5, 5, 5, 5, 3, 3, 3, 3]);
    expect(prose.join('\n')).not.toMatch(/@\w|#\d+\b(?!;)|:\/\/|www\.|\]\(|!\[/);
    expect(markdown).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]|\p{Cs}/u);
  });

  const many = resultsOf(
    Array.from({ length: 3_000 }, (_, index) => ({
      id: `T-${index}`,
      name: '|'.repeat(100),
      outcomes: [index % 2 === 0 ? 'exploited' : 'inconclusive'] as const,
      evidence: '`é'.repeat(400),
    })),
  );

  test.each([
    ['a comment', commentLimit, 65_536],
    ['a step summary', summaryLimit, 1_048_576],
    ['a very small limit', 3_000, 3_000],
  ])('fits into %s, and says how much is left out', (_what, limit, most) => {
    const markdown = writeMarkdown(many, context, limit);
    expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(most);
    expect(Buffer.byteLength(markdown)).toBeGreaterThan(most * 0.5);
    expect(markdown).toMatch(/There is no room here for \d+ of 3000 attacks, \d+ of 1500 pieces of evidence/);
    proseOf(markdown);
  });

  test('leaves nothing out if there is room', () => {
    expect(writeMarkdownReport(oneEach, context)).not.toContain('no room');
  });
});
