import type { RunOutcome } from '../../../src/format/model/results-file.ts';
import { load } from '../../../src/index.ts';
import { createRedactor } from '../../../src/secrets/redactor.ts';
import {
  listAllAttacks,
  type PlannedAttack,
  type PlannedRun,
  planSuite,
  type SuitePlan,
} from '../../../src/suite/plan/plan.ts';
import type { PlayResult } from '../../../src/suite/play/play-run.ts';
import type { ResultsFolder } from '../../../src/suite/store/results-folder.ts';
import { createStoredRun } from '../../../src/suite/store/stored-run.ts';

export function textOf(id: string): string {
  return JSON.stringify({
    oatf: '0.1',
    attack: {
      id,
      name: `Attack ${id}`,
      execution: { mode: 'mcp_server', state: { tools: [] } },
      indicators: [
        { target: 'name', tier: 'ingested', pattern: { contains: 'x' } },
        { target: 'arguments', tier: 'boundary_breach', pattern: { contains: 'x' } },
      ],
    },
  });
}

export interface PlanOptions {
  readonly ids: readonly string[];
  readonly agents?: readonly string[];
  readonly repeat?: number;
  readonly maxRate?: number | undefined;
  readonly shard?: { readonly index: number; readonly of: number };
}

export function planFor({ ids, agents = ['a'], repeat = 1, maxRate, shard }: PlanOptions): SuitePlan {
  const documents = ids.map((id) => {
    const loaded = load(textOf(id));
    if (!loaded.ok) throw new Error(loaded.errors.map(({ message }) => message).join('; '));
    return { ...loaded, file: `${id}.yaml`, text: textOf(id) };
  });
  const plan = planSuite({
    documents,
    agents: agents.map((name) => ({ name, kind: 'test' })),
    repeat,
    maxRateOf: () => maxRate,
    earlyStop: true,
    shard,
    started: '2026-01-01T00:00:00.000Z',
  });
  return { ...plan, tool: { name: 'oatf', version: '0' } };
}

const storeAll = createRedactor({ shapes: false });

/** Stores a run with this outcome. */
export function addRun(folder: ResultsFolder, task: PlannedRun, result: PlayResult): void {
  folder.add(storeAll.entry(createStoredRun(folder.plan, task, result)));
}

/** Attacks with documents D1, D2 and so on. */
export function plannedAttacks(
  documents: number,
  agents: readonly string[],
  maxRate?: number,
): readonly PlannedAttack[] {
  const ids = Array.from({ length: documents }, (_, index) => `D${index + 1}`);
  return listAllAttacks(planFor({ ids: ids.map((id) => `${id}-001`), agents, maxRate })).map((attack) => ({
    ...attack,
    document: { ...attack.document, key: attack.document.key.replace('-001', '') },
  }));
}

const summary = { matched: 0, notMatched: 0, error: 0, skipped: 0 };

/** A run with this outcome. */
export function resultOf(
  outcome: RunOutcome,
  more: Partial<PlayResult> & { readonly maxTier?: 'ingested' | 'local_action' | 'boundary_breach' } = {},
): PlayResult {
  const { maxTier, ...rest } = more;
  const result = outcome.outcome === 'exploited' || outcome.outcome === 'partial' ? outcome.outcome : 'not_exploited';
  return {
    verdict: {
      result,
      indicatorVerdicts: [],
      evaluationSummary: summary,
      ...(maxTier !== undefined && { maxTier }),
    },
    delivery: {},
    coverage: { delivered: 0, of: 0, inferred: true, missing: [], pieces: [] },
    demand: 'payload',
    ...outcome,
    task: 'unknown',
    end: { reason: 'finished', diagnostics: [], skipped: [], waiting: {} },
    durationMs: 5,
    ...rest,
  };
}
