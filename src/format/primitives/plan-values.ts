import { isCompileFailure } from '../expression/evaluation-limits.ts';
import { compileJsonPath } from '../expression/json-path.ts';
import { compileRegex } from '../expression/regex.ts';
import { isEvaluationError } from '../model/errors.ts';
import { tryParseJson } from '../model/json-text-values.ts';
import type { StepResult } from '../model/user-plan.ts';
import { isCollection, isValueMap, setOwn, type Value } from '../model/value.ts';
import { formatAsText } from './compact-json.ts';

// Values of earlier steps in the texts of a plan: `{{2:$.total}}` and `{{2:/EUR ([0-9.]+)/}}`.

/** A value in a text. `from` is the number of the step, or another name that the caller knows. */
export interface PlanReference {
  readonly from: string;
  /** A JSONPath, or a regular expression between slashes. */
  readonly selector: string;
  readonly written: string;
}

type PlanTextPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly reference: PlanReference }
  /** Braces that hold no such value. */
  | { readonly kind: 'wrong'; readonly written: string };

/** Splits a text in one pass. `\{{` stands for braces that are meant as such. */
export function splitPlanText(text: string): readonly PlanTextPart[] {
  const parts: PlanTextPart[] = [];
  let at = 0;
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', at)) {
    const isEscaped = text[open - 1] === '\\' && open > at;
    const before = text.slice(at, isEscaped ? open - 1 : open);
    if (isEscaped) {
      parts.push({ kind: 'text', text: `${before}{{` });
      at = open + 2;
      continue;
    }
    if (before !== '') parts.push({ kind: 'text', text: before });
    const [head = '', from] = /^\{\{(\w{1,16}):/.exec(text.slice(open, open + 20)) ?? [];
    const start = open + head.length;
    // A regular expression may hold braces; it ends with its slash.
    const isRegex = head !== '' && text[start] === '/';
    const end = text.indexOf(isRegex ? '/}}' : '}}', start + 1);
    if (end < 0) {
      parts.push({ kind: 'wrong', written: text.slice(open) });
      return parts;
    }
    at = end + (isRegex ? 3 : 2);
    const written = text.slice(open, at);
    const selector = text.slice(start, at - 2);
    if (from === undefined || !(isRegex || selector.startsWith('$'))) parts.push({ kind: 'wrong', written });
    else parts.push({ kind: 'value', reference: { from, selector, written } });
  }
  if (at < text.length) parts.push({ kind: 'text', text: text.slice(at) });
  return parts;
}

/** Every part of the texts in a value that is not plain text, keys included. */
export function* listPlanReferences(value: Value): Generator<Exclude<PlanTextPart, { kind: 'text' }>> {
  const pending: Value[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') {
      for (const part of splitPlanText(next)) if (part.kind !== 'text') yield part;
    } else if (isCollection(next)) pending.push(...(Object.values(next) as Value[]));
  }
}

/** Says why a selector cannot be used; undefined if it can. */
export function findSelectorProblem(selector: string): string | undefined {
  const compiled = isRegex(selector) ? compileRegex(readRegex(selector)) : compileJsonPath(selector);
  return isCompileFailure(compiled) ? compiled.failure : undefined;
}

function isRegex(selector: string): boolean {
  return selector.startsWith('/');
}

function readRegex(selector: string): string {
  return selector.slice(1, -1);
}

/** The number of characters of a value that is filled in, and of the levels of a list or object. */
const longestValue = 128 * 1024;
const deepestValue = 32;

/** Finds a value in the result of a step; undefined if it is not there or cannot be found within the limits. */
export function findPlanValue(selector: string, { text, structured }: StepResult): Value | undefined {
  if (isRegex(selector)) {
    const regex = compileRegex(readRegex(selector));
    if (isCompileFailure(regex)) return undefined;
    const match = regex.find(text);
    if (match === undefined || isEvaluationError(match)) return undefined;
    const found = regex.groupCount > 0 ? match.group : text.slice(match.from, match.to);
    return found === undefined || found.length > longestValue ? undefined : found;
  }
  const find = compileJsonPath(selector);
  if (isCompileFailure(find)) return undefined;
  for (const value of [structured, tryParseJson(text)]) {
    const result = value === undefined ? undefined : find(value);
    if (result === undefined || !('found' in result) || result.found === undefined) continue;
    return isWithinBounds(result.found) ? result.found : undefined;
  }
  return undefined;
}

function isWithinBounds(value: Value): boolean {
  let level: readonly Value[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepestValue || level.length > longestValue) return false;
    level = level.flatMap((each) => (isCollection(each) ? (Object.values(each) as Value[]) : []));
  }
  return formatAsText(value, 'own').length <= longestValue;
}

export interface FilledValue {
  readonly value: Value;
  /** The values that were not found, as they are written. */
  readonly missing: readonly string[];
}

/** Fills the values into every text of a value. A value that is not found reads `[not found]`. */
export function fillPlanValue(value: Value, find: (reference: PlanReference) => Value | undefined): FilledValue {
  const missing: string[] = [];
  const look = (reference: PlanReference): Value => {
    const found = find(reference);
    if (found === undefined) missing.push(reference.written);
    return found ?? '[not found]';
  };
  const fillText = (text: string): Value => {
    const parts = splitPlanText(text);
    const [only] = parts;
    // A text that is only one value takes its type.
    if (parts.length === 1 && only?.kind === 'value') return look(only.reference);
    return parts
      .map((part) =>
        part.kind === 'text'
          ? part.text
          : part.kind === 'wrong'
            ? part.written
            : formatAsText(look(part.reference), 'own'),
      )
      .join('');
  };
  const fill = (each: Value): Value => {
    if (typeof each === 'string') return fillText(each);
    if (Array.isArray(each)) return (each as readonly Value[]).map(fill);
    if (!isValueMap(each)) return each;
    const filled: Record<string, Value> = {};
    for (const [key, item] of Object.entries(each)) setOwn(filled, key, fill(item));
    return filled;
  };
  return { value: fill(value), missing };
}
