import type { Condition, ExpressionMatch } from '../../format/model/attack-document.ts';
import type { NormalizedIndicator } from '../../format/model/normalized.ts';
import type { Value } from '../../format/model/value.ts';
import { formatAsText } from '../../format/primitives/compact-json.ts';
import { isMatchCondition } from '../../format/primitives/evaluate-condition.ts';
import { resolveSimplePath } from '../../format/primitives/resolve-simple-path.ts';
import { type MatchOperator, matchOperators } from '../../format/registry/fields.ts';
import { defaultThreshold } from './semantic.ts';

// What an indicator looks for, and what was there instead, in words.

/** Says what an indicator looks for: `expected arguments.city to contain "Lisbon"`. */
export function describeExpectation({ target, pattern, expression, semantic }: NormalizedIndicator): string {
  if (expression !== undefined) return `expected the expression ${cropText(expression.cel, longestOperand)} to hold`;
  const what = pattern?.target ?? semantic?.target ?? target;
  const subject = what === '' ? 'the message' : what;
  if (semantic !== undefined) {
    const { intent, threshold = defaultThreshold } = semantic;
    return `expected ${subject} to mean ${formatOperand(intent)} with a score of at least ${threshold}`;
  }
  return `expected ${subject} ${pattern === undefined ? 'to match' : formatCondition(pattern.condition)}`;
}

const words: { readonly [O in Exclude<MatchOperator, 'exists' | 'any_of' | 'regex'>]: string } = {
  contains: 'to contain',
  starts_with: 'to start with',
  ends_with: 'to end with',
  gt: 'to be greater than',
  lt: 'to be less than',
  gte: 'to be at least',
  lte: 'to be at most',
};

const mostChoices = 5;

function formatCondition(condition: Condition): string {
  if (!isMatchCondition(condition)) return `to be ${formatOperand(condition)}`;
  const parts = matchOperators.flatMap((name) => {
    const operand = condition[name] as Value | undefined;
    if (operand === undefined || operand === null) return [];
    switch (name) {
      case 'exists':
        return operand === false ? 'to be missing' : 'to be there';
      case 'regex':
        return `to match /${cropText(String(operand), longestOperand)}/`;
      case 'any_of':
        return `to be one of ${formatChoices(Array.isArray(operand) ? (operand as readonly Value[]) : [operand])}`;
      default:
        return `${words[name]} ${formatOperand(operand)}`;
    }
  });
  return parts.length === 0 ? 'to match' : parts.join(' and ');
}

function formatChoices(choices: readonly Value[]): string {
  const more = choices.length - mostChoices;
  return choices.slice(0, mostChoices).map(formatOperand).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Operands are the document's own words. */
const longestOperand = 120;
const longestValue = 80;

function formatOperand(value: Value): string {
  return quoteText(value, longestOperand);
}

/**
 * A value of a message, shortened. If its key marks it as a secret it is not shown: in a sentence, nothing else would tell
 * whoever masks secrets.
 */
export function formatFound(path: string, value: Value): string {
  const key = /([A-Za-z0-9_-]+)(?:\[\d+\])*$/.exec(path)?.[1] ?? '';
  return secretKey.test(key)
    ? 'a value that is not shown, because its name marks it as a secret'
    : quoteText(value, longestValue);
}

const secretKey =
  /passw|passphrase|^pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential|authorization/i;

function quoteText(value: Value, longest: number): string {
  const whole = formatAsText(value, 'sorted');
  const text = cropText(whole, longest);
  if (text === more) return `a text of ${whole.length} characters`;
  return typeof value === 'string' ? JSON.stringify(text) : text;
}

const more = '…';

/** Shortens a text between two words: the half of a secret would not be recognised as one. */
export function cropText(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const start = text.slice(0, longest);
  const isWithinWord = wordCharacter.test(text.charAt(longest));
  return `${isWithinWord ? start.replace(lastWord, '') : start}${more}`;
}

/** The characters of keys, tokens and encoded texts. */
const wordCharacter = /[\w+/=.~-]/;
const lastWord = /[\w+/=.~-]+$/;

const mostNamed = 3;

/** The values of the fields that an expression names: `message.name "mail"`; empty if it names none. */
export function describeNamedValues({ cel, variables = {} }: ExpressionMatch, message: Value): string {
  const paths = new Map<string, string>();
  for (const [name, path] of Object.entries(variables)) if (cel.includes(name)) paths.set(name, path);
  for (const [chain, path = ''] of cel.matchAll(messageFields)) paths.set(chain, path.slice(1));
  return [...paths]
    .slice(0, mostNamed)
    .map(([name, path]) => {
      const value = resolveSimplePath(path, message);
      return value === undefined ? `no ${name}` : `${name} ${formatFound(path, value)}`;
    })
    .join(', ');
}

/** Fields of the message that an expression reads. A name before a parenthesis is a function. */
const messageFields = /\bmessage((?:\.[A-Za-z_]\w*\b(?!\s*\())+)/g;
