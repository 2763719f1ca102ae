import type { Diagnostic } from '../model/errors.ts';
import { isCollection, setOwn, sortKeys, type Value, type ValueMap } from '../model/value.ts';
import { createRoom, fillTemplate } from './interpolate-template.ts';

/** A value with the templates in its strings filled in. */
export interface InterpolatedValue {
  readonly value: Value;
  readonly diagnostics: readonly Diagnostic[];
  /** The names of the references that did not resolve, or resolved to nothing that anybody can see. */
  readonly unresolved: readonly string[];
}

interface Frame {
  readonly copy: Record<string, Value>;
  readonly entries: readonly [key: string, item: Value][];
  next: number;
}

/** Fills in the templates in every string of a value. Keys stay as they are (format spec §5.6). */
export function interpolateValue(
  value: Value,
  extractors: ValueMap,
  request?: Value,
  response?: Value,
): InterpolatedValue {
  // Most values have no template, and a search is much cheaper than a copy.
  if (!hasTemplate(value)) return { value, diagnostics: [], unresolved: [] };
  const diagnostics: Diagnostic[] = [];
  const unresolved: string[] = [];
  const room = createRoom();
  // An explicit stack, as in `formatCompactJson`.
  const frames: Frame[] = [];
  const fill = (item: Value): Value => {
    if (typeof item === 'string') {
      const filled = fillTemplate(item, room, extractors, request, response);
      for (const diagnostic of filled.diagnostics) diagnostics.push(diagnostic);
      for (const name of filled.unresolved) unresolved.push(name);
      return filled.text;
    }
    if (!isCollection(item)) return item;
    const copy = (Array.isArray(item) ? [] : {}) as Record<string, Value>;
    frames.push({ copy, entries: Object.entries(item), next: 0 });
    return Array.isArray(item) ? copy : sortKeys(copy, Object.keys(item));
  };
  const root = fill(value);
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const entry = frame.entries[frame.next++];
    if (entry === undefined) frames.pop();
    else setOwn(frame.copy, entry[0], fill(entry[1]));
  }
  return { value: root, diagnostics, unresolved };
}

/** Whether any string of a value contains `{{`, or the given opening. */
export function hasTemplate(value: Value, opening = '{{'): boolean {
  if (typeof value === 'string') return value.includes(opening);
  const pending: Value[] = [value];
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    if (typeof item === 'string') {
      if (item.includes(opening)) return true;
    } else if (Array.isArray(item)) for (const inner of item) pending.push(inner);
    else if (isCollection(item)) for (const key in item) pending.push((item as ValueMap)[key] as Value);
  }
  return false;
}
