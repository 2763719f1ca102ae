import type { PageDocument, PageIndex } from '../../src/report/html/page-data.ts';
import { type Filtered, type RunRow, severities, tiers } from './results.ts';

/** The outcomes of a cell, worst first. `resisted` is last: every run of its cell resisted. */
export const cellOutcomes = [
  'exploited',
  'partial',
  'unattributed',
  'inconclusive',
  'error',
  'not_run',
  'not_applicable',
  'resisted',
] as const;
export type CellOutcome = (typeof cellOutcomes)[number];

/** An attack on an agent, with all its repeats. */
export interface Cell {
  readonly document: PageDocument;
  readonly agent: string;
  /** Worst first. */
  readonly runs: readonly RunRow[];
  /** The worst outcome of its runs. A planned run that has not run counts too. */
  readonly outcome: CellOutcome;
  /** The number of runs with that outcome. */
  readonly count: number;
  readonly of: number;
}

export interface GridRow {
  readonly document: PageDocument;
  /** A cell for each agent, in the order of the agents. */
  readonly cells: readonly Cell[];
}

export interface Grid {
  readonly agents: readonly string[];
  readonly rows: readonly GridRow[];
}

/** The grid of attacks and agents, with the worst of both first. */
export function gridOf(index: PageIndex, all: readonly RunRow[]): Grid {
  const attacks = all.filter(({ run }) => !run.twin);
  const runs = new Map<string, RunRow[]>();
  for (const row of attacks) {
    const key = keyOf(row.run.document, row.run.agent);
    const own = runs.get(key);
    if (own === undefined) runs.set(key, [row]);
    else own.push(row);
  }
  const missing = new Map(index.attacks.map(({ document, agent, notRun = 0 }) => [keyOf(document, agent), notRun]));
  const cellAt = (document: number, agent: number): Cell => {
    const own = runs.get(keyOf(document, agent)) ?? [];
    const planned = index.finished === undefined ? (index.repeats ?? 1) - own.length : 0;
    const rest = missing.get(keyOf(document, agent)) ?? Math.max(planned, own.length === 0 ? 1 : 0);
    return cellOf(index, document, agent, own, rest);
  };
  const documents = new Set(attacks.map(({ run }) => run.document));
  for (const { document, notRun } of index.attacks) if (notRun !== undefined) documents.add(document);
  const rows = [...documents].map((document) => ({
    document: index.documents[document] as PageDocument,
    cells: index.agents.map((_, agent) => cellAt(document, agent)),
  }));
  const agents = worstFirst(index.agents.keys(), (agent) => tallyOf(rows.flatMap(({ cells }) => cells[agent] ?? [])));
  return {
    agents: agents.map((agent) => index.agents[agent]?.name ?? ''),
    rows: worstFirst(rows, ({ cells, document }) => {
      const tally = tallyOf(cells);
      const worst = tally.findIndex((number) => number > 0);
      return [-worst, ...tally, -rankIn(severities, document.severity)];
    }).map(({ document, cells }) => ({ document, cells: agents.flatMap((agent) => cells[agent] ?? []) })),
  };
}

function keyOf(document: number, agent: number): string {
  return `${document} ${agent}`;
}

function cellOf(
  { documents, agents }: PageIndex,
  document: number,
  agent: number,
  own: readonly RunRow[],
  rest: number,
): Cell {
  const runs = worstFirst(own, ({ run }) => [
    -cellOutcomes.indexOf(run.outcome),
    -rankIn(tiers, run.tier),
    -run.repeat,
  ]);
  const worst = runs[0]?.run.outcome ?? 'not_run';
  const isOpen = rest > 0 && cellOutcomes.indexOf(worst) > cellOutcomes.indexOf('not_run');
  const outcome = isOpen ? 'not_run' : worst;
  return {
    document: documents[document] as PageDocument,
    agent: agents[agent]?.name ?? '',
    runs,
    outcome,
    count: outcome === 'not_run' ? rest : runs.filter(({ run }) => run.outcome === outcome).length,
    of: runs.length + rest,
  };
}

/** The rows that a filter checks for a cell: its runs, or the cell itself if it has none. */
export function filteredIn({ runs, document, agent }: Cell): readonly Filtered[] {
  return runs.length > 0 ? runs : [{ document, agent }];
}

/** The number of cells with each outcome. */
function tallyOf(cells: readonly Cell[]): readonly number[] {
  const tally = cellOutcomes.map(() => 0);
  for (const { outcome } of cells) {
    const at = cellOutcomes.indexOf(outcome);
    tally[at] = (tally[at] ?? 0) + 1;
  }
  return tally;
}

function rankIn(order: readonly string[], value: string | undefined): number {
  const at = order.indexOf(value ?? '');
  return at < 0 ? order.length : at;
}

/** Sorts by several numbers, the greatest (worst) first. Equal items keep their order. */
function worstFirst<T>(items: Iterable<T>, badness: (item: T) => readonly number[]): readonly T[] {
  const all = [...items];
  if (all.length < 2) return all;
  const keyed = all.map((item) => ({ item, keys: badness(item) }));
  return keyed.sort((a, b) => compare(b.keys, a.keys)).map(({ item }) => item);
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < a.length; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
