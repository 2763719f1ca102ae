import { isDecoded } from '../../format/extensions/read-decode.ts';
import type { Action, Condition, Extractor, MatchPredicate, Trigger } from '../../format/model/attack-document.ts';
import type { NormalizedIndicator } from '../../format/model/normalized.ts';
import { isValueMap, type Value } from '../../format/model/value.ts';
import { formatCompactJson } from '../../format/primitives/compact-json.ts';
import { isMatchCondition } from '../../format/primitives/evaluate-condition.ts';
import { type MatchOperator, matchOperators } from '../../format/registry/fields.ts';

// Parts of a document as phrases. They quote hostile text, so the caller makes control characters visible before
// printing.

const longest = 200;

export function shortenToLine(text: string, most = longest): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}

export function quoteBriefly(value: Value): string {
  return typeof value === 'string' ? `"${shortenToLine(value)}"` : shortenToLine(formatCompactJson(value, 'own'));
}

const operators: { readonly [O in MatchOperator]: (operand: Value) => string } = {
  contains: (part) => `contains ${quoteBriefly(part)}`,
  starts_with: (part) => `starts with ${quoteBriefly(part)}`,
  ends_with: (part) => `ends with ${quoteBriefly(part)}`,
  regex: (source) => `matches /${shortenToLine(String(source))}/`,
  any_of: (values) => `is one of ${(Array.isArray(values) ? values : [values]).map(quoteBriefly).join(', ')}`,
  gt: (bound) => `is more than ${quoteBriefly(bound)}`,
  lt: (bound) => `is less than ${quoteBriefly(bound)}`,
  gte: (bound) => `is at least ${quoteBriefly(bound)}`,
  lte: (bound) => `is at most ${quoteBriefly(bound)}`,
  exists: (wanted) => (wanted === false ? 'is not there' : 'is there'),
};

function describeCondition(condition: Condition): string {
  if (!isMatchCondition(condition)) return `is ${quoteBriefly(condition as Value)}`;
  return matchOperators
    .flatMap((name) => {
      const operand: unknown = condition[name];
      return operand === undefined || operand === null ? [] : [operators[name](operand as Value)];
    })
    .join(' and ');
}

export function describePredicate(predicate: MatchPredicate): string {
  return Object.entries(predicate)
    .map(([path, condition]) => `${path} ${describeCondition(condition)}`)
    .join(', and ');
}

/** The condition that ends a phase; a phase without a trigger is the last one. */
export function describeTrigger(trigger: Trigger | undefined): string {
  if (trigger === undefined) return 'with the run';
  const { event, count = 1, match, after } = trigger;
  const happens =
    event === undefined
      ? []
      : [
          `at the ${formatOrdinal(count)} ${event}` +
            `${match === undefined ? '' : ` whose ${describePredicate(match)}`}`,
        ];
  return [...happens, ...(after === undefined ? [] : [`after ${after}`])].join(', or ');
}

function formatOrdinal(count: number): string {
  if (count === 1) return 'first';
  const tens = count % 100;
  const suffix = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][count % 10] ?? 'th');
  return `${count}${suffix}`;
}

export function describeExtractor({ name, source, type, selector }: Extractor): string {
  const how = type === 'regex' ? `/${shortenToLine(selector)}/` : shortenToLine(selector);
  return `takes {{${name}}} from ${source}s, by ${how}`;
}

export function describeAction({ send, log, binding }: Action): string {
  if (send !== undefined) {
    const params = send.params === undefined ? '' : ` ${shortenToLine(formatCompactJson(send.params, 'own'))}`;
    return `sends ${send.method ?? 'nothing'}${params}`;
  }
  if (log !== undefined) return `logs (${log.level ?? 'info'}) ${quoteBriefly(log.message ?? '')}`;
  return Object.entries(binding ?? {})
    .map(([key, value]) => (key === 'send_push_notification' ? describePush(value) : `${key}, if a binding knows it`))
    .join(', ');
}

function describePush(value: Value): string {
  const { url = '', payload = null } = isValueMap(value) ? value : {};
  return `sends a push notification to ${quoteBriefly(String(url))} ${shortenToLine(formatCompactJson(payload, 'own'))}`;
}

export function describeScope({ protocol, surface, direction, actor }: NormalizedIndicator): string {
  const messages = direction === undefined ? 'messages' : `${direction}s`;
  return (
    `${surface === undefined ? `all ${messages}` : `${surface} ${messages}`} over ${protocol}` +
    `${actor === undefined ? '' : `, on the connection of ${actor}`}`
  );
}

export function describeIndicatorCondition(indicator: NormalizedIndicator): string {
  const { target, pattern, expression, semantic } = indicator;
  const behind = isDecoded(indicator) ? ', behind disguises too' : '';
  if (pattern !== undefined)
    return `${describeTarget(pattern.target)} ${describeCondition(pattern.condition)}${behind}`;
  if (expression !== undefined) return `${shortenToLine(expression.cel, 400)} (CEL)`;
  if (semantic === undefined) return describeTarget(target);
  const threshold = semantic.threshold === undefined ? '' : `, at ${semantic.threshold} or more`;
  return `${describeTarget(semantic.target)} means: ${shortenToLine(semantic.intent, 400)}${threshold}`;
}

function describeTarget(target: string): string {
  return target === '' ? 'the whole message' : target;
}
