import { randomInt, randomUUID } from 'node:crypto';
import type { ProgramFacts, RunningAgent, Usage } from '../../agents/adapters/agent-under-test.ts';
import { includedViews } from '../../attack/bindings/included-views.ts';
import type { Clock, Endpoint } from '../../attack/engine/ports.ts';
import { type PlayableMode, type Run, startRun } from '../../attack/engine/run-document.ts';
import { defaultRunLimits, type RunEnd, type RunLimits } from '../../attack/engine/run-end.ts';
import { readAllChecks } from '../../format/extensions/read-checks.ts';
import { prepareGenerated } from '../../format/extensions/read-generate.ts';
import { readDocumentPlan } from '../../format/extensions/read-plan.ts';
import type { AttackVerdict } from '../../format/model/attack-verdict.ts';
import type { BindingViews } from '../../format/model/binding-views.ts';
import type { LogLevel } from '../../format/model/enumeration-types.ts';
import type { Diagnostic } from '../../format/model/errors.ts';
import type { NormalizedActor, NormalizedDocument } from '../../format/model/normalized.ts';
import { createObservationRecord } from '../../format/model/observation.ts';
import type { DeliveryDemand, TraceRecord } from '../../format/model/trace-record.ts';
import { failUnreachable } from '../../format/model/value.ts';
import { computeFingerprint } from '../../judgement/judge/fingerprint.ts';
import type { Judgement } from '../../judgement/judge/judge-run.ts';
import { KnownSecrets } from '../../secrets/given-secrets.ts';
import { createRedactor, type Redacted, type Redactor } from '../../secrets/redactor.ts';
import type { ExaminedJudge } from '../judging/examined-judge.ts';
import { createEndRecord, describeProgramTrouble, readAbortReason, usesChance } from './end-record.ts';
import { createGeneratedBudget, dropGenerated } from './generated-budget.ts';
import type { JudgeFacts, TraceJudge } from './judge-trace.ts';
import { launchAgent } from './launch.ts';
import { isObserved, observeAgent } from './observe.ts';
import { type AgentAtEnd, initialPlayState, type PlayEvent, stepPlay } from './play-step.ts';
import { createRecordKeeper } from './record-keeper.ts';
import {
  createClientModes,
  createMcpConfig,
  listA2aCards,
  listServerUrls,
  preparePlayedDocument,
  type UserSide,
} from './user-side.ts';

/** How a document is played once. */
export interface PlayOptions extends UserSide {
  /** How actors are played, except client actors, which speak to the agent or to their own target. */
  readonly modes: readonly PlayableMode[];
  readonly clock: Clock;
  readonly limits?: Partial<RunLimits> | undefined;
  /** The seed for random choices in the document. Default: a new one for every run. */
  readonly seed?: number | undefined;
  readonly demand?: DeliveryDemand | undefined;
  readonly projections?: boolean | undefined;
  /** Decides semantic indicators; without one they are skipped. */
  readonly judge?: ExaminedJudge | undefined;
  /** The file for the trace. Default: nothing is written. While a function returns undefined, records wait. */
  readonly traceFile?: string | (() => string | undefined) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Receives the means to end the run properly, for a caller that knows that the agent is done or has left. */
  control?(run: RunControl): void;
  /** Called when everything is sent, and the run only waits to see whether the agent acts. */
  waits?(): void;
  /** Called once every server accepts connections. */
  ready?(endpoints: ReadonlyMap<string, Endpoint>, skipped: readonly NormalizedActor[]): void;
  record?(record: Redacted<TraceRecord>): void;
  log?(actor: string, level: LogLevel, message: string): void;
}

/** Ends a run as if it had ended by itself. */
export interface RunControl {
  end(reason: 'operator' | 'idle'): void;
}

/** The course of a run, and its judgement. */
export interface PlayResult extends Judgement {
  readonly verdict: AttackVerdict;
  readonly end: RunEnd;
  readonly durationMs: number;
  /** The seed, if the document has random choices. */
  readonly seed?: number;
  /** The tokens that the agent's model used, if it counts them. */
  readonly usage?: Usage;
  /** The questions and tokens of the semantic judge, if one was asked. */
  readonly judged?: JudgeFacts;
  /** Facts about the agent's program, if it was launched as one. */
  readonly program?: ProgramFacts;
}

/** Plays a document and judges it while it runs. Each call has its own ports, sessions, values and trace. */
export async function playDocument(document: NormalizedDocument, options: PlayOptions): Promise<PlayResult> {
  const { clock, limits, signal, agent } = options;
  let state = initialPlayState;
  let run: Run | undefined;
  let running: RunningAgent | undefined;
  const modes = [
    ...options.modes,
    ...createClientModes(
      options,
      () => running,
      () => take({ kind: 'spoken' }),
    ),
  ];
  const views = joinViews(modes);
  const started = clock.now();
  const seed = options.seed ?? randomInt(2 ** 32);
  const written = preparePlayedDocument(document, options);
  const played = prepareGenerated(written, String(seed));
  // Messages are checked for generated values only if the document has any.
  const isGenerating = played !== written;
  const masks = createMasks();
  const judge = judgeLater(document, views, options);
  const observer = isObserved([...(document.attack.indicators ?? []), ...readAllChecks(document)])
    ? observeAgent(views, clock.now)
    : undefined;
  const keeper = createRecordKeeper({
    views,
    redactor: masks.stored,
    traceFile: options.traceFile,
    traceBytes: limits?.traceBytes ?? defaultRunLimits.traceBytes,
    judge,
    kept: (record) => options.record?.(record),
    dropped: () => take({ kind: 'trace_full' }),
    failed: (reason) => take({ kind: 'trace_failed', reason }),
  });

  function take(event: PlayEvent): void {
    const step = stepPlay(state, event);
    state = step.state;
    for (const effect of step.effects)
      switch (effect.kind) {
        case 'stop_run':
          run?.stop(effect.reason);
          break;
        case 'record_observation': {
          const { end, agent: left } = effect;
          // A program that was still running before we stopped it did not end of its own accord.
          const program = left.programBefore ?? left.program;
          const usage = left.usage ?? keeper.tokens();
          const seen = observer?.conclude(end, { program, health: left.health, usage });
          if (seen !== undefined)
            keeper.add(masks.judged.record(createObservationRecord(keeper.nextSeq(), clock.timestamp(), seen)));
          break;
        }
        case 'record_end': {
          const { end, agent: left, traceFault: fault } = effect;
          const known = {
            execution: computeFingerprint(document.attack.execution),
            seed: usesChance(document) ? seed : undefined,
            end,
            trouble: left.trouble,
            missed: left.missed,
            absent: left.absent,
            left: left.left,
            fault,
            stopped: signal?.aborted ? readAbortReason(signal) : undefined,
            demand: options.demand,
            agent,
            addresses: listServerUrls(document, run?.endpoints ?? new Map()),
          };
          keeper.add(masks.judged.record(createEndRecord(known, keeper.nextSeq(), clock.timestamp())));
          break;
        }
        default:
          failUnreachable(effect);
      }
  }

  async function launch(
    endpoints: ReadonlyMap<string, Endpoint>,
    skipped: readonly NormalizedActor[],
  ): Promise<'launched' | 'stopped'> {
    try {
      options.ready?.(endpoints, skipped);
    } catch (thrown) {
      take({ kind: 'caller_threw', thrown });
      throw thrown;
    }
    if (agent === undefined) return 'launched';
    const withinMs = limits?.sessionMs ?? defaultRunLimits.sessionMs;
    const briefing = {
      withinMs,
      endpoints: Object.fromEntries(endpoints),
      mcpConfig: createMcpConfig(document, endpoints),
      a2aCards: listA2aCards(document, endpoints),
    };
    const plan = readDocumentPlan(document);
    const follows = plan === undefined ? undefined : agent.followPlan?.(plan);
    running = await launchAgent(follows ?? agent, briefing, { clock, withinMs, signal });
    for (const secret of running?.secrets ?? []) masks.ofAgent.add(secret);
    return running === undefined ? 'stopped' : 'launched';
  }

  const interrupt = (): void => take({ kind: 'interrupted' });
  try {
    run = await startRun(played, {
      modes,
      clock,
      limits,
      seed,
      freshId: randomUUID,
      launch,
      isSettled: () => running?.isSettled?.() ?? false,
      waits: () => options.waits?.(),
      heard: () => running?.heard?.(),
      opened({ secret }) {
        if (secret !== undefined) masks.ofEndpoints.add(secret);
      },
      record(record) {
        // A message that was being written when the run ended may be reported late.
        if (state.agent !== undefined) return;
        observer?.add(record);
        keeper.add(masks.judged.record(isGenerating ? dropGenerated(record) : record));
      },
      admit: isGenerating
        ? createGeneratedBudget(limits?.generatedBytes ?? defaultRunLimits.generatedBytes)
        : undefined,
      log: (actor, level, message) => options.log?.(actor, level, masks.stored.text(masks.judged.text(message))),
    });
    options.control?.({ end: run.stop });
    signal?.addEventListener('abort', interrupt, { once: true });
    if (signal?.aborted) interrupt();
    take({ kind: 'begun', isReachable: run.endpoints.size > 0 });
    take({ kind: 'ended', end: await run.ended });
    if (state.callersFault !== undefined) throw state.callersFault.thrown;
  } catch (thrown) {
    // A caller that throws must not leave a server running.
    run?.stop();
    await run?.ended;
    throw thrown;
  } finally {
    signal?.removeEventListener('abort', interrupt);
    take({ kind: 'agent_left', agent: await stopAgent(running, () => state.isSpokenTo) });
    await keeper.drain();
    take({ kind: 'drained' });
    await keeper.drain();
    // The last record tells whether the others could be written.
    keeper.flush();
    take({ kind: 'flushed' });
    await keeper.drain();
    keeper.close();
  }
  const { end, agent: left } = state;
  if (end === undefined) throw new Error('the run has no end');
  const judgement = await (await judge()).finish();
  const { usage = keeper.tokens(), program } = left ?? {};
  return masks.stored.value(
    masks.judged.value({
      ...judgement,
      end: addSkippedSteps(end, left?.skipped),
      durationMs: clock.now() - started,
      ...(usesChance(document) && { seed }),
      ...(usage !== undefined && { usage }),
      ...(program !== undefined && { program }),
    }),
  );
}

/** The steps of the plan that could not be made are told like every other doubt about a run. */
function addSkippedSteps(end: RunEnd, skipped: readonly string[] = []): RunEnd {
  if (skipped.length === 0) return end;
  const warnings = skipped.map(
    (message): Diagnostic => ({ severity: 'warning', code: 'O-119', message: `x-plan, ${message}` }),
  );
  return { ...end, diagnostics: [...end.diagnostics, ...warnings] };
}

/** The views of the included bindings, and those of further ones. */
function joinViews(modes: readonly PlayableMode[]): readonly BindingViews[] {
  const further = modes.map(({ binding }) => binding.views).filter((view) => !includedViews.includes(view));
  return [...includedViews, ...further];
}

/** Judging needs code that answering does not. It is loaded when there is something to judge. */
function judgeLater(
  document: NormalizedDocument,
  views: readonly BindingViews[],
  { projections, judge }: PlayOptions,
): () => Promise<TraceJudge> {
  let judging: Promise<TraceJudge> | undefined;
  return () => {
    judging ??= import('./judge-trace.ts').then(({ judgeTrace }) =>
      judgeTrace(document, { views, projections, judge, tellsRefusal: true }),
    );
    return judging;
  };
}

interface Masks {
  /** Secrets of our own endpoints. */
  readonly ofEndpoints: KnownSecrets;
  readonly ofAgent: KnownSecrets;
  /** Masks what is judged. */
  readonly judged: Redactor;
  /** Masks what is stored. */
  readonly stored: Redactor;
}

/**
 * Our own access secrets are never evidence, so they are masked before judging. The agent's secrets stay, because an
 * attack may aim at them.
 */
function createMasks(): Masks {
  const ofEndpoints = new KnownSecrets();
  const ofAgent = new KnownSecrets();
  return {
    ofEndpoints,
    ofAgent,
    judged: createRedactor({ shapes: false, given: ofEndpoints, tells: false }),
    stored: createRedactor({ shapes: false, given: ofAgent }),
  };
}

/** Stops the agent, and collects the facts about it. Once it is stopped, we are the cause if its program ends. */
async function stopAgent(running: RunningAgent | undefined, isSpokenTo: () => boolean): Promise<AgentAtEnd> {
  if (running === undefined) return {};
  const usage = running.usage?.();
  const programBefore = running.program?.();
  const trouble = running.wasCut?.() ? undefined : describeProgramTrouble(programBefore);
  const health = running.health?.();
  await running.stop();
  return {
    usage,
    skipped: running.skipped?.(),
    programBefore,
    program: running.program?.(),
    health,
    trouble,
    absent: running.absent?.(),
    left: running.left?.(),
    missed: running.missed?.() ?? explainUnspoken(running, isSpokenTo()),
  };
}

/** An agent that runs only when it gets a message has not run if no actor sent one. */
function explainUnspoken({ addresses }: RunningAgent, isSpokenTo: boolean): string | undefined {
  return typeof addresses.ag_ui === 'function' && !isSpokenTo ? 'nobody spoke to it' : undefined;
}
