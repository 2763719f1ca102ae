import { randomInt, randomUUID } from 'node:crypto';
import type { AgentUnderTest, ProgramFacts, RunningAgent, Usage } from '../agent/agent.ts';
import { includedViews } from '../bindings/included.ts';
import type { Clock, Endpoint } from '../engine/ports.ts';
import { type PlayableMode, type Run, startRun } from '../engine/run.ts';
import { defaultRunLimits, type RunEnd, type RunLimits } from '../engine/run-end.ts';
import { fingerprintOf } from '../judge/fingerprint.ts';
import { createJudge, type Judgement } from '../judge/judge.ts';
import { refusalOf } from '../judge/refusal.ts';
import { marksOf } from '../marks/read-marks.ts';
import { taskOf } from '../marks/read-task.ts';
import { withGenerated } from '../marks/with-generated.ts';
import type { LogLevel } from '../model/enumerations.ts';
import type { NormalizedActor, NormalizedDocument } from '../model/normalized.ts';
import { observationRecord, observedProtocol } from '../model/observation.ts';
import { type DeliveryDemand, type EndRecord, isEndRecord, type TraceRecord } from '../model/trace.ts';
import type { AttackVerdict } from '../model/verdict.ts';
import { GivenValues } from '../secrets/given.ts';
import { createRedactor, type Redacted } from '../secrets/redactor.ts';
import { createEvaluation, type Evaluation, type JudgeFacts } from './evaluation.ts';
import { createGeneratedBudget } from './generated-budget.ts';
import { inSlices } from './in-slices.ts';
import type { ExaminedJudge } from './judging/examined-judge.ts';
import { launchAgent } from './launch.ts';
import { isObserved, observeAgent } from './observe.ts';
import { countTokens } from './token-count.ts';
import { TraceFile } from './trace-file.ts';
import { type Audience, a2aCardsOf, clientModes, mcpConfigOf, playedDocument } from './user.ts';
import { withoutGenerated } from './without-generated.ts';

/** How a document is played once. */
export interface PlayOptions extends Audience {
  /** How actors are played, beside client actors, which speak to the agent or to whom they are connected. */
  readonly modes: readonly PlayableMode[];
  readonly clock: Clock;
  readonly limits?: Partial<RunLimits> | undefined;
  /** What chance in the document is drawn from; if left out, another one for every run. */
  readonly seed?: number | undefined;
  readonly demand?: DeliveryDemand | undefined;
  readonly projections?: boolean | undefined;
  /** Decides semantic indicators; without one they are skipped. */
  readonly judge?: ExaminedJudge | undefined;
  /** Where the trace goes; without it nothing is written. While a function gives nothing, records wait. */
  readonly traceFile?: string | (() => string | undefined) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Given the way to end the run properly, for whoever knows that the agent is done or has left. */
  control?(run: RunControl): void;
  /** Called when all is said, and the run only waits whether the agent does anything more. */
  waits?(): void;
  /** Called once every server accepts connections. */
  ready?(endpoints: ReadonlyMap<string, Endpoint>, skipped: readonly NormalizedActor[]): void;
  record?(record: Redacted<TraceRecord>): void;
  log?(actor: string, level: LogLevel, message: string): void;
}

/** Ends a run as if it had come to its own end. */
export interface RunControl {
  end(reason: 'operator' | 'idle'): void;
}

/** How a run went, and what it comes to. */
export interface PlayResult extends Judgement {
  readonly verdict: AttackVerdict;
  readonly end: RunEnd;
  readonly durationMs: number;
  /** What chance was drawn from, where the document leaves something to it. */
  readonly seed?: number;
  /** What the agent's model took, where it counts. */
  readonly usage?: Usage;
  /** What the judge of its semantic indicators took, where one was asked. */
  readonly judged?: JudgeFacts;
  /** What was seen of the agent's program, where it is one that is launched. */
  readonly program?: ProgramFacts;
}

/** Plays a document and judges it while it runs. Each call has its own ports, sessions, values and trace. */
export async function playDocument(document: NormalizedDocument, options: PlayOptions): Promise<PlayResult> {
  const { clock, limits, signal, agent } = options;
  let running: RunningAgent | undefined;
  let seen: Seen = {};
  let isSpokenTo = false;
  const spoken = (): void => {
    isSpokenTo = true;
  };
  const modes = [...options.modes, ...clientModes(options, () => running, spoken)];
  const views = [
    ...includedViews,
    ...modes.map(({ binding }) => binding.views).filter((view) => !includedViews.includes(view)),
  ];
  const started = clock.now();
  const seed = options.seed ?? randomInt(2 ** 32);
  const written = playedDocument(document, options);
  const played = withGenerated(written, String(seed));
  // Where nothing is generated, nobody has to look.
  const isGenerating = played !== written;
  // The document as it is written, and the trace as it is stored: whoever evaluates the trace has no more than that.
  const checks = taskOf(document);
  let evaluation: Promise<Evaluation> | undefined;
  const evaluating = (): Promise<Evaluation> => {
    const { projections, judge: asked } = options;
    evaluation ??= createEvaluation({ document, checks }, views, { projections, judge: asked });
    return evaluation;
  };
  const judge = createJudge(document, views, { marks: marksOf(document) ?? [], checks, refusalOf });
  // The doors' secrets are nobody's answer, so they are covered before anything is judged; those of the agent are
  // what an attack may be after.
  const ofDoors = new GivenValues();
  const ofAgent = new GivenValues();
  const judged = createRedactor({ shapes: false, given: ofDoors, tells: false });
  const stored = createRedactor({ shapes: false, given: ofAgent });
  const tokens = countTokens(views);
  const observer = isObserved([...(document.attack.indicators ?? []), ...(checks ?? [])])
    ? observeAgent(views, clock.now)
    : undefined;
  let fault: string | undefined;
  const trace =
    options.traceFile === undefined
      ? undefined
      : new TraceFile(options.traceFile, (message) => {
          fault ??= message;
        });
  let last = -1;
  let room = limits?.traceBytes ?? defaultRunLimits.traceBytes;
  let isCut = false;
  const keep = inSlices(async () => {
    const evaluator = await evaluating();
    return (record: TraceRecord): void => {
      // What the trace has no room for is not judged either: the trace alone must come to the same.
      if (room <= 0 && !isEndRecord(record) && record.protocol !== observedProtocol) {
        isCut = true;
        run?.stop('flood');
        return;
      }
      tokens.add(record);
      judge.add(record);
      evaluator.add(record);
      const kept = stored.record(record);
      room -= trace?.write(kept) ?? 0;
      options.record?.(kept);
      last = record.seq;
      if (fault !== undefined) stop();
    };
  });
  let run: Run | undefined;
  const stop = (): void => run?.stop();
  let end: RunEnd | undefined;
  let isOver = false;
  let callersFault: { readonly thrown: unknown } | undefined;
  const announce: NonNullable<PlayOptions['ready']> = (endpoints, skipped) => {
    try {
      options.ready?.(endpoints, skipped);
    } catch (thrown) {
      callersFault = { thrown };
      throw thrown;
    }
  };
  try {
    run = await startRun(played, {
      modes,
      clock,
      limits,
      seed,
      freshId: randomUUID,
      async launch(endpoints, skipped) {
        announce(endpoints, skipped);
        const withinMs = limits?.sessionMs ?? defaultRunLimits.sessionMs;
        const briefing = {
          withinMs,
          endpoints: Object.fromEntries(endpoints),
          mcpConfig: mcpConfigOf(document, endpoints),
          a2aCards: a2aCardsOf(document, endpoints),
        };
        if (agent !== undefined) running = await launchAgent(agent, briefing, { clock, withinMs, signal });
        for (const secret of running?.secrets ?? []) ofAgent.add(secret);
        return agent !== undefined && running === undefined ? 'stopped' : 'launched';
      },
      isSettled: () => running?.isSettled?.() ?? false,
      waits: () => options.waits?.(),
      opened({ secret }) {
        if (secret !== undefined) ofDoors.add(secret);
      },
      record: (record) => {
        // What is told of a message that was being written when the run ended may come late.
        if (isOver) return;
        observer?.add(record);
        keep.add(judged.record(isGenerating ? withoutGenerated(record) : record));
      },
      admit: isGenerating
        ? createGeneratedBudget(limits?.generatedBytes ?? defaultRunLimits.generatedBytes)
        : undefined,
      log: (actor, level, message) => options.log?.(actor, level, stored.text(judged.text(message))),
    });
    options.control?.({ end: run.stop });
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    // Nobody can come to a run without doors, and without traffic it would never end.
    if (run.endpoints.size === 0) run.stop('finished');
    end = await run.ended;
    if (callersFault !== undefined) throw callersFault.thrown;
  } catch (thrown) {
    // A caller that fails must not leave a server behind.
    stop();
    await run?.ended;
    throw thrown;
  } finally {
    signal?.removeEventListener('abort', stop);
    const usage = running?.usage?.();
    // What ends a program after this is us.
    const trouble = running?.wasCut?.() ? undefined : programTrouble(running?.program?.());
    const before = running?.program?.();
    const health = running?.health?.();
    await running?.stop();
    seen = { usage, program: running?.program?.() };
    isOver = true;
    await keep.drain();
    if (end !== undefined) {
      if (isCut && end.error === undefined) end = { ...end, reason: 'flood' };
      // Of an agent that was not let to its end nobody can say how it would have ended.
      if (observer !== undefined && end.reason !== 'stopped' && end.reason !== 'failed') {
        // A program that was still there before we ended it did not end by itself.
        const program = before ?? seen.program;
        const of = observer.conclude(end, { program, health, usage: usage ?? tokens.total() });
        keep.add(judged.record(observationRecord(last + 1, clock.timestamp(), of)));
        await keep.drain();
      }
      const missed = running?.missed?.() ?? unspoken(running, isSpokenTo);
      const stopped = signal?.aborted ? reasonOf(signal) : undefined;
      const execution = fingerprintOf(document.attack.execution);
      const chance = leavesToChance(document) ? seed : undefined;
      const known = {
        execution,
        seed: chance,
        end,
        trouble,
        missed,
        fault,
        stopped,
        demand: options.demand,
        agent,
      };
      keep.add(judged.record(endRecord(known, last + 1, clock.timestamp())));
      await keep.drain();
    }
    trace?.close();
  }
  const evaluated = await (await evaluating()).finish();
  const { usage = tokens.total(), program } = seen;
  return stored.value(
    judged.value({
      verdict: evaluated.verdict,
      ...judge.conclude(evaluated),
      end,
      durationMs: clock.now() - started,
      ...(leavesToChance(document) && { seed }),
      ...(usage !== undefined && { usage }),
      ...(evaluated.judged !== undefined && { judged: evaluated.judged }),
      ...(program !== undefined && { program }),
    }),
  );
}

/** Extensions of a phase that may draw from a seed. */
const chanceKeys = ['x-wire', 'x-generate'];

function leavesToChance({ attack }: NormalizedDocument): boolean {
  const { actors, extensions: own } = attack.execution;
  const holders = [own, ...actors.flatMap(({ phases }) => phases.map(({ extensions }) => extensions))];
  return holders.some((extensions = {}) => chanceKeys.some((key) => Object.hasOwn(extensions, key)));
}

/** What the agent itself has shown by the end of the run. */
interface Seen {
  readonly usage?: Usage | undefined;
  readonly program?: ProgramFacts | undefined;
}

/** An agent that runs only when it is spoken to has not run at all where nobody did. */
function unspoken(running: RunningAgent | undefined, isSpokenTo: boolean): string | undefined {
  return typeof running?.doors.ag_ui === 'function' && !isSpokenTo ? 'nobody spoke to it' : undefined;
}

/** A program that was ended by a signal or says itself that it failed, whatever it said before. */
function programTrouble(program: ProgramFacts | undefined): string | undefined {
  if (program?.signal !== undefined) return `its program was ended by ${program.signal}`;
  const { exitCode = 0 } = program ?? {};
  return exitCode === 0 ? undefined : `its program ended with code ${exitCode}`;
}

/** What a caller gave as its reason to stop; the platform’s own words say nothing. */
function reasonOf({ reason }: AbortSignal): string | undefined {
  const isUnsaid = reason instanceof Error && reason.name === 'AbortError';
  return isUnsaid ? undefined : reason instanceof Error ? reason.message : String(reason);
}

interface KnownAtTheEnd {
  readonly execution: string;
  readonly seed: number | undefined;
  readonly end: RunEnd;
  readonly trouble: string | undefined;
  readonly missed: string | undefined;
  readonly fault: string | undefined;
  readonly stopped: string | undefined;
  readonly demand: DeliveryDemand | undefined;
  readonly agent: AgentUnderTest | undefined;
}

/** The last record: everything that a judgement of the stored trace needs beside its messages. */
function endRecord(known: KnownAtTheEnd, seq: number, timestamp: string): EndRecord {
  const { end, missed, stopped, demand = 'payload', agent } = known;
  const error = end.error ?? known.fault;
  const trouble = end.trouble ?? known.trouble;
  return {
    seq,
    timestamp,
    kind: 'end',
    reason: end.reason,
    demand,
    execution: known.execution,
    ...(known.seed !== undefined && { seed: known.seed }),
    skipped: end.skipped,
    ...(error !== undefined && { error }),
    ...(trouble !== undefined && { trouble }),
    ...(stopped !== undefined && { stopped }),
    ...(missed !== undefined && { missed }),
    ...(agent !== undefined && { doors: agent.speaks }),
    ...(agent?.lacks !== undefined && { lacks: agent.lacks }),
    ...(agent?.without !== undefined && { without: agent.without }),
    ...(Object.keys(end.waiting).length > 0 && { waiting: end.waiting }),
  };
}
