import { encode } from '../../format/document/encode-document.ts';
import type { AttackVerdict, IndicatorVerdict } from '../../format/model/attack-verdict.ts';
import type { IndicatorEntry, VerdictEntry } from '../../format/model/results-file.ts';
import type { ValueMap } from '../../format/model/value.ts';

// Verdicts with the field names of stored files.

export function encodeVerdict(verdict: AttackVerdict, source: string): VerdictEntry {
  const encoded = encode('AttackVerdict', { ...verdict, source });
  const indicators = (encoded.indicator_verdicts as readonly ValueMap[]).map(withId);
  return { ...encoded, result: verdict.result, indicator_verdicts: indicators };
}

export function encodeIndicatorVerdict(verdict: IndicatorVerdict): IndicatorEntry {
  return withId(encode('IndicatorVerdict', verdict));
}

/** Other tools read the indicator's id under the name `id`. */
function withId(encoded: ValueMap): IndicatorEntry {
  const id = String(encoded.indicator_id);
  return { indicator_id: id, id, ...encoded, result: String(encoded.result) };
}
