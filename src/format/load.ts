import { normalize } from './document/normalize-document.ts';
import { type DocumentReading, parse, readDocumentText } from './document/parse.ts';
import type { Diagnostic, LocatedDiagnostic, ParseError, ValidationError } from './model/errors.ts';
import type { NormalizedDocument } from './model/normalized.ts';
import { formatPath, type Path } from './model/path.ts';
import { getRuleSeverity } from './registry/rules.ts';
import { findViolations, validate } from './validate/validate-document.ts';

/** A document that is ready to be played, or every error in its text. */
export type LoadResult =
  | {
      readonly ok: true;
      readonly document: NormalizedDocument;
      readonly warnings: readonly Diagnostic[];
    }
  | { readonly ok: false; readonly errors: readonly (ParseError | ValidationError)[] };

/** Parses, validates and normalizes a text. The first stage with errors ends it (SDK spec §3.5). */
export function load(text: string): LoadResult {
  const parsed = parse(text);
  if (!parsed.ok) return parsed;
  const { errors, warnings } = validate(parsed.document);
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, document: normalize(parsed.document), warnings };
}

/**
 * Finds every problem of a text in one call: parse errors, rule violations and warnings together, in the order of the text,
 * each with its range.
 */
export function diagnose(text: string): readonly LocatedDiagnostic[] {
  return diagnoseReading(readDocumentText(text));
}

/**
 * Works like `diagnose`, for callers that need more of the reading than its problems. `declared` holds names that extensions
 * declare: templates may use them.
 */
export function diagnoseReading(
  reading: DocumentReading,
  declared: ReadonlySet<string> = new Set(),
): readonly LocatedDiagnostic[] {
  const { draft, isReadable, problems, positions, brokenAt, locate } = reading;
  const found: LocatedDiagnostic[] = problems.map(({ kind, rule, path, from, to, message, hint }) => ({
    severity: 'error',
    code: rule ?? kind,
    path: formatPath(path),
    message,
    ...(hint !== undefined && { hint }),
    range: positions(from, to),
  }));
  const reported = new Set(problems.map(({ path }) => formatPath(path)));
  for (const violation of isReadable ? findViolations(draft) : []) {
    const { rule, path, message, hint, within, reference } = violation;
    if (reference !== undefined && declared.has(reference)) continue;
    const place = locate(path, within);
    // An error inside a field that did not parse is only a consequence, and that field was already reported.
    if (place.end >= brokenAt || isWithin(path, reported)) continue;
    found.push({
      severity: getRuleSeverity(rule),
      code: rule,
      path: formatPath(path),
      message,
      ...(hint !== undefined && { hint }),
      range: positions(place.from, place.to),
    });
  }
  return found.sort((a, b) => a.range.start.offset - b.range.start.offset);
}

function isWithin(path: Path, reported: ReadonlySet<string>): boolean {
  return path.some((_, index) => reported.has(formatPath(path.slice(0, index + 1))));
}
