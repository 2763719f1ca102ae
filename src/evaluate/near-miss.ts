import { compileRegex } from '../expression/regex.ts';
import { requiredLiterals } from '../expression/required-literals.ts';
import type { Condition } from '../model/document.ts';
import type { NormalizedPattern } from '../model/normalized.ts';
import type { MessageRecord } from '../model/trace.ts';
import type { Value } from '../model/value.ts';
import type { NearMiss } from '../model/verdict.ts';
import { textOf } from '../primitives/compact-json.ts';
import { isMatchCondition } from '../primitives/evaluate-condition.ts';
import { messageValue } from '../primitives/message-value.ts';
import { compileWildcardPath } from '../primitives/resolve-wildcard-path.ts';

/** Longer texts are not gone through a second time. */
const longestText = 64 * 1024;
const longestShown = 80;

/** How near a value comes, the nearest first. */
type Nearness = (value: Value, text: string) => string | undefined;

/** The value in some messages that nearly satisfies a condition. */
export function nearMiss(
  pattern: NormalizedPattern,
  records: readonly MessageRecord[],
): NearMiss | undefined {
  const rows = nearnessOf(pattern.condition);
  if (rows.length === 0) return undefined;
  const path = compileWildcardPath(pattern.target);
  const values = records.flatMap((record) =>
    path.located(messageValue(record)).flatMap(({ path: place, value }) => {
      const text = textOf(value, 'sorted');
      return text.length > longestText ? [] : [{ record: record.seq, path: place, value, text }];
    }),
  );
  for (const nearness of rows)
    for (const { record, path: place, value, text } of values) {
      const reason = nearness(value, text);
      if (reason !== undefined) return { record, path: place, value: shown(value, text), reason };
    }
  return undefined;
}

function nearnessOf(condition: Condition): readonly Nearness[] {
  if (!isMatchCondition(condition)) return [sameButForCase([condition]), () => 'has another value'];
  const { contains, starts_with, ends_with, regex, any_of, gt, lt, gte, lte } = condition;
  const within = (part: string, reason: string): Nearness => {
    const wanted = part.toLowerCase();
    return (_, text) => (text.toLowerCase().includes(wanted) ? reason : undefined);
  };
  const isNumeric = [gt, lt, gte, lte].some((bound) => typeof bound === 'number');
  return [
    ...(typeof contains === 'string' ? [within(contains, otherCase)] : []),
    ...(typeof starts_with === 'string' ? [within(starts_with, 'has it, but not at the start')] : []),
    ...(typeof ends_with === 'string' ? [within(ends_with, 'has it, but not at the end')] : []),
    ...(typeof regex === 'string' ? [matchingAnyCase(regex)] : []),
    ...(Array.isArray(any_of) ? [sameButForCase(any_of), () => 'has another value'] : []),
    ...(isNumeric ? [beyondBound] : []),
  ];
}

const otherCase = 'differs only in case';

function beyondBound(value: Value): string {
  return typeof value === 'number' ? 'has another number' : 'has no number';
}

function sameButForCase(wanted: readonly Value[]): Nearness {
  const texts = new Set(wanted.map((value) => textOf(value, 'sorted').toLowerCase()));
  return (_, text) => (texts.has(text.toLowerCase()) ? 'differs only in case or type' : undefined);
}

function matchingAnyCase(source: string): Nearness {
  const anyCase = `(?i)${source}`;
  const literals = requiredLiterals(anyCase)?.texts.map((text) => text.toLowerCase());
  let test: ((text: string) => boolean) | undefined;
  return (_, text) => {
    // Compiling takes longer than asking whether there can be a match at all.
    const lower = text.toLowerCase();
    if (literals !== undefined && !literals.some((literal) => lower.includes(literal))) return undefined;
    test ??= searchOf(anyCase);
    return test(text) ? otherCase : undefined;
  };
}

function searchOf(source: string): (text: string) => boolean {
  const regex = compileRegex(source);
  return 'failure' in regex ? () => false : (text) => regex.test(text) === true;
}

function shown(value: Value, text: string): string {
  const cropped = text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
  return typeof value === 'string' ? JSON.stringify(cropped) : cropped;
}
