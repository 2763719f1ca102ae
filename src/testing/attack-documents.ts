import type { JudgeFunction } from '../agents/adapters/judging.ts';
import type { PlayableMode } from '../attack/engine/run-document.ts';
import { evaluateTrace } from '../evaluate-trace.ts';
import type { RunOutcome } from '../format/model/results-file.ts';
import { createRedactor, type Redactor } from '../secrets/redactor.ts';
import { findNamedJudge } from '../suite/config/named-agent.ts';
import { readRedactPattern } from '../suite/config/redact-pattern.ts';
import { createExaminedJudge, type ExaminedJudge } from '../suite/judging/examined-judge.ts';
import { drawFreshCanaries } from '../suite/plan/draw-fresh-canaries.ts';
import { createPairKey } from '../suite/plan/pairs.ts';
import { listAllAttacks, type PlannedAttack, type PlayableDocument, planSuite } from '../suite/plan/plan.ts';
import { deriveTwins } from '../suite/plan/twins.ts';
import { createServerModes } from '../suite/play/playable-modes.ts';
import { playSuite } from '../suite/play-suite.ts';
import { isTwin } from '../suite/statistics/statistics.ts';
import { type AttackOptions, readPace } from './attack-options.ts';
import { checkActors } from './check-options.ts';
import { createFolderPerCall } from './folder-per-call.ts';
import { keepRuns } from './keep-runs.ts';
import { makeAttackResult } from './make-result.ts';
import { NotAttacked } from './not-attacked.ts';
import { resolveAgent } from './resolve-agent.ts';
import type { AttackReport, AttackRun } from './result.ts';

/** Plays every document against the agent as many times as `repeat` says. `attack` and `attackAll` share this path. */
export async function attackDocuments(
  given: readonly PlayableDocument[],
  options: AttackOptions,
  concurrency: number,
): Promise<readonly AttackReport[]> {
  if (options.canaries === 'fresh' && options.seed === undefined)
    throw new NotAttacked('canaries: there is no seed to draw from', 'set seed to a whole number');
  const drawn =
    options.canaries === 'fresh' && options.seed !== undefined ? drawFreshCanaries(given, options.seed) : given;
  const documents = selectDocuments(drawn, options);
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
  const all = listAllAttacks(plan);
  const runsOf = (attack: PlannedAttack): readonly AttackRun[] => kept.runsOf(attack, results?.runs ?? []);
  return all.flatMap((attack, index) => {
    if (isTwin(attack) && !options.twin) return [];
    const { key, entry } = attack.document;
    const twin = all.find((each) => isTwin(each) && each !== attack && createPairKey(each) === createPairKey(attack));
    const attribution = results?.statistics.attacks.find(({ document }) => document === key)?.attribution;
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
      runs: [...runsOf(attack), ...called],
      ...(twin !== undefined && { twinRuns: runsOf(twin) }),
      attribution,
      pace,
      options,
      out: results === undefined ? undefined : folder?.path(),
    });
  });
}

/** The documents to play: with their benign twins, or only those. */
function selectDocuments(
  given: readonly PlayableDocument[],
  { twin, twins }: AttackOptions,
): readonly PlayableDocument[] {
  if (twin && twins)
    throw new NotAttacked('twin: it plays only the benign twin, and `twins` both', 'leave one of them out');
  if (!twin && !twins) return given;
  const derived = deriveTwins(given);
  if (derived.length === 0 && given.length > 0)
    throw new NotAttacked(
      `${twin ? 'twin' : 'twins'}: without marks (x-payload) there is no benign twin`,
      'see docs/extensions/payload.md',
    );
  return twin ? derived : [...given, ...derived];
}

/** The outcome of a run that was cancelled because the agent could not be reached in the runs before it. */
function createAbsentOutcome(absence: string): RunOutcome {
  const trouble = {
    cause: 'trouble',
    reason: `not run: the agent was unreachable, three runs in a row: ${absence}`,
  } as const;
  return { outcome: 'inconclusive', ...trouble, causes: [trouble] };
}

/** A run that was cancelled before it began, so it has no messages. */
function createUnbegunRun({ document }: PlayableDocument, outcome: RunOutcome): AttackRun {
  return {
    ...evaluateTrace(document, []),
    ...outcome,
    delivery: {},
    evidence: [],
    end: 'stopped',
    durationMs: 0,
    diagnostics: [],
    trace: [],
    traceLeftOut: 0,
  };
}

/** The outcome of a run that the caller cancelled before it began. */
function createCancelledOutcome({ reason }: AbortSignal = AbortSignal.abort()): RunOutcome {
  const why = reason instanceof Error ? reason.message : String(reason);
  const cut = { cause: 'cut_off', reason: `the attack was cancelled: ${why}` } as const;
  return { outcome: 'inconclusive', ...cut, causes: [cut] };
}

/** Each judge function takes its exam once, however many attacks it judges. */
const examined = new WeakMap<JudgeFunction, ExaminedJudge>();

/** The judge of semantic indicators that the option `judge` selects. */
function createOptionJudge(judge: JudgeFunction | string | undefined): ExaminedJudge | undefined {
  if (judge === undefined) return undefined;
  if (typeof judge === 'string') {
    const named = findNamedJudge(judge, { environment: process.env, cwd: process.cwd() });
    if ('problem' in named) throw new NotAttacked(`judge: ${named.problem}`, named.hint);
    return createExaminedJudge(named);
  }
  const known = examined.get(judge) ?? createExaminedJudge({ name: judge.name || 'a function', judge });
  examined.set(judge, known);
  return known;
}

/** The redactor, if `redact` asks for one. The patterns have been checked already. */
function createOptionRedactor({ redact = false }: AttackOptions): Redactor | undefined {
  if (redact === false) return undefined;
  const sources = redact === true ? [] : redact;
  const patterns = sources.flatMap((source) => {
    const read = readRedactPattern(source);
    return 'problem' in read ? [] : [read];
  });
  return createRedactor({ patterns });
}

/** How the servers of a document are played: on local ports, or in memory. */
function createAttackModes({ transport, listen, era }: AttackOptions): readonly PlayableMode[] {
  return createServerModes({
    address: ({ name }) =>
      listen !== undefined && Object.hasOwn(listen, name) ? { port: listen[name] ?? 0 } : undefined,
    inMemory: transport === 'memory',
    era,
  });
}
