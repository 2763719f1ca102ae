import type { ProgramFacts, Usage } from '../../agents/adapters/agent-under-test.ts';
import type { Diagnostic } from '../../format/model/errors.ts';
import type { RunEntry } from '../../format/model/results-file.ts';
import { encodeVerdict } from '../../judgement/judge/encode-verdict.ts';
import { createTraceNamer, type PlannedRun, type SuitePlan } from '../plan/plan.ts';
import type { JudgeFacts } from '../play/judge-trace.ts';
import type { PlayResult } from '../play/play-run.ts';
import { findAbsence } from './absent-agents.ts';

/** Facts about a run in addition to its result. */
export interface StoredRunFacts {
  /** Warnings from loading the document. */
  readonly warnings?: readonly Diagnostic[];
  readonly started?: string;
  readonly attempts?: number;
}

/** Writes a run of a plan as it is stored. */
export function createStoredRun(
  plan: SuitePlan,
  task: PlannedRun,
  result: PlayResult,
  facts: StoredRunFacts = {},
): RunEntry {
  const { warnings = [], started, attempts = 1 } = facts;
  const { verdict, delivery, absent: _, end, durationMs, seed, usage, judged, program, ...judgement } = result;
  return {
    document: task.attack.document.entry,
    agent: task.attack.agent.name,
    repeat: task.repeat,
    ...(task.attack.document.twin_of !== undefined && { twin: true }),
    ...(attempts > 1 && { attempts }),
    verdict: encodeVerdict(verdict, `${plan.tool.name}/${plan.tool.version}`),
    ...judgement,
    ...(findAbsence(result) !== undefined && { unreachable: true }),
    end: end.reason,
    delivery,
    ...(started !== undefined && { started }),
    duration_ms: Math.round(durationMs),
    ...(seed !== undefined && { seed }),
    ...(usage !== undefined && { usage: createUsageEntry(usage) }),
    ...(judged !== undefined && { judge: judgeEntry(judged) }),
    ...(program !== undefined && { program: createProgramEntry(program) }),
    trace: createTraceNamer(plan)(task),
    diagnostics: [...warnings, ...end.diagnostics],
  };
}

// Writes facts about a run with the field names of stored results.

function createUsageEntry({ inputTokens, outputTokens, cost }: Usage): NonNullable<RunEntry['usage']> {
  return { input_tokens: inputTokens, output_tokens: outputTokens, ...(cost !== undefined && { cost }) };
}

function judgeEntry({ name, questions, usage }: JudgeFacts): NonNullable<RunEntry['judge']> {
  return { name, questions, ...(usage !== undefined && createUsageEntry(usage)) };
}

function createProgramEntry({ exitCode, ...facts }: ProgramFacts): NonNullable<RunEntry['program']> {
  return { ...(exitCode !== undefined && { exit_code: exitCode }), ...facts };
}
