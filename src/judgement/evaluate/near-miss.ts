import { findRequiredLiterals } from '../../format/expression/plain-regex.ts';
import { compileRegex } from '../../format/expression/regex.ts';
import type { Condition } from '../../format/model/attack-document.ts';
import type { NearMiss } from '../../format/model/attack-verdict.ts';
import type { NormalizedPattern } from '../../format/model/normalized.ts';
import type { MessageRecord } from '../../format/model/trace-record.ts';
import type { Value } from '../../format/model/value.ts';
import { isNumeric } from '../../format/model/written-number.ts';
import { formatAsText } from '../../format/primitives/compact-json.ts';
import { isMatchCondition } from '../../format/primitives/evaluate-condition.ts';
import { messageValue } from '../../format/primitives/message-value.ts';
import { compileWildcardPath } from '../../format/primitives/resolve-wildcard-path.ts';
import { formatFound } from './expectation.ts';

/** Longer texts are not searched for near misses. */
const longestText = 64 * 1024;
const mostValues = 100;

/** A value that is searched for a near miss. */
interface Sample {
  readonly record: number;
  readonly path: string;
  readonly value: Value;
  readonly text: string;
  readonly lower: string;
}

/** A message, or a projection of messages, that values are taken from. */
export type SampleSource = Pick<MessageRecord, 'seq' | 'content' | 'request' | 'kind' | 'mode'>;

/** The values of targets in the kept messages. Indicators share both. */
export interface Samples {
  at(target: string, source: SampleSource): readonly Sample[];
}

export function createSamples(): Samples {
  const byTarget = new Map<string, Map<SampleSource, readonly Sample[]>>();
  return {
    at(target, record) {
      let byRecord = byTarget.get(target);
      if (byRecord === undefined) {
        byRecord = new Map();
        byTarget.set(target, byRecord);
      }
      let samples = byRecord.get(record);
      if (samples === undefined) {
        samples = collectSamples(target, record);
        byRecord.set(record, samples);
      }
      return samples;
    },
  };
}

function collectSamples(target: string, record: SampleSource): readonly Sample[] {
  return compileWildcardPath(target)
    .located(messageValue(record))
    .slice(0, mostValues)
    .flatMap(({ path, value }) => {
      const text = formatAsText(value, 'sorted');
      if (text.length > longestText) return [];
      return [{ record: record.seq, path, value, text, lower: text.toLowerCase() }];
    });
}

/** Says how a value nearly satisfies the condition; undefined if it does not. */
type Nearness = (sample: Sample) => string | undefined;

/** Finds the value in some messages that comes nearest to a condition; of those that are not near, the first. */
export function findNearMiss(
  { condition, target }: NormalizedPattern,
  records: readonly SampleSource[],
  samples: Samples,
): NearMiss | undefined {
  for (const nearness of [...createNearness(condition), describeOther])
    for (const record of records)
      for (const sample of samples.at(target, record)) {
        const reason = nearness(sample);
        if (reason !== undefined)
          return { record: sample.record, path: sample.path, value: formatFound(sample.path, sample.value), reason };
      }
  return undefined;
}

function createNearness(condition: Condition): readonly Nearness[] {
  if (!isMatchCondition(condition)) return [createCaseNearness([condition])];
  const { contains, starts_with, ends_with, regex, any_of, gt, lt, gte, lte } = condition;
  const within = (part: string, reason: string): Nearness => {
    const wanted = part.toLowerCase();
    return ({ lower }) => (lower.includes(wanted) ? reason : undefined);
  };
  const hasBound = [gt, lt, gte, lte].some(isNumeric);
  return [
    ...(typeof contains === 'string' ? [within(contains, otherCase)] : []),
    ...(typeof starts_with === 'string' ? [within(starts_with, 'has it, but not at the start')] : []),
    ...(typeof ends_with === 'string' ? [within(ends_with, 'has it, but not at the end')] : []),
    // A regex that already ignores case cannot miss by case.
    ...(typeof regex === 'string' && !regex.startsWith('(?i)') ? [createRegexNearness(regex)] : []),
    ...(Array.isArray(any_of) ? [createCaseNearness(any_of)] : []),
    ...(hasBound ? [describeBeyondBound] : []),
  ];
}

const otherCase = 'differs only in case';
const notNear: readonly string[] = ['has another value', 'has another number', 'has no number'];

function describeOther(): string {
  return 'has another value';
}

/** Whether the value is a near miss, so that the difference says more than the value itself. */
export function isNear({ reason }: NearMiss): boolean {
  return !notNear.includes(reason);
}

function describeBeyondBound({ value }: Sample): string {
  return isNumeric(value) ? 'has another number' : 'has no number';
}

function createCaseNearness(wanted: readonly Value[]): Nearness {
  const texts = new Set(wanted.map((value) => formatAsText(value, 'sorted').toLowerCase()));
  return ({ lower }) => (texts.has(lower) ? 'differs only in case or type' : undefined);
}

function createRegexNearness(source: string): Nearness {
  const anyCase = `(?i)${source}`;
  const literals = findRequiredLiterals(anyCase)?.texts.map((text) => text.toLowerCase());
  let test: ((text: string) => boolean) | undefined;
  return ({ text, lower }) => {
    // The search for literals is cheaper than compiling the regex, so it comes first.
    if (literals !== undefined && !literals.some((literal) => lower.includes(literal))) return undefined;
    test ??= createRegexTest(anyCase);
    return test(text) ? otherCase : undefined;
  };
}

function createRegexTest(source: string): (text: string) => boolean {
  const regex = compileRegex(source);
  return 'failure' in regex ? () => false : (text) => regex.test(text) === true;
}
