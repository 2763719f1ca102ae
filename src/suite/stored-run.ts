import type { Diagnostic } from '../model/errors.ts';
import type { RunEntry } from '../model/results.ts';
import { absenceOf } from './not-there.ts';
import { type SuitePlan, type Task, traceOf } from './plan.ts';
import type { PlayResult } from './play.ts';
import {
  deliveryEntry,
  judgeEntry,
  judgementEntry,
  programEntry,
  usageEntry,
  verdictEntry,
} from './run-entry.ts';

/** Facts about a run in addition to its result. */
export interface RunFacts {
  /** Warnings from loading the document. */
  readonly warnings?: readonly Diagnostic[];
  readonly started?: string;
  readonly attempts?: number;
}

/** Writes a run of a plan as it is stored. */
export function storedRun(plan: SuitePlan, task: Task, result: PlayResult, facts: RunFacts = {}): RunEntry {
  const { warnings = [], started, attempts = 1 } = facts;
  return {
    document: task.attack.document.entry,
    agent: task.attack.agent.name,
    repeat: task.repeat,
    ...(task.attack.document.twin_of !== undefined && { twin: true }),
    ...(attempts > 1 && { attempts }),
    verdict: verdictEntry(result.verdict, `${plan.tool.name}/${plan.tool.version}`),
    ...judgementEntry(result),
    ...(absenceOf(result) !== undefined && { not_there: true }),
    end: result.end.reason,
    delivery: deliveryEntry(result.delivery),
    ...(started !== undefined && { started }),
    duration_ms: Math.round(result.durationMs),
    ...(result.seed !== undefined && { seed: result.seed }),
    ...(result.usage !== undefined && { usage: usageEntry(result.usage) }),
    ...(result.judged !== undefined && { judge: judgeEntry(result.judged) }),
    ...(result.program !== undefined && { program: programEntry(result.program) }),
    trace: traceOf(plan)(task),
    diagnostics: [...warnings, ...result.end.diagnostics],
  };
}
