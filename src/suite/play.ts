import { randomInt, randomUUID } from 'node:crypto';
import type { ProgramFacts, RunningAgent, Usage } from '../agent/agent.ts';
import { includedViews } from '../bindings/included.ts';
import type { Clock, Endpoint } from '../engine/ports.ts';
import { type PlayableMode, type Run, startRun } from '../engine/run.ts';
import { defaultRunLimits, type RunEnd, type RunLimits } from '../engine/run-end.ts';
import { fingerprintOf } from '../judge/fingerprint.ts';
import type { Judgement } from '../judge/judge.ts';
import { taskOf } from '../marks/read-task.ts';
import { withGenerated } from '../marks/with-generated.ts';
import type { LogLevel } from '../model/enumerations.ts';
import type { NormalizedActor, NormalizedDocument } from '../model/normalized.ts';
import { observationRecord, observedProtocol } from '../model/observation.ts';
import { type DeliveryDemand, isEndRecord, type TraceRecord } from '../model/trace.ts';
import type { AttackVerdict } from '../model/verdict.ts';
import { GivenValues } from '../secrets/given.ts';
import { createRedactor, type Redacted } from '../secrets/redactor.ts';
import { endRecord, leavesToChance, programTrouble, reasonOf } from './end-record.ts';
import type { JudgeFacts } from './evaluation.ts';
import { createGeneratedBudget } from './generated-budget.ts';
import { inSlices } from './in-slices.ts';
import type { TraceJudge } from './judge-trace.ts';
import type { ExaminedJudge } from './judging/examined-judge.ts';
import { launchAgent } from './launch.ts';
import { isObserved, observeAgent } from './observe.ts';
import { countTokens } from './token-count.ts';
import { TraceFile } from './trace-file.ts';
import { type Audience, a2aCardsOf, clientModes, mcpConfigOf, playedDocument } from './user.ts';
import { withoutGenerated } from './without-generated.ts';

/** How a document is played once. */
export interface PlayOptions extends Audience {
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

/** Ends a run as if it had come to its own end. */
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
  // Messages are checked for generated values only if the document has any.
  const isGenerating = played !== written;
  let judging: Promise<TraceJudge> | undefined;
  /** Judging needs code that answering does not. It is loaded when there is something to judge. */
  const judgeOfRun = (): Promise<TraceJudge> => {
    const { projections, judge } = options;
    judging ??= import('./judge-trace.ts').then(({ judgeTrace }) =>
      judgeTrace(document, { views, projections, judge, tellsRefusal: true }),
    );
    return judging;
  };
  // Our own access secrets are never evidence, so they are masked before judging. The agent's secrets stay, because an
  // attack may aim at them.
  const ofDoors = new GivenValues();
  const ofAgent = new GivenValues();
  const judged = createRedactor({ shapes: false, given: ofDoors, tells: false });
  const stored = createRedactor({ shapes: false, given: ofAgent });
  const tokens = countTokens(views);
  const observer = isObserved([...(document.attack.indicators ?? []), ...(taskOf(document) ?? [])])
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
    const judge = await judgeOfRun();
    return (record: TraceRecord): void => {
      // A record that the trace has no room for is not judged either: the trace alone must give the same verdict.
      if (room <= 0 && !isEndRecord(record) && record.protocol !== observedProtocol) {
        isCut = true;
        run?.stop('flood');
        return;
      }
      tokens.add(record);
      judge.add(record);
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
        // A message that was being written when the run ended may be reported late.
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
    // No agent can come to a run without endpoints, and without traffic it would never end.
    if (run.endpoints.size === 0) run.stop('finished');
    end = await run.ended;
    if (callersFault !== undefined) throw callersFault.thrown;
  } catch (thrown) {
    // A caller that throws must not leave a server running.
    stop();
    await run?.ended;
    throw thrown;
  } finally {
    signal?.removeEventListener('abort', stop);
    const usage = running?.usage?.();
    // After this, an end of the program is our doing.
    const trouble = running?.wasCut?.() ? undefined : programTrouble(running?.program?.());
    const before = running?.program?.();
    const health = running?.health?.();
    await running?.stop();
    seen = { usage, program: running?.program?.() };
    isOver = true;
    await keep.drain();
    if (end !== undefined) {
      if (isCut && end.error === undefined) end = { ...end, reason: 'flood' };
      // For an agent that was stopped early, its own end is unknown.
      if (observer !== undefined && end.reason !== 'stopped' && end.reason !== 'failed') {
        // A program that was still running before we stopped it did not end of its own accord.
        const program = before ?? seen.program;
        const of = observer.conclude(end, { program, health, usage: usage ?? tokens.total() });
        keep.add(judged.record(observationRecord(last + 1, clock.timestamp(), of)));
        await keep.drain();
      }
      // The last record tells whether the others could be written.
      trace?.flush();
      // A run without its trace is stopped, so that it is played again. A short one has ended before this is known.
      if (fault !== undefined && end.error === undefined) end = { ...end, reason: 'stopped' };
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
  const judgement = await (await judgeOfRun()).finish();
  const { usage = tokens.total(), program } = seen;
  return stored.value(
    judged.value({
      ...judgement,
      end,
      durationMs: clock.now() - started,
      ...(leavesToChance(document) && { seed }),
      ...(usage !== undefined && { usage }),
      ...(program !== undefined && { program }),
    }),
  );
}

/** The facts that the agent itself has shown by the end of the run. */
interface Seen {
  readonly usage?: Usage | undefined;
  readonly program?: ProgramFacts | undefined;
}

/** An agent that runs only when it is spoken to has not run if no actor spoke to it. */
function unspoken(running: RunningAgent | undefined, isSpokenTo: boolean): string | undefined {
  return typeof running?.doors.ag_ui === 'function' && !isSpokenTo ? 'nobody spoke to it' : undefined;
}
