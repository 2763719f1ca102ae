import { compileJsonPath } from '../expression/json-path.ts';
import { isCompileFailure, messageMs } from '../expression/limits.ts';
import { compileRegex } from '../expression/regex.ts';
import type { Extractor } from '../model/document.ts';
import type { Direction } from '../model/enumerations.ts';
import { isEvaluationError } from '../model/errors.ts';
import { monotonicMs, msUntil } from '../model/monotonic.ts';
import type { Value } from '../model/value.ts';
import { textOf } from './compact-json.ts';
import { remembering } from './remembering.ts';

/** The result of an extractor: its value, undefined if it found none, or why it did not finish. */
export type Extraction =
  | { readonly name: string; readonly value: string | undefined }
  | { readonly name: string; readonly failure: string };

/** The extractors of a phase, compiled to run on many messages. They share one time limit. */
export type CompiledExtractors = (message: Value, direction: Direction) => readonly Extraction[];

/**
 * The value that an extractor takes from a message (format spec §5.5); undefined if there is none. An empty string is a
 * value.
 */
export function evaluateExtractor(
  extractor: Extractor,
  message: Value,
  direction: Direction,
): string | undefined {
  const [extraction] = compileOne(extractor)(message, direction);
  return extraction !== undefined && 'value' in extraction ? extraction.value : undefined;
}

const compileOne = remembering((extractor: Extractor) => compileExtractors([extractor]));

export function compileExtractors(extractors: readonly Extractor[]): CompiledExtractors {
  const rows = extractors.map((extractor) => ({
    ...extractor,
    extract: extractor.type === 'json_path' ? byPath(extractor.selector) : byRegex(extractor.selector),
  }));
  if (rows.length === 0) return () => [];
  return (message, direction) => {
    const until = monotonicMs() + messageMs;
    return rows.flatMap(({ name, source, extract }) =>
      source === direction ? [{ name, ...extract(message, msUntil(until)) }] : [],
    );
  };
}

type Extract = (
  message: Value,
  withinMs: number,
) => { readonly value: string | undefined } | { readonly failure: string };

const nothing = { value: undefined };

function byPath(selector: string): Extract {
  const path = compileJsonPath(selector);
  if (isCompileFailure(path)) return () => nothing;
  return (message, withinMs) => {
    const result = path(message, withinMs);
    if ('exceeded' in result) return { failure: result.exceeded };
    return { value: result.found === undefined ? undefined : textOf(result.found, 'own') };
  };
}

function byRegex(selector: string): Extract {
  const regex = compileRegex(selector);
  if (isCompileFailure(regex)) return () => nothing;
  return (message, withinMs) => {
    const found = regex.find(textOf(message, 'own'), withinMs);
    if (isEvaluationError(found)) return { failure: found.message };
    return { value: found?.group };
  };
}
