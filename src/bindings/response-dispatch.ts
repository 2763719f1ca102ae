import type { Fill } from '../engine/binding.ts';
import type { MatchPredicate } from '../model/document.ts';
import type { Diagnostic } from '../model/errors.ts';
import { isValueMap, type Value, type ValueMap } from '../model/value.ts';
import { selectResponse } from '../primitives/select-response.ts';

// §7.0.1: one rule for every list of responses that a state can have.

/** The entry of a list of responses that answers a request. */
export function responseFor(list: Value | undefined, request: Value, fill: Fill): ValueMap | undefined {
  const entries = (Array.isArray(list) ? list.filter(isValueMap) : []).map((entry) => {
    const when = entry.when === undefined ? undefined : fill(entry.when);
    return when === entry.when ? entry : { ...entry, when };
  });
  return selectResponse(entries as readonly (ValueMap & { when?: MatchPredicate })[], request);
}

export function synthesized(entry: ValueMap): readonly Diagnostic[] {
  if (entry.synthesize === undefined || entry.synthesize === null) return [];
  return [
    {
      severity: 'warning',
      code: 'W-006',
      message: '`synthesize` is reserved; `content` is used, if there is any',
    },
  ];
}
