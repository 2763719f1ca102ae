import type { ProgramFacts, Usage } from '../agent/agent.ts';
import { encode } from '../document/encode.ts';
import type { Delivery } from '../judge/coverage.ts';
import type { Judgement } from '../judge/judge.ts';
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

// A run in the names of stored results, wherever it is written.

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
  const indicators = (encoded.indicator_verdicts as readonly ValueMap[]).map(
    (indicator): IndicatorEntry => ({
      indicator_id: String(indicator.indicator_id),
      // Other tools read the indicator's id under this name.
      id: String(indicator.indicator_id),
      ...indicator,
      result: String(indicator.result),
    }),
  );
  return { ...encoded, result: verdict.result, indicator_verdicts: indicators };
}

export function deliveryEntry(delivery: Delivery): { readonly [actor: string]: DeliveryEntry } {
  return Object.fromEntries(
    Object.entries(delivery).map(([actor, { phasesEntered, phasesSeen, ...facts }]) => [
      actor,
      { ...facts, phases_entered: phasesEntered, phases_seen: phasesSeen },
    ]),
  );
}

/** Why a run came to what it did, and how much of the document reached the agent. */
export function judgementEntry({
  outcome,
  demand,
  coverage,
  voided,
}: Judgement): Pick<RunEntry, 'outcome' | 'reason' | 'cause' | 'causes' | 'demand' | 'coverage' | 'voided'> {
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
    ...(voided.length > 0 && { voided }),
  };
}

export function usageEntry({ inputTokens, outputTokens, cost }: Usage): NonNullable<RunEntry['usage']> {
  return { input_tokens: inputTokens, output_tokens: outputTokens, ...(cost !== undefined && { cost }) };
}

export function programEntry({ exitCode, ...facts }: ProgramFacts): NonNullable<RunEntry['program']> {
  return { ...(exitCode !== undefined && { exit_code: exitCode }), ...facts };
}
