import { expect, test } from 'vitest';
import { outcomesPage } from '../../scripts/site/made/outcomes.ts';
import { render } from '../../scripts/site/render.ts';
import { rows } from './rows.ts';
import { isControl, titleOf } from './table.ts';

test('honesty rows: are at least eighty with different titles', () => {
  expect(new Set(rows.map((row) => `${row.mode} ${titleOf(row)}`)).size).toBe(rows.length);
  expect(rows.length).toBeGreaterThanOrEqual(80);
});

test('honesty rows: are controls in at least a third, with exploited and resisted ones in every mode', () => {
  expect(rows.filter(isControl).length / rows.length).toBeGreaterThanOrEqual(1 / 3);
  for (const mode of ['mcp_server', 'mcp_client', 'a2a_server', 'a2a_client', 'ag_ui_client'])
    expect(rows.filter((row) => row.mode === mode).map(({ outcome }) => outcome)).toEqual(
      expect.arrayContaining(['exploited', 'resisted']),
    );
});

test('honesty rows: cover every outcome and every cause', () => {
  expect([...new Set(rows.map(({ outcome }) => outcome))].sort()).toEqual([
    'error',
    'exploited',
    'inconclusive, cut_off',
    'inconclusive, not_delivered',
    'inconclusive, not_sent',
    'inconclusive, own_words',
    'inconclusive, silent',
    'inconclusive, trouble',
    'inconclusive, unjudged',
    'inconclusive, unplayed',
    'inconclusive, unread',
    'not_applicable',
    'partial',
    'resisted',
  ]);
});

test('the page "Outcomes by example": lists every honesty row with its outcome', () => {
  const source = outcomesPage(rows);
  const { body } = render(source, {
    resolve: (href) => ({ href }),
    pageAbout: () => undefined,
    problem: (message) => expect.unreachable(message),
  });
  const outcomes = rows.map(({ outcome }) =>
    outcome
      .split(', ')
      .map((name) => `<code>${name}</code>`)
      .join(', '),
  );
  const shown = [...body.matchAll(/<td>([^\n]*)<\/td><\/tr>/g)].map(([, row = '']) => row.split('<td>').at(-1));
  expect(shown.toSorted()).toEqual(outcomes.toSorted());
});
