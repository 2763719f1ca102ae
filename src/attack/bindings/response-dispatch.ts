import type { MatchPredicate } from '../../format/model/attack-document.ts';
import type { Diagnostic } from '../../format/model/errors.ts';
import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import { selectEntry } from '../../format/primitives/evaluate-predicate.ts';
import type { Fill } from '../engine/binding.ts';
import { warnOfOverdue } from '../engine/overdue.ts';

// Format spec §7.0.1: one rule for every list of responses in a state.

/** An entry of a list of responses, and its index. */
interface SelectedEntry {
  readonly entry: ValueMap;
  readonly index: number;
}

/** The entry of a list of responses that answers a request, and the warnings about the choice. */
interface DispatchedResponse {
  readonly selected: SelectedEntry | undefined;
  readonly warnings: readonly Diagnostic[];
}

export function dispatchResponse(list: Value | undefined, request: Value, fill: Fill): DispatchedResponse {
  const written = Array.isArray(list) ? (list as readonly Value[]) : [];
  const indices: number[] = [];
  const entries: (ValueMap & { when?: MatchPredicate })[] = [];
  for (let index = 0; index < written.length; index++) {
    const entry = written[index];
    if (!isValueMap(entry)) continue;
    indices.push(index);
    const when = entry.when === undefined ? undefined : fill(entry.when);
    entries.push((when === entry.when ? entry : { ...entry, when }) as (typeof entries)[number]);
  }
  const { entry, failures } = selectEntry(entries, request);
  const selected = entry === undefined ? undefined : { entry, index: indices[entries.indexOf(entry)] ?? 0 };
  const late = failures.map(({ message }) => warnOfOverdue('the `when` of a response', message));
  return { selected, warnings: [...late, ...warnOfSynthesize(entry ?? {})] };
}

function warnOfSynthesize(entry: ValueMap): readonly Diagnostic[] {
  if (entry.synthesize === undefined || entry.synthesize === null) return [];
  return [
    {
      severity: 'warning',
      code: 'W-006',
      message: '`synthesize` is reserved; `content` is used, if there is any',
    },
  ];
}
