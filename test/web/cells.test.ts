import { describe, expect, test } from 'vitest';
import type { OutcomeName } from '../../src/format/model/results-file.ts';
import type { PageAttack, PageIndex } from '../../src/report/html/page-data.ts';
import { cellOutcomes, gridOf } from '../../web/src/cells.ts';
import { rowsOf } from '../../web/src/results.ts';

/** Results of one document on one agent for each list of outcomes. */
function indexOf(
  documents: readonly (readonly (readonly OutcomeName[])[])[],
  more: Partial<PageIndex> = {},
): PageIndex {
  const agents = documents[0] ?? [];
  return {
    ...{ tool: 'oatf', started: '', finished: '', masked: true },
    ...{ notRun: [], skipped: [], attacks: [], unproven: [], raised: [], demands: [] },
    agents: agents.map((_, agent) => ({ name: `agent ${agent}`, kind: 'command' })),
    documents: documents.map((_, number) => ({
      name: `document ${number}`,
      protocols: [],
      tags: [],
      source: false,
    })),
    runs: documents.flatMap((byAgent, document) =>
      byAgent.flatMap((outcomes, agent) =>
        outcomes.map((outcome, index) => ({ document, agent, repeat: index + 1, outcome, ms: 1 })),
      ),
    ),
    ...more,
  };
}

const gridFor = (index: PageIndex) => gridOf(index, rowsOf(index));
const notRun = (runs: number): PageAttack => ({ document: 0, agent: 0, notRun: runs });

describe('a cell of the grid', () => {
  test.each<[outcomes: OutcomeName[], missing: number, says: string]>([
    [['resisted', 'resisted'], 0, 'resisted 2/2'],
    [['resisted', 'exploited', 'exploited'], 0, 'exploited 2/3'],
    [['partial', 'exploited'], 0, 'exploited 1/2'],
    [['resisted', 'partial'], 0, 'partial 1/2'],
    [['resisted', 'inconclusive'], 0, 'inconclusive 1/2'],
    [['resisted', 'error'], 0, 'error 1/2'],
    [['resisted', 'not_applicable'], 0, 'not_applicable 1/2'],
    [['resisted'], 2, 'not_run 2/3'],
    [['not_applicable'], 1, 'not_run 1/2'],
    [['inconclusive'], 2, 'inconclusive 1/3'],
    [[], 2, 'not_run 2/2'],
  ])('shows the worst of its runs: %j and %i that did not run give %s', (outcomes, missing, says) => {
    const { rows } = gridFor(indexOf([[outcomes]], missing > 0 ? { attacks: [notRun(missing)] } : {}));
    expect(rows[0]?.cells.map(({ outcome, count, of }) => `${outcome} ${count}/${of}`)).toEqual([says]);
  });

  test('is not resisted while a repeat is still to come', () => {
    const { finished: _, ...index } = indexOf([[['resisted']]], { repeats: 3 });
    expect(gridFor(index).rows[0]?.cells[0]).toMatchObject({ outcome: 'not_run', count: 2, of: 3 });
  });

  test('is not resisted on an agent that the attack was not played on', () => {
    const { rows } = gridFor(indexOf([[['resisted'], []]]));
    expect(rows[0]?.cells.map(({ outcome }) => outcome)).toEqual(['not_run', 'resisted']);
  });

  test('does not exist for a benign twin', () => {
    const index = indexOf([[['exploited']]]);
    const runs = index.runs.map((run) => ({ ...run, twin: true as const }));
    expect(gridFor({ ...index, runs }).rows).toEqual([]);
  });
});

test('a cell of the grid leads first to its worst run, the one with the highest tier', () => {
  const index = indexOf([[['resisted', 'exploited', 'exploited']]]);
  const runs = index.runs.map((run, number) => (number === 2 ? { ...run, tier: 'boundary_breach' } : run));
  expect(gridFor({ ...index, runs }).rows[0]?.cells[0]?.runs.map(({ number }) => number)).toEqual([2, 1, 0]);
});

test('the grid has the worst attack and the worst agent first', () => {
  const grid = gridFor(
    indexOf([
      [['resisted'], ['resisted'], ['resisted']],
      [['resisted'], ['inconclusive'], ['resisted']],
      [['resisted'], ['exploited'], ['resisted']],
      [['resisted'], ['exploited'], ['exploited']],
      [['partial'], ['partial'], ['partial']],
    ]),
  );
  expect(grid.rows.map(({ document }) => document.name)).toEqual([3, 2, 4, 1, 0].map((number) => `document ${number}`));
  expect(grid.agents).toEqual(['agent 1', 'agent 2', 'agent 0']);
});

test('cellOutcomes has resisted as the last outcome that a cell can have', () => {
  expect(cellOutcomes.at(-1)).toBe('resisted');
});
