import { expect, test } from 'vitest';
import { rows } from './rows.ts';
import { isControl, pageOf, titleOf } from './table.ts';

test('there are at least eighty, each of its own', () => {
  expect(new Set(rows.map((row) => `${row.mode} ${titleOf(row)}`)).size).toBe(rows.length);
  expect(rows.length).toBeGreaterThanOrEqual(80);
});

test('a third are controls, exploited and resisted in every mode', () => {
  expect(rows.filter(isControl).length / rows.length).toBeGreaterThanOrEqual(1 / 3);
  for (const mode of ['mcp_server', 'mcp_client', 'a2a_server', 'a2a_client', 'ag_ui_client'])
    expect(rows.filter((row) => row.mode === mode).map(({ outcome }) => outcome)).toEqual(
      expect.arrayContaining(['exploited', 'resisted']),
    );
});

test('every outcome and every cause is earned by some agent', () => {
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

test('the page of the documentation says the same', async () => {
  await expect(pageOf(rows)).toMatchFileSnapshot('../../docs/outcomes-by-example.md');
});
