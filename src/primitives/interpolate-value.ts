import type { Diagnostic } from '../model/errors.ts';
import { isValueMap, setOwn, type Value, type ValueMap } from '../model/value.ts';
import { interpolateTemplate } from './interpolate-template.ts';

export interface InterpolatedValue {
  readonly value: Value;
  readonly diagnostics: readonly Diagnostic[];
}

/** Fills in the templates of every string in a value; keys stay as they are (§5.6). */
export function interpolateValue(
  value: Value,
  extractors: ValueMap,
  request?: Value,
  response?: Value,
): InterpolatedValue {
  const diagnostics: Diagnostic[] = [];
  const fill = (item: Value): Value => {
    if (typeof item === 'string') {
      const filled = interpolateTemplate(item, extractors, request, response);
      for (const diagnostic of filled.diagnostics) diagnostics.push(diagnostic);
      return filled.text;
    }
    if (Array.isArray(item)) return item.map(fill);
    if (!isValueMap(item)) return item;
    const copy: Record<string, Value> = {};
    for (const [key, inner] of Object.entries(item)) setOwn(copy, key, fill(inner));
    return copy;
  };
  return { value: fill(value), diagnostics };
}
