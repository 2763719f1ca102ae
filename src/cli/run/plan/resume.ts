import { resolve } from 'node:path';
import { readStored } from '../../../files/stored-file.ts';
import { escapeInvisible } from '../../../format/model/escape-invisible.ts';
import type { LoadedConfig } from '../../../suite/config/load-config.ts';
import { isAgentValue, isWholeName } from '../../../suite/config/named-agent.ts';
import { type DocumentSource, findDocuments } from '../../../suite/library/find-documents.ts';
import { dropEra } from '../../../suite/plan/plan.ts';
import { hasPlan, readResultsFolder, type StoredRuns } from '../../../suite/store/read-results.ts';
import type { CommandOutcome } from '../../command-outcome.ts';
import type { Arguments } from '../../commands.ts';
import { complain, type Io } from '../../io.ts';
import { external } from '../play/run-settings.ts';
import { settingNames } from './plan-settings.ts';

export interface ResumedRun {
  readonly path: string;
  readonly stored: StoredRuns;
}

/** Reads the folder of `--resume`. Returns nothing if no run has begun there and an agent is given to begin with. */
export async function readResumed(
  { resume, out }: Pick<Arguments<'run'>, 'resume' | 'out'>,
  hasAgent: boolean,
  io: Io,
): Promise<ResumedRun | CommandOutcome | undefined> {
  if (resume === undefined) return undefined;
  const path = resolve(io.cwd, resume);
  const shown = escapeInvisible(resume);
  if (out !== undefined)
    return complain(io, 'usage', 'run: --resume and --out cannot both be given', '--resume says where results go');
  // A user who restarts a killed run need not know whether it had begun.
  if (!hasPlan(path) && hasAgent) return undefined;
  const read = readResultsFolder(path);
  if (!read.ok)
    return complain(
      io,
      'unreadable',
      `run: --resume ${shown}: ${read.reason}`,
      'with --agent and documents, a new suite begins there',
    );
  return { path, stored: read.stored };
}

/**
 * The values of the earlier call, as they were typed; values that were not set stay unset. The comparison of the plans
 * finds any difference from the values of this call.
 */
export function restoreValues(
  { stored: { plan } }: ResumedRun,
  config: LoadedConfig | undefined,
): Partial<Arguments<'run'>> {
  const settings = Object.fromEntries(settingNames.map((name) => [name, plan.settings[name]]));
  const agents = plan.agents.filter(({ kind }) => kind !== external.kind);
  return {
    ...(settings as Partial<Arguments<'run'>>),
    // An agent that its name does not fully describe must be given again, and so must one with a name of the command line.
    ...(agents.every((agent) => isWholeName(agent) && isAgentValue(dropEra(agent.name), config)) && {
      agent: agents.map(({ name }) => name),
    }),
    ...(agents.length > 0 && { repeat: String(plan.repeat) }),
    maxRate: plan.documents.flatMap(({ key, max_rate }) => (max_rate === undefined ? [] : `${key}=${max_rate}`)),
    earlyStop: plan.early_stop,
    twins: plan.documents.some(({ twin_of }) => twin_of !== undefined),
    failTier: plan.fail_tier ?? 'any',
    ...(plan.min_utility !== undefined && { minUtility: String(plan.min_utility) }),
    shard: plan.shard && `${plan.shard.index}/${plan.shard.of}`,
  };
}

/** The documents of the plan, read again from their old paths. */
export function findPlannedSources({ path, stored }: ResumedRun, io: Io): readonly DocumentSource[] {
  return stored.plan.documents.flatMap(({ entry, twin_of }): readonly DocumentSource[] => {
    // A twin is derived from its document again.
    if (twin_of !== undefined) return [];
    if (entry.path !== '<stdin>') return findDocuments([entry.path], io.cwd);
    // Standard input cannot be read again, so the stored copy is used.
    const text = readStored(path, entry.source);
    return [{ kind: 'read', name: entry.path, read: { kind: 'text', text } }];
  });
}
