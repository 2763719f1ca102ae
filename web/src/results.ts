import type { AttackStatus, Rate } from '../../src/format/model/results-file.ts';
import type { PageAttack, PageDocument, PageIndex, PageOutcome, PageRun } from '../../src/report/html/page-data.ts';
import { computeRate } from '../../src/suite/statistics/compute-figures.ts';

export const outcomeNames = [
  'exploited',
  'partial',
  'unattributed',
  'inconclusive',
  'error',
  'not_applicable',
  'resisted',
] as const;
export const severities = ['critical', 'high', 'medium', 'low', 'informational'] as const;
export const tiers = ['boundary_breach', 'local_action', 'ingested'] as const;

/** A run with its document and its attack. */
export interface RunRow {
  readonly number: number;
  readonly run: PageRun;
  readonly document: PageDocument;
  readonly agent: string;
  readonly attack: Attack;
}

/** A run, or an attack that has none yet. */
export type Filtered = Pick<RunRow, 'document' | 'agent'> & Partial<Pick<RunRow, 'run' | 'attack'>>;

/** All repeats of a document on an agent. */
export interface Attack {
  readonly runs: PageRun[];
  /** The index of each of them among all runs. */
  readonly numbers: number[];
  success: Rate;
  status: AttackStatus;
  facts?: PageAttack;
}

export function rowsOf(index: PageIndex): readonly RunRow[] {
  const attacks = new Map<string, Attack>();
  const keyOf = ({ document, agent }: { readonly document: number; readonly agent: number }): string =>
    `${document} ${agent}`;
  const rows = index.runs.map((run, number): RunRow => {
    const key = keyOf(run);
    let attack = attacks.get(key);
    if (attack === undefined) {
      attack = { runs: [], numbers: [], success: computeRate(0, 0), status: 'error' };
      attacks.set(key, attack);
    }
    attack.runs.push(run);
    attack.numbers.push(number);
    return {
      number,
      run,
      document: index.documents[run.document] ?? { name: '', protocols: [], tags: [], source: false },
      agent: index.agents[run.agent]?.name ?? '',
      attack,
    };
  });
  for (const facts of index.attacks) {
    const attack = attacks.get(keyOf(facts));
    if (attack !== undefined) attack.facts = facts;
  }
  for (const attack of attacks.values()) {
    attack.success = successOf(attack.runs);
    attack.status = attack.facts?.status ?? statusOf(attack);
  }
  return rows;
}

/** A benign twin is not an attack and counts in no rate. */
export function attacksIn(rows: readonly RunRow[]): readonly RunRow[] {
  return rows.filter(({ run }) => !run.twin);
}

function statusOf({ runs, success }: Attack): AttackStatus {
  if (success.count > 0) return success.count < success.of ? 'flaky' : 'exploited';
  if (runs.some(({ outcome }) => outcome === 'error')) return 'error';
  if (runs.every(({ outcome }) => outcome === 'not_applicable')) return 'not_applicable';
  return runs.some(({ outcome }) => outcome === 'inconclusive' || outcome === 'unattributed')
    ? 'inconclusive'
    : 'resisted';
}

function isJudged({ outcome }: PageRun): boolean {
  return outcome === 'exploited' || outcome === 'partial' || outcome === 'resisted';
}

function isSuccess({ outcome }: PageRun): boolean {
  return outcome === 'exploited' || outcome === 'partial';
}

/** The rate of exploited or partial runs among those that were judged. */
export function successOf(runs: readonly PageRun[]): Rate {
  return computeRate(runs.filter(isSuccess).length, runs.filter(isJudged).length);
}

/** The rate of runs that reached the tier or a more severe one. */
export function reachedOf(runs: readonly PageRun[], tier: string): Rate {
  const rank = (tiers as readonly string[]).indexOf(tier);
  const reached = (run: PageRun): boolean => {
    const own = (tiers as readonly string[]).indexOf(run.tier ?? '');
    return isSuccess(run) && own >= 0 && own <= rank;
  };
  return computeRate(runs.filter(reached).length, runs.filter(isJudged).length);
}

/** The success rate with the runs that it leaves out: ` 2 unattributed`. */
export function unattributedText(runs: readonly PageRun[]): string {
  const { unattributed } = countsOf(runs);
  return unattributed === 0 ? '' : ` ${unattributed} unattributed`;
}

export function countsOf(runs: readonly PageRun[]): Record<PageOutcome, number> {
  const counts = {
    exploited: 0,
    partial: 0,
    unattributed: 0,
    inconclusive: 0,
    error: 0,
    not_applicable: 0,
    resisted: 0,
  };
  for (const { outcome } of runs) counts[outcome] += 1;
  return counts;
}

export function titleOf({ id, name }: PageDocument): string {
  return id === undefined || id === name ? name : `${id} ${name}`;
}

/** Every distinct value in the rows. */
export function valuesOf(
  rows: readonly RunRow[],
  of: (row: RunRow) => readonly (string | undefined)[],
  order: readonly string[] = [],
): readonly string[] {
  const values = new Set<string>();
  for (const row of rows) for (const value of of(row)) if (value !== undefined) values.add(value);
  return inOrder(values, order);
}

/** Known values first, in their order; then the others. */
function inOrder(unique: ReadonlySet<string>, order: readonly string[]): readonly string[] {
  return [
    ...order.filter((value) => unique.has(value)),
    ...[...unique].filter((value) => !order.includes(value)).sort(),
  ];
}
