import { listAllAttacks, type PlayableDocument, planSuite } from '../suite/plan/plan.ts';
import { deriveTwins } from '../suite/plan/twins.ts';
import { playSuite } from '../suite/play-suite.ts';
import { createAttackModes } from './attack-modes.ts';
import { type AttackOptions, readPace } from './attack-options.ts';
import { createCancelledOutcome } from './cancelled-outcome.ts';
import { checkActors } from './check-options.ts';
import { createFolderPerCall } from './folder-per-call.ts';
import { keepRuns } from './keep-runs.ts';
import { makeAttackResult } from './make-result.ts';
import { NotAttacked } from './not-attacked.ts';
import { createOptionJudge } from './option-judge.ts';
import { createOptionRedactor } from './option-redactor.ts';
import { resolveAgent } from './resolve-agent.ts';
import type { AttackReport } from './result.ts';
import { createAbsentOutcome, createUnbegunRun } from './unbegun-run.ts';

/** Plays every document against the agent as many times as `repeat` says. `attack` and `attackAll` share this path. */
export async function attackDocuments(
  given: readonly PlayableDocument[],
  options: AttackOptions,
  concurrency: number,
): Promise<readonly AttackReport[]> {
  const documents = options.twin ? deriveTwins(given) : given;
  if (documents.length === 0 && given.length > 0)
    throw new NotAttacked('twin: without marks (x-payload) there is no benign twin', 'see docs/extensions/payload.md');
  checkActors(
    options,
    documents.map(({ document }) => document),
  );
  const { connect, prompt, delivery: demand, projections, era, seed, signal } = options;
  const pace = readPace(options);
  const chosen = await resolveAgent(options);
  const { agent } = chosen;
  const plan = planSuite({
    documents,
    agents: [agent],
    repeat: pace.repeat,
    maxRateOf: () => pace.maxRate,
    earlyStop: pace.maxRate !== undefined,
    ...(options.failTier !== undefined && options.failTier !== 'any' && { failTier: options.failTier }),
  });
  const folder = options.out === undefined ? undefined : createFolderPerCall(options.out);
  const redactor = createOptionRedactor(options);
  const kept = keepRuns(chosen, redactor);
  const { results, absent } = await playSuite({
    plan,
    documents,
    agents: [agent],
    sink: folder?.open,
    redactor,
    pace: { concurrency: agent.isOneAtATime ? 1 : concurrency, retries: pace.retries, signal },
    settings: {
      modes: createAttackModes(options),
      connect: ({ name }) => (connect !== undefined && Object.hasOwn(connect, name) ? connect[name] : undefined),
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
      judge: createOptionJudge(options.judge),
    },
    watch: () => kept.observer,
  });
  return listAllAttacks(plan).map((attack, index) => {
    const { key, entry } = attack.document;
    // A cancelled run counts as one without a result. Without it, the finished runs would seem to be all of them.
    const unbegun =
      results === undefined ? plan.repeat : (results.not_run?.find(({ document }) => document === key)?.runs ?? 0);
    const absence = absent?.get(agent.name);
    const outcome = absence === undefined ? createCancelledOutcome(signal) : createAbsentOutcome(absence);
    const called = Array.from({ length: unbegun }, () =>
      createUnbegunRun(documents[index] as PlayableDocument, outcome),
    );
    return makeAttackResult({
      document: entry,
      agent,
      runs: [...kept.runsOf(attack), ...called],
      pace,
      options,
      out: results === undefined ? undefined : folder?.path(),
    });
  });
}
