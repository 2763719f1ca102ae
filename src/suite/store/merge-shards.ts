import { closeSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import {
  createStored,
  isStored,
  makeStoredFolder,
  openStored,
  ownerOnly,
  replaceFile,
} from '../../files/stored-file.ts';
import type { NotRunReason, RunEntry } from '../../format/model/results-file.ts';
import { listPlannedAttacks, type PlannedAttack, type SuitePlan } from '../plan/plan.ts';
import { comparePlans } from '../plan/plan-difference.ts';
import { makeFolder } from '../play/make-folder.ts';
import { groupRunsByAttack } from '../statistics/statistics.ts';
import { createNotRunExplainer, writePlanText } from './make-results.ts';
import type { StoredRuns } from './read-results.ts';
import { runToLine } from './run-lines.ts';

export interface ShardResults {
  readonly folder: string;
  readonly stored: StoredRuns;
}

export interface MergedRuns {
  /** The plan that a single machine would have had. */
  readonly plan: SuitePlan;
  /** The runs, in the order of the plan. */
  readonly entries: readonly RunEntry[];
  readonly finished: string;
  readonly whyNot: (attack: PlannedAttack) => NotRunReason;
}

export type MergeResult =
  | { readonly ok: true; readonly joined: MergedRuns }
  | { readonly ok: false; readonly folder: string; readonly reason: string };

/** Joins shards of one plan that share no attack; otherwise it reports what does not fit. */
export function mergeShards(parts: readonly [ShardResults, ...ShardResults[]]): MergeResult {
  const [first, ...others] = parts;
  const owners = new Map<number, string>();
  const reasons = new Map<number, NotRunReason>();
  for (const { folder, stored } of parts) {
    const whyNot = createNotRunExplainer(stored.entries);
    const difference = comparePlans(first.stored.plan, stored.plan);
    if (difference !== undefined)
      return { ok: false, folder, reason: `this is not of the same suite as ${first.folder}: ${difference}` };
    for (const attack of listPlannedAttacks(stored.plan)) {
      const { index, document, agent } = attack;
      const owner = owners.get(index);
      if (owner !== undefined)
        return { ok: false, folder, reason: `${document.key} against ${agent.name} is in ${owner}, too` };
      owners.set(index, folder);
      reasons.set(index, whyNot(attack));
    }
  }
  const { shard: _of, ...whole } = first.stored.plan;
  // Stored times sort as text.
  const started = parts.map(({ stored }) => stored.plan.started).sort()[0] ?? first.stored.plan.started;
  const skipped = new Map(
    parts.flatMap(({ stored }) => (stored.plan.skipped ?? []).map((each) => [each.path, each] as const)),
  );
  const plan: SuitePlan = { ...whole, started, ...(skipped.size > 0 && { skipped: [...skipped.values()] }) };
  const all = [first, ...others].flatMap(({ stored }) => stored.entries);
  return {
    ok: true,
    joined: {
      plan,
      entries: groupRunsByAttack(plan, all).flatMap(({ runs }) => runs),
      finished:
        parts
          .map(({ stored }) => stored.finished)
          .sort()
          .at(-1) ?? first.stored.finished,
      whyNot: ({ index }) => reasons.get(index) ?? 'missing_shard',
    },
  };
}

const copiedAtOnce = 1024 * 1024;

/** The files that a folder of results may name: results can come from anywhere, and must not read other files. */
const ownFile = /^(?:traces|documents)\/[^/\\]+$/;

/** Writes a folder as a single machine would have; traces that a shard has not kept are left out. */
export function writeMergedRuns(folder: string, { plan, entries }: MergedRuns, parts: readonly ShardResults[]): void {
  makeFolder(folder, ownerOnly.folder);
  for (const name of ['traces', 'documents']) makeStoredFolder(folder, name);
  for (const part of parts)
    for (const file of [
      ...plan.documents.map(({ entry }) => entry.source),
      ...part.stored.entries.map(({ trace }) => trace),
    ])
      copyOwn(file, part.folder, folder);
  replaceFile(join(folder, 'runs.jsonl'), entries.map(runToLine).join(''));
  replaceFile(join(folder, 'plan.json'), writePlanText(plan));
}

function copyOwn(file: string, from: string, to: string): void {
  if (!ownFile.test(file) || !isStored(from, file)) return;
  const source = openStored(from, file);
  try {
    const target = createStored(to, file);
    try {
      const chunk = Buffer.allocUnsafe(copiedAtOnce);
      for (let read = readSync(source, chunk); read > 0; read = readSync(source, chunk))
        for (let written = 0; written < read; ) written += writeSync(target, chunk, written, read - written);
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}
