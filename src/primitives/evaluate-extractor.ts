import { compileJsonPath } from '../expression/json-path.ts';
import { isCompileFailure } from '../expression/limits.ts';
import { compileRegex } from '../expression/regex.ts';
import type { Extractor } from '../model/document.ts';
import type { Direction } from '../model/enumerations.ts';
import { isEvaluationError } from '../model/errors.ts';
import type { Value } from '../model/value.ts';
import { textOf } from './compact-json.ts';

export type CompiledExtractor = (message: Value, direction: Direction) => string | undefined;

/** The value that an extractor takes from a message, or nothing; the empty string is something (§5.5). */
export function evaluateExtractor(
  extractor: Extractor,
  message: Value,
  direction: Direction,
): string | undefined {
  return compileExtractor(extractor)(message, direction);
}

export function compileExtractor(extractor: Extractor): CompiledExtractor {
  const extract = extractor.type === 'json_path' ? byPath(extractor.selector) : byRegex(extractor.selector);
  return (message, direction) => (direction === extractor.source ? extract(message) : undefined);
}

function byPath(selector: string): (message: Value) => string | undefined {
  const path = compileJsonPath(selector);
  if (isCompileFailure(path)) return () => undefined;
  return (message) => {
    const value = path(message);
    return value === undefined ? undefined : textOf(value, 'own');
  };
}

function byRegex(selector: string): (message: Value) => string | undefined {
  const regex = compileRegex(selector);
  if (isCompileFailure(regex)) return () => undefined;
  return (message) => {
    const found = regex.find(textOf(message, 'own'));
    return found === undefined || isEvaluationError(found) ? undefined : found.group;
  };
}
