import type { AttackVerdict, IndicatorVerdict } from '../format/model/attack-verdict.ts';
import type { NormalizedDocument } from '../format/model/normalized.ts';
import type { RunEntry } from '../format/model/results-file.ts';
import { isMessageRecord, type TraceRecord } from '../format/model/trace-record.ts';
import { dropUndefined } from '../format/model/value.ts';
import { rankTier } from '../report/attack-rows.ts';
import { locateQuote } from '../report/find-evidence.ts';
import { type Redactor, selectRedactor } from '../secrets/redactor.ts';
import type { PlannedAttack, PlannedRun } from '../suite/plan/plan.ts';
import type { PlayedRun, SuiteObserver } from '../suite/play-suite.ts';
import { selectRunsOfAttack } from '../suite/store/run-sink.ts';
import type { ChosenAgent } from './resolve-agent.ts';
import type { AttackRun, Evidence } from './result.ts';

export interface KeptRuns {
  readonly observer: SuiteObserver;
  /** The runs in the order in which they finished, with the outcomes that the suite gives them. */
  runsOf(attack: PlannedAttack, settled: readonly RunEntry[]): readonly AttackRun[];
}

/** The data collected during one try of a run. */
interface RunObservations {
  readonly trace: KeptTrace;
  /** The error that the agent threw, if it is a function and threw one. */
  thrown?: { readonly error: unknown };
}

/** Collects runs, with their traces, in the form that tests read. */
export function keepRuns(chosen: ChosenAgent, redactor: Redactor | undefined): KeptRuns {
  const seen = new Map<PlannedRun, RunObservations>();
  const runs = new Map<number, NumberedRun[]>();
  return {
    observer: {
      begin(task) {
        const own: RunObservations = { trace: keepTrace() };
        seen.set(task, own);
        return {
          agent: chosen.forRun((error) => {
            // An error object cannot be rewritten, so only its redacted text is kept.
            own.thrown ??= { error: redactor?.text(String(error)) ?? error };
          }),
          record: (record) => own.trace.add(redactor?.record(record) ?? record),
        };
      },
      finished(task, played) {
        const own = seen.get(task) ?? { trace: keepTrace() };
        seen.delete(task);
        const { index } = task.attack;
        const run = toRun(played, own, redactor);
        runs.set(index, [...(runs.get(index) ?? []), { run, repeat: task.repeat }]);
      },
    },
    runsOf(attack, settled) {
      const own = selectRunsOfAttack(settled, attack);
      return (runs.get(attack.index) ?? []).map(({ run, repeat }) => {
        const entry = own.find((each) => each.repeat === repeat);
        return entry === undefined ? run : settleRun(run, entry);
      });
    },
  };
}

interface NumberedRun {
  readonly run: AttackRun;
  readonly repeat: number;
}

/** A run with the outcome that the suite gives it, which also knows the benign twin. */
function settleRun(run: AttackRun, settled: RunEntry): AttackRun {
  const { raised, lowered, set_aside, outcome, reason, cause, causes, tier } = settled;
  if (raised === undefined && set_aside === undefined) return run;
  const { reason: _, cause: __, causes: ___, tier: ____, ...rest } = run;
  return {
    ...rest,
    ...dropUndefined({ raised, lowered, set_aside, outcome, reason, cause, causes, tier }),
    evidence: run.evidence.filter(({ indicator }) => !set_aside?.includes(indicator)),
  };
}

function toRun(
  { playable, result }: PlayedRun,
  { trace, thrown }: RunObservations,
  redactor: Redactor | undefined,
): AttackRun {
  const { judged: _, end, ...judged } = result;
  const seen = { ...judged, diagnostics: end.diagnostics };
  const run = redactor?.judged(seen) ?? seen;
  return {
    ...run,
    evidence: collectEvidence(playable.document, run.verdict, trace.records),
    end: end.reason,
    trace: trace.records,
    traceLeftOut: trace.leftOut,
    ...(thrown !== undefined && { thrown: thrown.error }),
  };
}

const mostRecords = 10_000;
const mostCharacters = 32 * 1024 * 1024;

interface KeptTrace {
  add(record: TraceRecord): void;
  readonly records: readonly TraceRecord[];
  readonly leftOut: number;
}

/** Keeps the beginning of a trace, within bounds: a result stays in memory for as long as its test holds it. */
function keepTrace(): KeptTrace {
  const records: TraceRecord[] = [];
  let characters = 0;
  let leftOut = 0;
  return {
    add(record) {
      if (leftOut === 0 && records.length < mostRecords) characters += measureRecord(record);
      if (leftOut > 0 || records.length === mostRecords || characters > mostCharacters) leftOut += 1;
      else records.push(record);
    },
    records,
    get leftOut() {
      return leftOut;
    },
  };
}

function measureRecord(record: TraceRecord): number {
  try {
    return JSON.stringify(record).length;
  } catch {
    // Too deeply nested for JSON.stringify, so a test could not print it either.
    return Number.POSITIVE_INFINITY;
  }
}

/** The evidence of every matched indicator, highest tier first, as reports show it. */
function collectEvidence(
  { attack }: NormalizedDocument,
  { indicatorVerdicts }: AttackVerdict,
  trace: readonly TraceRecord[],
): readonly Evidence[] {
  const redactor = selectRedactor(false);
  const indicators = new Map((attack.indicators ?? []).map((each) => [each.id, each]));
  const toEvidence = (verdict: IndicatorVerdict): Evidence => {
    const { indicatorId, match } = verdict;
    const { tier, description } = indicators.get(indicatorId) ?? {};
    const { text, from, to } = locateQuote(verdict, redactor) ?? { text: '', from: 0, to: 0 };
    return {
      indicator: indicatorId,
      ...(tier !== undefined && { tier }),
      ...(description !== undefined && { description }),
      text,
      from,
      to,
      ...(match !== undefined && { path: match.path }),
      ...(match?.record !== undefined && findRecordPlace(match.record, trace)),
    };
  };
  return indicatorVerdicts
    .filter(({ result }) => result === 'matched')
    .map(toEvidence)
    .sort((a, b) => rankTier(b.tier) - rankTier(a.tier));
}

function findRecordPlace(seq: number, trace: readonly TraceRecord[]): Pick<Evidence, 'record' | 'actor' | 'method'> {
  const record = trace.find((each) => each.seq === seq);
  return record !== undefined && isMessageRecord(record)
    ? { record: seq, actor: record.actor, method: record.method }
    : { record: seq };
}
