import type { Action, Condition, Extractor, MatchPredicate, Trigger } from '../../model/document.ts';
import type { NormalizedIndicator } from '../../model/normalized.ts';
import { type MatchOperator, matchOperators } from '../../model/operators.ts';
import { isValueMap, type Value } from '../../model/value.ts';
import { compactJson } from '../../primitives/compact-json.ts';
import { isMatchCondition } from '../../primitives/evaluate-condition.ts';
import { decodeKey } from '../../registry/fields.ts';

// Parts of a document as phrases. They quote hostile text, so the caller makes control characters visible before
// printing.

const longest = 200;

export function brief(text: string, most = longest): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}

export function quote(value: Value): string {
  return typeof value === 'string' ? `"${brief(value)}"` : brief(compactJson(value, 'own'));
}

const operators: { readonly [O in MatchOperator]: (operand: Value) => string } = {
  contains: (part) => `contains ${quote(part)}`,
  starts_with: (part) => `starts with ${quote(part)}`,
  ends_with: (part) => `ends with ${quote(part)}`,
  regex: (source) => `matches /${brief(String(source))}/`,
  any_of: (values) => `is one of ${(Array.isArray(values) ? values : [values]).map(quote).join(', ')}`,
  gt: (bound) => `is more than ${quote(bound)}`,
  lt: (bound) => `is less than ${quote(bound)}`,
  gte: (bound) => `is at least ${quote(bound)}`,
  lte: (bound) => `is at most ${quote(bound)}`,
  exists: (wanted) => (wanted === false ? 'is not there' : 'is there'),
};

function conditionInWords(condition: Condition): string {
  if (!isMatchCondition(condition)) return `is ${quote(condition as Value)}`;
  return matchOperators
    .flatMap((name) => {
      const operand: unknown = condition[name];
      return operand === undefined || operand === null ? [] : [operators[name](operand as Value)];
    })
    .join(' and ');
}

export function predicateInWords(predicate: MatchPredicate): string {
  return Object.entries(predicate)
    .map(([path, condition]) => `${path} ${conditionInWords(condition)}`)
    .join(', and ');
}

/** The condition that ends a phase; a phase without a trigger is the last one. */
export function triggerInWords(trigger: Trigger | undefined): string {
  if (trigger === undefined) return 'with the run';
  const { event, count = 1, match, after } = trigger;
  const happens =
    event === undefined
      ? []
      : [
          `at the ${ordinal(count)} ${event}` +
            `${match === undefined ? '' : ` whose ${predicateInWords(match)}`}`,
        ];
  return [...happens, ...(after === undefined ? [] : [`after ${after}`])].join(', or ');
}

function ordinal(count: number): string {
  if (count === 1) return 'first';
  const tens = count % 100;
  const suffix = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][count % 10] ?? 'th');
  return `${count}${suffix}`;
}

export function extractorInWords({ name, source, type, selector }: Extractor): string {
  const how = type === 'regex' ? `/${brief(selector)}/` : brief(selector);
  return `takes {{${name}}} from ${source}s, by ${how}`;
}

export function actionInWords({ send, log, binding }: Action): string {
  if (send !== undefined) {
    const params = send.params === undefined ? '' : ` ${brief(compactJson(send.params, 'own'))}`;
    return `sends ${send.method ?? 'nothing'}${params}`;
  }
  if (log !== undefined) return `logs (${log.level ?? 'info'}) ${quote(log.message ?? '')}`;
  return Object.entries(binding ?? {})
    .map(([key, value]) =>
      key === 'send_push_notification' ? pushInWords(value) : `${key}, if a binding knows it`,
    )
    .join(', ');
}

function pushInWords(value: Value): string {
  const { url = '', payload = null } = isValueMap(value) ? value : {};
  return `sends a push notification to ${quote(String(url))} ${brief(compactJson(payload, 'own'))}`;
}

/** The messages that an indicator looks at. */
export function whereInWords({ protocol, surface, direction, actor }: NormalizedIndicator): string {
  const messages = direction === undefined ? 'messages' : `${direction}s`;
  return (
    `${surface === undefined ? `all ${messages}` : `${surface} ${messages}`} over ${protocol}` +
    `${actor === undefined ? '' : `, on the connection of ${actor}`}`
  );
}

/** The condition of an indicator on these messages. */
export function whatInWords(indicator: NormalizedIndicator): string {
  const { target, pattern, expression, semantic, extensions } = indicator;
  const behind = extensions?.[decodeKey] === true ? ', behind disguises too' : '';
  if (pattern !== undefined)
    return `${placeOf(pattern.target)} ${conditionInWords(pattern.condition)}${behind}`;
  if (expression !== undefined) return `${brief(expression.cel, 400)} (CEL)`;
  if (semantic === undefined) return placeOf(target);
  const threshold = semantic.threshold === undefined ? '' : `, at ${semantic.threshold} or more`;
  return `${placeOf(semantic.target)} means: ${brief(semantic.intent, 400)}${threshold}`;
}

function placeOf(target: string): string {
  return target === '' ? 'the whole message' : target;
}
