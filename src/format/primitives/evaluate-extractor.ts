import { readWork } from '../expression/counted-work.ts';
import { isCompileFailure, messageSteps } from '../expression/evaluation-limits.ts';
import { compileJsonPath } from '../expression/json-path.ts';
import { compileRegex } from '../expression/regex.ts';
import type { Extractor } from '../model/attack-document.ts';
import type { Direction } from '../model/enumeration-types.ts';
import { isEvaluationError } from '../model/errors.ts';
import type { Value } from '../model/value.ts';
import { cacheByPart } from './cache-by-part.ts';
import { formatAsText } from './compact-json.ts';

/** The result of an extractor: its value, undefined if it found none, or why it did not finish. */
export type Extraction =
  | { readonly name: string; readonly value: string | undefined }
  | { readonly name: string; readonly failure: string };

/** The extractors of a phase, compiled to run on many messages. They share one limit. */
export type CompiledExtractors = (message: Value, direction: Direction) => readonly Extraction[];

/**
 * The value that an extractor takes from a message (format spec §5.5); undefined if there is none. An empty string is a
 * value.
 */
export function evaluateExtractor(extractor: Extractor, message: Value, direction: Direction): string | undefined {
  const [extraction] = compileOne(extractor)(message, direction);
  return extraction !== undefined && 'value' in extraction ? extraction.value : undefined;
}

const compileOne = cacheByPart((extractor: Extractor) => compileExtractors([extractor]));

export function compileExtractors(extractors: readonly Extractor[]): CompiledExtractors {
  const rows = extractors.map((extractor) => ({
    ...extractor,
    extract: extractor.type === 'json_path' ? extractByPath(extractor.selector) : extractByRegex(extractor.selector),
  }));
  if (rows.length === 0) return () => [];
  return (message, direction) => {
    const until = readWork() + messageSteps;
    return rows.flatMap(({ name, source, extract }) =>
      source === direction ? [{ name, ...extract(message, until - readWork()) }] : [],
    );
  };
}

type Extract = (
  message: Value,
  withinSteps: number,
) => { readonly value: string | undefined } | { readonly failure: string };

const nothing = { value: undefined };

function extractByPath(selector: string): Extract {
  const path = compileJsonPath(selector);
  if (isCompileFailure(path)) return () => nothing;
  return (message, withinSteps) => {
    const result = path(message, withinSteps);
    if ('exceeded' in result) return { failure: result.exceeded };
    return { value: result.found === undefined ? undefined : formatAsText(result.found, 'own') };
  };
}

function extractByRegex(selector: string): Extract {
  const regex = compileRegex(selector);
  if (isCompileFailure(regex)) return () => nothing;
  return (message, withinSteps) => {
    const found = regex.find(formatAsText(message, 'own'), withinSteps);
    if (isEvaluationError(found)) return { failure: found.message };
    return { value: found?.group };
  };
}
