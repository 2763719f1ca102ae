import type { Fill } from '../engine/binding.ts';
import { overdue } from '../engine/overdue.ts';
import type { MatchPredicate } from '../model/document.ts';
import type { Diagnostic } from '../model/errors.ts';
import { isValueMap, type Value, type ValueMap } from '../model/value.ts';
import { dispatch } from '../primitives/select-response.ts';

// Format spec §7.0.1: one rule for every list of responses in a state.

/** An entry of a list of responses, and its index. */
export interface Selected {
  readonly entry: ValueMap;
  readonly index: number;
}

/** The entry of a list of responses that answers a request, and the warnings about the choice. */
export interface Dispatched {
  readonly selected: Selected | undefined;
  readonly warnings: readonly Diagnostic[];
}

export function responseFor(list: Value | undefined, request: Value, fill: Fill): Dispatched {
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
  const { entry, failures } = dispatch(entries, request);
  const selected = entry === undefined ? undefined : { entry, index: indices[entries.indexOf(entry)] ?? 0 };
  const late = failures.map(({ message }) => overdue('the `when` of a response', message));
  return { selected, warnings: [...late, ...synthesized(entry ?? {})] };
}

function synthesized(entry: ValueMap): readonly Diagnostic[] {
  if (entry.synthesize === undefined || entry.synthesize === null) return [];
  return [
    {
      severity: 'warning',
      code: 'W-006',
      message: '`synthesize` is reserved; `content` is used, if there is any',
    },
  ];
}
