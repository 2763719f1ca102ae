import type { ProgramFacts, Usage } from '../agent/agent.ts';
import { encode } from '../document/encode.ts';
import type { Delivery } from '../judge/coverage.ts';
import type { Judgement } from '../judge/judge.ts';
import type { RunTask } from '../judge/task.ts';
import type { NormalizedDocument } from '../model/normalized.ts';
import type {
  DeliveryEntry,
  DocumentEntry,
  IndicatorEntry,
  RunEntry,
  VerdictEntry,
} from '../model/results.ts';
import type { ValueMap } from '../model/value.ts';
import type { AttackVerdict } from '../model/verdict.ts';
import { extractProtocol } from '../primitives/extract-protocol.ts';
import type { JudgeFacts } from './evaluation.ts';

// Writes a run with the field names of stored results.

export function documentEntry({ attack }: NormalizedDocument, path: string): DocumentEntry {
  const { id, name, version, severity, classification, execution } = attack;
  return {
    ...(id !== undefined && { id }),
    name,
    version,
    path,
    ...(severity !== undefined && { severity: severity.level }),
    ...(classification?.category !== undefined && { category: classification.category }),
    protocols: [...new Set(execution.actors.map(({ mode }) => extractProtocol(mode)))],
    tags: classification?.tags ?? [],
  };
}

export function verdictEntry(verdict: AttackVerdict, source: string): VerdictEntry {
  const encoded = encode('AttackVerdict', { ...verdict, source });
  const indicators = (encoded.indicator_verdicts as readonly ValueMap[]).map(indicatorEntry);
  return { ...encoded, result: verdict.result, indicator_verdicts: indicators };
}

function indicatorEntry(encoded: ValueMap): IndicatorEntry {
  return {
    indicator_id: String(encoded.indicator_id),
    // Other tools read the indicator's id under this name.
    id: String(encoded.indicator_id),
    ...encoded,
    result: String(encoded.result),
  };
}

/** The fields that say whether the user's task was done. */
function taskEntry({
  state,
  reason,
  checks,
}: RunTask): Pick<RunEntry, 'task' | 'task_reason' | 'task_checks'> {
  return {
    task: state,
    ...(reason !== undefined && { task_reason: reason }),
    ...(checks.length > 0 && {
      task_checks: checks.map((check) => indicatorEntry(encode('IndicatorVerdict', check))),
    }),
  };
}

export function deliveryEntry(delivery: Delivery): { readonly [actor: string]: DeliveryEntry } {
  return Object.fromEntries(
    Object.entries(delivery).map(([actor, { phasesEntered, phasesSeen, ...facts }]) => [
      actor,
      { ...facts, phases_entered: phasesEntered, phases_seen: phasesSeen },
    ]),
  );
}

type JudgementFields =
  | ('outcome' | 'reason' | 'cause' | 'causes' | 'demand' | 'coverage' | 'voided')
  | ('task' | 'task_reason' | 'task_checks' | 'tier' | 'refusal');

/**
 * The fields that say why a run has its outcome, how much of the document reached the agent, and whether the task was
 * done.
 */
export function judgementEntry(judgement: Judgement): Pick<RunEntry, JudgementFields> {
  const { outcome, demand, coverage, task, tier, refusal, voided } = judgement;
  return {
    ...outcome,
    demand,
    coverage: {
      delivered: coverage.delivered,
      of: coverage.pieces.length,
      inferred: coverage.inferred,
      missing: coverage.missing,
      pieces: coverage.pieces,
    },
    ...taskEntry(task),
    ...(tier !== undefined && { tier }),
    ...(refusal !== undefined && { refusal }),
    ...(voided.length > 0 && { voided }),
  };
}

export function usageEntry({ inputTokens, outputTokens, cost }: Usage): NonNullable<RunEntry['usage']> {
  return { input_tokens: inputTokens, output_tokens: outputTokens, ...(cost !== undefined && { cost }) };
}

export function judgeEntry({ name, questions, usage }: JudgeFacts): NonNullable<RunEntry['judge']> {
  return { name, questions, ...(usage !== undefined && usageEntry(usage)) };
}

export function programEntry({ exitCode, ...facts }: ProgramFacts): NonNullable<RunEntry['program']> {
  return { ...(exitCode !== undefined && { exit_code: exitCode }), ...facts };
}
