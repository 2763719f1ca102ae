import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { failureOf } from '../catalogue/failure.ts';
import { visible } from '../report/visible.ts';
import { makeFolder } from '../suite/make-folder.ts';
import { allAttacks, conversationOf, type Plan, type PlannedAttack, planDocuments } from '../suite/plan.ts';
import { ResultsFolder } from '../suite/results.ts';
import { scheduleRuns } from '../suite/schedule.ts';
import { tool } from '../suite/tool.ts';
import { ownerOnly } from '../suite/trace-file.ts';
import { systemClock } from '../transport/clock.ts';
import { agentOf, type ChosenAgent } from './agents.ts';
import { checkActors } from './check-options.ts';
import type { Playable } from './documents.ts';
import { makeResult } from './make-result.ts';
import { NotAttacked } from './not-attacked.ts';
import { type AttackOptions, type Pace, readPace } from './options.ts';
import { type PlayedRun, playRun } from './play-run.ts';
import type { AttackResult, AttackRun } from './result.ts';

/** Every document against the agent, as often as is asked for: one path for one attack and for many. */
export async function attackDocuments(
  playables: readonly Playable[],
  options: AttackOptions,
  concurrency: number,
): Promise<readonly AttackResult[]> {
  checkActors(
    options,
    playables.map(({ document }) => document),
  );
  const pace = readPace(options);
  const chosen = await agentOf(options);
  try {
    return await attackAgent(playables, chosen, options, pace, concurrency);
  } finally {
    await chosen.agent.close?.();
  }
}

async function attackAgent(
  playables: readonly Playable[],
  chosen: ChosenAgent,
  options: AttackOptions,
  pace: Pace,
  concurrency: number,
): Promise<readonly AttackResult[]> {
  const { agent } = chosen;
  const plan = planFor(playables, agent, pace);
  const folder = options.out === undefined ? undefined : resultsIn(options.out, plan, playables);
  const playableOf = ({ index }: PlannedAttack): Playable => playables[index] as Playable;
  const runs = new Map<number, AttackRun[]>(playables.map((_, index) => [index, []]));
  await scheduleRuns<PlayedRun>({
    attacks: allAttacks(plan),
    repeat: pace.repeat,
    earlyStop: plan.early_stop,
    concurrency: agent.isOneAtATime ? 1 : concurrency,
    clock: systemClock,
    async play(task, attempt) {
      const result = await playRun(playableOf(task.attack), chosen, options, pace, {
        traceFile: folder === undefined ? undefined : join(folder.path, folder.trace(task)),
        conversation: conversationOf(task, attempt),
      });
      return { outcome: result.run.outcome, isFault: false, result };
    },
    finished(task, { run, played, started }) {
      const { warnings } = playableOf(task.attack);
      folder?.addRun(task, played, { warnings, started });
      runs.get(task.attack.index)?.push(run);
    },
  });
  await folder?.finish({ finished: systemClock.timestamp() });
  return allAttacks(plan).map(({ index, document, agent: { name, kind } }) =>
    makeResult({
      document: document.entry,
      agent: { name, kind, isTold: agent.isTold },
      runs: runs.get(index) ?? [],
      pace,
      options,
      out: folder?.path,
    }),
  );
}

function planFor(
  playables: readonly Playable[],
  { name, kind }: { readonly name: string; readonly kind: string },
  { repeat, maxRate }: Pace,
): Plan {
  const sources = playables.map(({ document, file, text }) => ({ document, path: file, text, maxRate }));
  return {
    version: 1,
    tool,
    started: systemClock.timestamp(),
    documents: planDocuments(sources),
    agents: [{ name, kind }],
    repeat,
    early_stop: maxRate !== undefined,
    settings: {},
  };
}

function resultsIn(out: string, plan: Plan, playables: readonly Playable[]): ResultsFolder {
  const texts = playables.map(({ text }) => text);
  try {
    return ResultsFolder.begin(freshFolder(out, plan), plan, texts);
  } catch (thrown) {
    throw new NotAttacked(`out: no results can be stored in ${visible(out)}: ${failureOf(thrown)}`);
  }
}

/** Tests run again and again, and side by side: each call has a folder of its own. */
function freshFolder(out: string, { started, documents }: Plan): string {
  const [first] = documents;
  const what = documents.length === 1 && first !== undefined ? `-${fileName(first.key)}` : '';
  const base = resolve(out, `${started.replace(/[:.]/g, '-')}${what}`);
  makeFolder(out, ownerOnly.folder);
  for (let count = 2, folder = base; ; folder = `${base}-${count++}`) if (isTaken(folder)) return folder;
}

/** Making it is what takes it: other processes may look at the same moment. */
function isTaken(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: ownerOnly.folder });
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw thrown;
  }
}

function fileName(key: string): string {
  return key.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 80);
}
