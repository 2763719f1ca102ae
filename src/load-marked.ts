import { normalize } from './document/normalize.ts';
import { type Reading, read } from './document/parse.ts';
import { diagnoseReading } from './load.ts';
import { findDecodeViolations } from './marks/find-decode-violations.ts';
import { findMarkViolations } from './marks/find-mark-violations.ts';
import { findTaskViolations } from './marks/find-task-violations.ts';
import { findGenerateViolations } from './marks/read-generate.ts';
import { marksOf } from './marks/read-marks.ts';
import type { Document } from './model/document.ts';
import type { Diagnostic, LocatedDiagnostic } from './model/errors.ts';
import type { Mark } from './model/marks.ts';
import type { NormalizedDocument } from './model/normalized.ts';
import { formatPath } from './model/path.ts';
import { meaningInDialect } from './registry/dialect.ts';
import { ownSeverityOf } from './registry/rules.ts';
import { findAwaitViolations } from './validate/find-await-violations.ts';
import { findWireViolations, namesGivenByWire } from './validate/find-wire-violations.ts';

// The requirements of this tool beyond the format: valid marks, waits, sending rules, task checks, decodable patterns and
// generated values. `load`, `validate` and `diagnose` ignore `x-payload`, `x-await`, `x-wire`, `x-task`, `x-decode` and
// `x-generate`, because another tool may use those keys for something else.

export type LoadMarkedResult =
  | {
      readonly ok: true;
      readonly document: NormalizedDocument;
      /** Undefined if the document has no marks. */
      readonly marks: readonly Mark[] | undefined;
      readonly warnings: readonly Diagnostic[];
    }
  /** Errors only, in the order of the text. */
  | { readonly ok: false; readonly errors: readonly LocatedDiagnostic[] };

/** Loads a document to be played or judged. A wrong mark or check makes it invalid, like any other error. */
export function loadMarked(text: string): LoadMarkedResult {
  const { document, found } = examine(text);
  if (document === undefined) return { ok: false, errors: found.filter(isError) };
  const warnings = found.map(({ range, ...warning }): Diagnostic => warning);
  return { ok: true, document, marks: marksOf(document), warnings };
}

/** The diagnostics of `oatf validate`: those of `diagnose`, and those of our extensions. */
export function diagnoseMarked(text: string): readonly LocatedDiagnostic[] {
  return examine(text).found;
}

interface Examined {
  /** Set only if the document has no errors. */
  readonly document?: NormalizedDocument;
  /** In the order of the text. */
  readonly found: readonly LocatedDiagnostic[];
}

/** Reads and checks a text. It is read only once, because reading YAML costs more than all checks together. */
function examine(text: string): Examined {
  const reading = read(text);
  const declared = namesGivenByWire(reading.draft);
  const ofTheFormat = diagnoseReading(reading, declared).map((diagnostic) => withHint(diagnostic, text));
  // Marks point into the document, so an error in the document may break marks that are correct.
  if (ofTheFormat.some(isError)) return { found: ofTheFormat };
  const { draft, positions, locate } = reading;
  const document = normalize(draft as Document);
  const own = violationsIn(reading, document).map(({ rule, path, ...rest }): LocatedDiagnostic => {
    const { from, to } = locate(path);
    return {
      severity: ownSeverityOf(rule),
      code: rule,
      path: formatPath(path),
      ...rest,
      range: positions(from, to),
    };
  });
  const found = [...ofTheFormat, ...own].sort((a, b) => a.range.start.offset - b.range.start.offset);
  return own.some(isError) ? { found } : { document, found };
}

function violationsIn(reading: Reading, document: NormalizedDocument) {
  const { draft } = reading;
  return [
    ...findMarkViolations(reading, document),
    ...findTaskViolations(document),
    ...findDecodeViolations(document),
    ...[...findAwaitViolations(draft)].map((finding) => ({ rule: 'O-206' as const, ...finding })),
    ...findWireViolations(draft),
    ...findGenerateViolations(draft),
  ];
}

/** For a key of another tool, its meaning is a better hint than the nearest spelling. */
function withHint(diagnostic: LocatedDiagnostic, text: string): LocatedDiagnostic {
  const { code, path, range } = diagnostic;
  if (!isOfWords.has(code)) return diagnostic;
  const [, key] = /\.(\w+)$/.exec(path) ?? [];
  const start = text.slice(range.start.offset, range.start.offset + 100);
  const [, word = ''] = /^[{'"\s]*(?:type:\s*['"]?)?(\w+)/.exec(start) ?? [];
  // `progress` in `state` is also our own key. Only its entries differ.
  const hint = key === 'progress' ? undefined : meaningInDialect(key ?? word);
  return hint === undefined ? diagnostic : { ...diagnostic, hint };
}

/** The codes of diagnostics about unknown words. */
const isOfWords: ReadonlySet<string> = new Set(['O-009', 'O-013', 'type_mismatch']);

function isError({ severity }: LocatedDiagnostic): boolean {
  return severity === 'error';
}
