import { encode } from '../document/encode.ts';
import type { Delivery } from '../evaluate/delivery.ts';
import type { NormalizedDocument } from '../model/normalized.ts';
import type { ValueMap } from '../model/value.ts';
import type { AttackVerdict } from '../model/verdict.ts';

// A run in the names of stored results, wherever it is written.

export function documentEntry({ attack }: NormalizedDocument, path: string): ValueMap {
  return {
    ...(attack.id !== undefined && { id: attack.id }),
    name: attack.name,
    version: attack.version,
    path,
    ...(attack.severity !== undefined && { severity: attack.severity.level }),
    tags: attack.classification?.tags ?? [],
  };
}

export function verdictEntry(verdict: AttackVerdict, source: string): ValueMap {
  const encoded = encode('AttackVerdict', { ...verdict, source });
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

export function deliveryEntry(delivery: Delivery): ValueMap {
  return Object.fromEntries(
    Object.entries(delivery).map(([actor, { phasesEntered, phasesSeen, ...facts }]) => [
      actor,
      { ...facts, phases_entered: phasesEntered, phases_seen: phasesSeen },
    ]),
  );
}
