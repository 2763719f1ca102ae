import { defaultLimits, isCompileFailure } from '../../format/expression/evaluation-limits.ts';
import { parseCel } from '../../format/expression/parse-cel.ts';
import type { MessageRecord } from '../../format/model/trace-record.ts';
import type { Value } from '../../format/model/value.ts';
import { messageValue } from '../../format/primitives/message-value.ts';
import { resolveSimplePath } from '../../format/primitives/resolve-simple-path.ts';
import { createCelEvaluator } from '../../judgement/evaluate/cel-evaluator.ts';
import { evaluateExpression } from '../../judgement/evaluate/expression.ts';
import {
  type AttemptOrProblem,
  describeEvaluationFailure,
  formatTriedValue,
  suggestMessagePath,
  toMadeAttempt,
} from './attempts.ts';

export function createCelAttempt(cel: string): AttemptOrProblem {
  const parsed = parseCel(cel);
  if (isCompileFailure(parsed)) return { ok: false, problem: `this is not CEL: ${parsed.failure}` };
  const evaluator = createCelEvaluator(defaultLimits.expressionSteps);
  const evaluate = (text: string, message: Value) => evaluateExpression({ cel: text }, message, evaluator);
  const paths = findMessagePaths(cel);
  const parts = splitConjuncts(cel);
  return toMadeAttempt({
    on(record) {
      const message = messageValue(record);
      const result = evaluate(cel, message);
      return {
        holds: result === true,
        saw: [
          ...(paths.length === 0
            ? [`message: ${formatTriedValue(message)}`]
            : paths.map((path) => `message.${path}: ${formatValueAt(path, message)}`)),
          ...(typeof result === 'boolean' ? [`gives ${result}`] : describeEvaluationFailure(result)),
        ],
      };
    },
    nearest(records) {
      const [best] = records
        .map((record) => ({ record, failed: parts.filter((part) => evaluate(part, messageValue(record)) !== true) }))
        .sort((a, b) => a.failed.length - b.failed.length);
      if (best !== undefined && best.failed.length < parts.length)
        return `record ${best.record.seq} fails only ${best.failed.join(' and ')}`;
      return suggestFirstPath(paths, records) ?? findFirstSeenValue(paths, records);
    },
  });
}

function suggestFirstPath(paths: readonly string[], records: readonly MessageRecord[]): string | undefined {
  return paths.map((path) => suggestMessagePath(path, records)).find((each) => each !== undefined);
}

/** The first value found at the paths that the expression reads, so that the user can compare. */
function findFirstSeenValue(paths: readonly string[], records: readonly MessageRecord[]): string | undefined {
  for (const record of records)
    for (const path of paths) {
      const value = resolveSimplePath(path, messageValue(record));
      if (value !== undefined) return `record ${record.seq} has ${formatTriedValue(value)} at message.${path}`;
    }
  return undefined;
}

function formatValueAt(path: string, message: Value): string {
  const value = resolveSimplePath(path, message);
  return value === undefined ? 'nothing is there' : formatTriedValue(value);
}

/** The fields of the message that an expression reads. A method called on one is not a field. */
function findMessagePaths(cel: string): readonly string[] {
  const found = [...cel.matchAll(/\bmessage((?:\.\w+\b(?!\())+)/g)];
  return [...new Set(found.map(([, path = '']) => path.slice(1)))];
}

/** The parts of a conjunction (`&&`); otherwise the expression as it is. */
function splitConjuncts(cel: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = '';
  let begin = 0;
  for (let at = 0; at < cel.length; at++) {
    const letter = cel.charAt(at);
    if (quote !== '') {
      if (letter === '\\') at += 1;
      else if (letter === quote) quote = '';
    } else if (letter === '"' || letter === "'") quote = letter;
    else if ('([{'.includes(letter)) depth += 1;
    else if (')]}'.includes(letter)) depth -= 1;
    else if (depth === 0 && cel.startsWith('&&', at)) {
      parts.push(cel.slice(begin, at).trim());
      at += 1;
      begin = at + 1;
    } else if (depth === 0 && (cel.startsWith('||', at) || letter === '?')) return [cel];
  }
  const all = [...parts, cel.slice(begin).trim()];
  return all.every((part) => !isCompileFailure(parseCel(part))) ? all : [cel];
}
