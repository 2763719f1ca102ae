import { allAttacks, type Playable, planSuite } from '../suite/plan.ts';
import { playSuite } from '../suite/play-suite.ts';
import { twinsOf } from '../suite/twins.ts';
import { agentOf } from './agents.ts';
import { cancelled } from './cancelled.ts';
import { checkActors } from './check-options.ts';
import { foldersIn } from './folders-in.ts';
import { judgeOf } from './judge-of.ts';
import { keepRuns } from './keep-runs.ts';
import { makeResult } from './make-result.ts';
import { modesFor } from './modes.ts';
import { NotAttacked } from './not-attacked.ts';
import { type AttackOptions, readPace } from './options.ts';
import { redactorOf } from './redactor.ts';
import type { AttackResult } from './result.ts';
import { notThere, unbegunRun } from './unbegun-run.ts';

/** Plays every document against the agent as many times as `repeat` says. `attack` and `attackAll` share this path. */
export async function attackDocuments(
  given: readonly Playable[],
  options: AttackOptions,
  concurrency: number,
): Promise<readonly AttackResult[]> {
  const documents = options.twin ? twinsOf(given) : given;
  if (documents.length === 0 && given.length > 0)
    throw new NotAttacked('twin: without marks (x-payload) there is no benign twin', 'see docs/marks.md');
  checkActors(
    options,
    documents.map(({ document }) => document),
  );
  const { connect, prompt, delivery: demand, projections, era, seed, signal } = options;
  const pace = readPace(options);
  const chosen = await agentOf(options);
  const { agent } = chosen;
  const plan = planSuite({
    documents,
    agents: [agent],
    repeat: pace.repeat,
    maxRateOf: () => pace.maxRate,
    earlyStop: pace.maxRate !== undefined,
    ...(options.failTier !== undefined && options.failTier !== 'any' && { failTier: options.failTier }),
  });
  const folder = options.out === undefined ? undefined : foldersIn(options.out);
  const redactor = redactorOf(options);
  const kept = keepRuns(chosen, redactor);
  const { results, absent } = await playSuite({
    plan,
    documents,
    agents: [agent],
    sink: folder?.open,
    redactor,
    pace: { concurrency: agent.isOneAtATime ? 1 : concurrency, retries: pace.retries, signal },
    settings: {
      modes: modesFor(options),
      connect: ({ name }) =>
        connect !== undefined && Object.hasOwn(connect, name) ? connect[name] : undefined,
      prompt,
      era,
      seed,
      limits: {
        sessionMs: pace.timeoutMs,
        ...(pace.terminalMs !== undefined && { terminalMs: pace.terminalMs }),
        ...(pace.graceMs !== undefined && { graceMs: pace.graceMs }),
      },
      demand,
      projections,
      judge: judgeOf(options.judge),
    },
    watch: () => kept.onlooker,
  });
  return allAttacks(plan).map((attack, index) => {
    const { key, entry } = attack.document;
    // A cancelled run counts as one without a result. If it were left out, the finished runs would claim too much.
    const unbegun =
      results === undefined
        ? plan.repeat
        : (results.not_run?.find(({ document }) => document === key)?.runs ?? 0);
    const absence = absent?.get(agent.name);
    const outcome = absence === undefined ? cancelled(signal) : notThere(absence);
    const called = Array.from({ length: unbegun }, () => unbegunRun(documents[index] as Playable, outcome));
    return makeResult({
      document: entry,
      agent,
      runs: [...kept.runsOf(attack), ...called],
      pace,
      options,
      out: results === undefined ? undefined : folder?.path(),
    });
  });
}
