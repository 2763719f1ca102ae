import { isCompileFailure } from '../../format/expression/evaluation-limits.ts';
import { compileJsonPath } from '../../format/expression/json-path.ts';
import { compileRegex } from '../../format/expression/regex.ts';
import type { Condition, MatchPredicate } from '../../format/model/attack-document.ts';
import { isEvaluationError } from '../../format/model/errors.ts';
import type { MessageRecord } from '../../format/model/trace-record.ts';
import { isValueMap, type Value } from '../../format/model/value.ts';
import { formatAsText } from '../../format/primitives/compact-json.ts';
import { evaluateExtractor } from '../../format/primitives/evaluate-extractor.ts';
import { evaluatePredicate } from '../../format/primitives/evaluate-predicate.ts';
import { interpolateTemplate } from '../../format/primitives/interpolate-template.ts';
import { messageValue } from '../../format/primitives/message-value.ts';
import { resolveSimplePath } from '../../format/primitives/resolve-simple-path.ts';
import { resolveWildcardPath } from '../../format/primitives/resolve-wildcard-path.ts';
import { createSamples, findNearMiss } from '../../judgement/evaluate/near-miss.ts';
import { evaluatePattern } from '../../judgement/evaluate/pattern.ts';
import { suggestPath } from '../../judgement/evaluate/suggest-path.ts';

export interface AttemptResult {
  readonly holds: boolean;
  /** The values that were looked at and the result for each, one line each. */
  readonly saw: readonly string[];
}

/** A pattern, expression or extractor that is tried on one message after another. */
export interface Attempt {
  on(record: MessageRecord): AttemptResult;
  /** The nearest message, if none matched. */
  nearest(records: readonly MessageRecord[]): string | undefined;
}

export type AttemptOrProblem =
  | { readonly ok: true; readonly attempt: Attempt }
  | { readonly ok: false; readonly problem: string };

const longestShown = 200;

export function createPatternAttempt(target: string, condition: Condition): AttemptOrProblem {
  const pattern = { target, condition };
  const regex = isValueMap(condition) ? condition.regex : undefined;
  const compiled = typeof regex === 'string' ? compileRegex(regex) : undefined;
  if (compiled !== undefined && isCompileFailure(compiled))
    return { ok: false, problem: `this is not RE2: ${compiled.failure}` };
  return toMadeAttempt({
    on(record) {
      const message = messageValue(record);
      const values = resolveWildcardPath(target, message);
      const result = evaluatePattern(pattern, message);
      const where = target === '' ? 'the whole message' : target;
      return {
        holds: result === true,
        saw: [
          ...(values.length === 0
            ? [`nothing is at ${where}`]
            : values.map((value) => `${where}: ${formatTriedValue(value)}`)),
          ...describeEvaluationFailure(result),
        ],
      };
    },
    nearest(records) {
      const near = findNearMiss(pattern, records, createSamples());
      if (near !== undefined) return `record ${near.record} ${near.reason}: ${near.path} is ${near.value}`;
      return suggestMessagePath(target, records);
    },
  });
}

export function createPredicateAttempt(predicate: MatchPredicate): AttemptOrProblem {
  const listConditions = (record: MessageRecord): readonly (readonly [string, boolean, Value | undefined])[] =>
    Object.entries(predicate).map(([path, condition]) => {
      const message = messageValue(record);
      return [path, evaluatePredicate({ [path]: condition }, message), resolveSimplePath(path, message)];
    });
  return toMadeAttempt({
    on(record) {
      const conditions = listConditions(record);
      return {
        holds: conditions.every(([, holds]) => holds),
        saw: conditions.map(
          ([path, holds, value]) =>
            `${holds ? 'holds' : 'fails'} ${path}: ${value === undefined ? 'nothing is there' : formatTriedValue(value)}`,
        ),
      };
    },
    nearest(records) {
      const ranked = records.map((record) => ({
        record,
        failed: listConditions(record).filter(([, holds]) => !holds),
      }));
      const [best] = ranked.sort((a, b) => a.failed.length - b.failed.length);
      if (best === undefined || best.failed.length === Object.keys(predicate).length)
        return suggestMessagePath(Object.keys(predicate)[0] ?? '', records);
      return `record ${best.record.seq} fails only ${best.failed.map(([path]) => path).join(', ')}`;
    },
  });
}

export function createTemplateAttempt(template: string): AttemptOrProblem {
  return toMadeAttempt({
    on(record) {
      const message = messageValue(record);
      const { text, unresolved } = interpolateTemplate(template, {}, message, message);
      return {
        holds: unresolved.length === 0,
        saw: [`gives ${JSON.stringify(text)}`, ...unresolved.map((name) => `{{${name}}} stands for nothing`)],
      };
    },
    nearest(records) {
      const names = [...template.matchAll(/\{\{(?:request|response)\.([^}]+)\}\}/g)].map(([, path = '']) => path);
      return names.map((path) => suggestMessagePath(path, records)).find((each) => each !== undefined);
    },
  });
}

export function toMadeAttempt(attempt: Attempt): AttemptOrProblem {
  return { ok: true, attempt };
}

export function describeEvaluationFailure(result: unknown): readonly string[] {
  return typeof result === 'object' &&
    result !== null &&
    isValueMap(result as Value) &&
    isEvaluationError(result as never)
    ? [`fails: ${(result as { message: string }).message}`]
    : [];
}

export function suggestMessagePath(path: string, records: readonly MessageRecord[]): string | undefined {
  const meant = suggestPath(path, records.map(messageValue));
  return meant === undefined ? undefined : `no message has ${path}; did you mean ${meant}?`;
}

export function formatTriedValue(value: Value): string {
  const text = formatAsText(value, 'sorted');
  const quoted = typeof value === 'string' ? JSON.stringify(text) : text;
  return quoted.length > longestShown ? `${quoted.slice(0, longestShown)}…` : quoted;
}

export function createExtractorAttempt(selector: string): AttemptOrProblem {
  const type = selector.startsWith('$') ? 'json_path' : 'regex';
  const compiled = type === 'json_path' ? compileJsonPath(selector) : compileRegex(selector);
  if (isCompileFailure(compiled)) return { ok: false, problem: compiled.failure };
  const taken = (record: MessageRecord, written = selector): string | undefined =>
    evaluateExtractor({ name: 'tried', source: 'request', type, selector: written }, messageValue(record), 'request');
  return toMadeAttempt({
    on(record) {
      const value = taken(record);
      return {
        holds: value !== undefined,
        saw: [
          `message: ${formatTriedValue(messageValue(record))}`,
          value === undefined ? 'takes nothing' : `takes ${JSON.stringify(value)}`,
        ],
      };
    },
    nearest(records) {
      if (type === 'json_path') return suggestMessagePath(toDotPath(selector), records);
      for (const record of records) {
        const value = taken(record, `(?i)${selector}`);
        if (value !== undefined)
          return `record ${record.seq} has ${JSON.stringify(value)} in other letters: begin with (?i)`;
      }
      return undefined;
    },
  });
}

/** The plain part of a JSONPath as a dot-path, up to the first selector that is not plain. */
function toDotPath(selector: string): string {
  const [, plain = ''] = /^\$((?:\.\w+|\[\d+\]|\['\w+'\])*)/.exec(selector) ?? [];
  return plain.replace(/\['?(\w+)'?\]/g, '.$1').slice(1);
}
