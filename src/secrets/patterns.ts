import type { Regex } from '../expression/regex.ts';
import { isEvaluationError } from '../model/errors.ts';
import { isValueMap, setOwn, type Value, type ValueMap } from '../model/value.ts';

const deepest = 1_000;
const masked = '****';

/** Strikes out what patterns find. */
export interface Striker {
  inText(text: string): string;
  /** In what a record carries. Its own fields stay: a pattern of four digits must not take its year. */
  inRecord(record: ValueMap): ValueMap;
  /** In what a judgement quotes. */
  inJudged(judged: ValueMap): ValueMap;
}

/** What a record is told by, rather than what was said. */
const envelope = new Set([
  ...['seq', 'timestamp', 'actor', 'protocol', 'mode', 'phase', 'session', 'kind', 'origin', 'method'],
  ...['id', 'level', 'event', 'raw'],
]);

/** What quotes others in a judgement. */
const quoting = new Set(['evidence', 'reason', 'message', 'hint', 'stderr', 'path']);

export function strikerFor(patterns: readonly Regex[]): Striker {
  if (patterns.length === 0)
    return { inText: (text) => text, inRecord: (record) => record, inJudged: (judged) => judged };
  const inText = (text: string): string => patterns.reduce(withoutMatches, text);

  function everywhere(value: Value, depth = 0): Value {
    if (depth > deepest) return masked;
    if (Array.isArray(value)) return value.map((item: Value) => everywhere(item, depth + 1));
    if (isValueMap(value)) return mapped(value, (name, item) => [inText(name), everywhere(item, depth + 1)]);
    if (value === null || value === undefined) return value;
    const text = inText(String(value));
    return text === String(value) ? value : text;
  }

  function quoted(value: Value): Value {
    if (Array.isArray(value)) return value.map(quoted);
    if (!isValueMap(value)) return value;
    return mapped(value, (name, item) => [name, quoting.has(name) ? everywhere(item) : quoted(item)]);
  }

  return {
    inText,
    inRecord: (record) =>
      mapped(record, (name, item) => [name, envelope.has(name) ? item : everywhere(item)]),
    inJudged: (judged) => quoted(judged) as ValueMap,
  };
}

function mapped(map: ValueMap, change: (name: string, item: Value) => readonly [string, Value]): ValueMap {
  const copy: Record<string, Value> = {};
  for (const [name, item] of Object.entries(map)) setOwn(copy, ...change(name, item));
  return copy;
}

function withoutMatches(text: string, pattern: Regex): string {
  const found = pattern.findAll(text);
  // What is too long to be searched may hold anything.
  if (isEvaluationError(found)) return masked;
  let kept = '';
  let end = 0;
  for (const { from, to } of found) {
    kept += text.slice(end, from) + masked;
    end = to;
  }
  return kept + text.slice(end);
}
