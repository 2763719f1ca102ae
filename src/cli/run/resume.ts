import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { visible } from '../../report/visible.ts';
import { hasPlan, readFolder, type StoredRuns } from '../../suite/read-results.ts';
import type { Arguments } from '../commands.ts';
import { type DocumentSource, findDocuments } from '../input/find-documents.ts';
import { complain, type Io } from '../io.ts';
import type { Outcome } from '../outcome.ts';
import { settingNames } from './make-plan.ts';

export interface Resumed {
  readonly path: string;
  readonly stored: StoredRuns;
  /** What was typed now, and where nothing was, what was typed then. */
  readonly values: Arguments<'run'>;
}

/** Reads what `--resume` names; nothing where that is yet to begin. */
export async function readResumed(values: Arguments<'run'>, io: Io): Promise<Resumed | Outcome | undefined> {
  if (values.resume === undefined) return undefined;
  const path = resolve(io.cwd, values.resume);
  const shown = visible(values.resume);
  if (values.out !== undefined)
    return complain(
      io,
      'usage',
      'run: --resume and --out cannot both be given',
      '--resume says where results go',
    );
  // Whoever restarts what was killed need not know how far it had come.
  if (!hasPlan(path) && values.agent.length > 0) return undefined;
  const read = readFolder(path);
  if (!read.ok)
    return complain(
      io,
      'unreadable',
      `run: --resume ${shown}: ${visible(read.reason)}`,
      'with --agent and documents, what is not there is begun',
    );
  return { path, stored: read.stored, values: withStored(values, read.stored) };
}

const unsaid: { readonly [name: string]: unknown } = {
  delivery: 'delivered',
  projections: true,
  cardUrl: 'keep',
};

/** What was said now stands: whether it is the same as then is for the comparison of the plans to tell. */
function withStored(values: Arguments<'run'>, { plan }: StoredRuns): Arguments<'run'> {
  const stored: Record<string, unknown> = {};
  for (const name of settingNames) {
    const now = values[name];
    const isSaid = Array.isArray(now)
      ? now.length > 0
      : now !== undefined && now !== false && now !== unsaid[name];
    const then = plan.settings[name];
    if (!isSaid && (then !== undefined || name === 'projections')) stored[name] = then ?? false;
  }
  const agents = plan.agents.filter(({ kind }) => kind !== 'external').map(({ name }) => name);
  const rates = plan.documents.flatMap(({ key, max_rate }) =>
    max_rate === undefined ? [] : `${key}=${max_rate}`,
  );
  return {
    ...values,
    ...(stored as Partial<Arguments<'run'>>),
    agent: values.agent.length > 0 ? values.agent : agents,
    repeat: values.repeat ?? (agents.length > 0 ? String(plan.repeat) : undefined),
    maxRate: values.maxRate.length > 0 ? values.maxRate : rates,
    earlyStop: values.earlyStop && plan.early_stop,
    shard: values.shard ?? (plan.shard && `${plan.shard.index}/${plan.shard.of}`),
  };
}

/** The documents of the plan, read again from where they were. */
export function plannedSources({ path, stored }: Resumed, io: Io): readonly DocumentSource[] {
  return stored.plan.documents.flatMap(({ entry }): readonly DocumentSource[] => {
    if (entry.path !== '<stdin>') return findDocuments([entry.path], io.cwd);
    // What came in once is only here.
    const text = readFileSync(join(path, entry.source), 'utf8');
    return [{ kind: 'read', name: entry.path, read: { kind: 'text', text } }];
  });
}
