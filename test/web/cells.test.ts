import { describe, expect, test } from 'vitest';
import type { OutcomeName } from '../../src/model/results.ts';
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

describe('a cell says the worst of its runs', () => {
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
  ])('%j and %i that did not run: %s', (outcomes, missing, says) => {
    const { rows } = gridFor(indexOf([[outcomes]], missing > 0 ? { attacks: [notRun(missing)] } : {}));
    expect(rows[0]?.cells.map(({ outcome, count, of }) => `${outcome} ${count}/${of}`)).toEqual([says]);
  });

  test('a repeat that is still to come is not resisted', () => {
    const { finished: _, ...index } = indexOf([[['resisted']]], { repeats: 3 });
    expect(gridFor(index).rows[0]?.cells[0]).toMatchObject({ outcome: 'not_run', count: 2, of: 3 });
  });

  test('an attack that nobody played on one of the agents is not resisted there', () => {
    const { rows } = gridFor(indexOf([[['resisted'], []]]));
    expect(rows[0]?.cells.map(({ outcome }) => outcome)).toEqual(['not_run', 'resisted']);
  });

  test('benign twins are no attacks', () => {
    const index = indexOf([[['exploited']]]);
    const runs = index.runs.map((run) => ({ ...run, twin: true as const }));
    expect(gridFor({ ...index, runs }).rows).toEqual([]);
  });
});

test('a cell leads to its worst run, the one that got furthest', () => {
  const index = indexOf([[['resisted', 'exploited', 'exploited']]]);
  const runs = index.runs.map((run, number) => (number === 2 ? { ...run, tier: 'boundary_breach' } : run));
  expect(gridFor({ ...index, runs }).rows[0]?.cells[0]?.runs.map(({ number }) => number)).toEqual([2, 1, 0]);
});

test('the worst attack and the worst agent come first', () => {
  const grid = gridFor(
    indexOf([
      [['resisted'], ['resisted'], ['resisted']],
      [['resisted'], ['inconclusive'], ['resisted']],
      [['resisted'], ['exploited'], ['resisted']],
      [['resisted'], ['exploited'], ['exploited']],
      [['partial'], ['partial'], ['partial']],
    ]),
  );
  expect(grid.rows.map(({ document }) => document.name)).toEqual(
    [3, 2, 4, 1, 0].map((number) => `document ${number}`),
  );
  expect(grid.agents).toEqual(['agent 1', 'agent 2', 'agent 0']);
});

test('resisted is the last that a cell can be', () => {
  expect(cellOutcomes.at(-1)).toBe('resisted');
});
