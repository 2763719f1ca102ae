import { encode } from '../../document/encode.ts';
import type { ActorDelivery } from '../../evaluate/delivery.ts';
import type { ValueMap } from '../../model/value.ts';
import { version } from '../version.ts';
import type { Judgement } from './judgement.ts';

/** A run in the shape of stored results: the spec's verdict, and what is ours beside it. */
export function judgementToJson(judgement: Judgement): string {
  const { document, file, trace, delivery, outcome, records, skippedLines } = judgement;
  const { id, name, version: revision, severity, classification } = document.attack;
  const data = {
    document: {
      ...(id !== undefined && { id }),
      name,
      version: revision,
      path: file,
      ...(severity !== undefined && { severity: severity.level }),
      ...(classification?.tags !== undefined && { tags: classification.tags }),
    },
    trace,
    verdict: verdictOf(judgement),
    outcome: outcome.outcome,
    ...('reason' in outcome && { reason: outcome.reason }),
    delivery: Object.fromEntries(Object.entries(delivery).map(([actor, facts]) => [actor, factsOf(facts)])),
    records,
    skipped_lines: skippedLines,
  };
  return `${JSON.stringify(data, null, 2)}\n`;
}

function verdictOf({ verdict }: Judgement): ValueMap {
  const encoded = encode('AttackVerdict', { ...verdict, source: `oatf/${version}` });
  const indicators = (encoded.indicator_verdicts as readonly ValueMap[]).map(
    (indicator): ValueMap => ({
      indicator_id: indicator.indicator_id ?? null,
      // Other tools read the indicator's id under this name.
      id: indicator.indicator_id ?? null,
      ...indicator,
    }),
  );
  return { ...encoded, indicator_verdicts: indicators };
}

function factsOf({ phasesEntered, phasesSeen, ...facts }: ActorDelivery): object {
  return { ...facts, phases_entered: phasesEntered, phases_seen: phasesSeen };
}
