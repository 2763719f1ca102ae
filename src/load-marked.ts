import { normalize } from './document/normalize.ts';
import { read } from './document/parse.ts';
import { diagnoseReading } from './load.ts';
import { findDecodeViolations } from './marks/find-decode-violations.ts';
import { findMarkViolations } from './marks/find-mark-violations.ts';
import { findTaskViolations } from './marks/find-task-violations.ts';
import { findGenerateViolations } from './marks/read-generate.ts';
import { marksOf } from './marks/read-marks.ts';
import type { Document } from './model/document.ts';
import type { Draft } from './model/draft.ts';
import type { Diagnostic, LocatedDiagnostic } from './model/errors.ts';
import type { Mark } from './model/marks.ts';
import type { NormalizedDocument } from './model/normalized.ts';
import { formatPath } from './model/path.ts';
import { meaningInDialect } from './registry/dialect.ts';
import { ownSeverityOf } from './registry/rules.ts';
import { findAwaitViolations } from './validate/find-await-violations.ts';
import { findWireViolations } from './validate/find-wire-violations.ts';

// What this tool asks of documents beyond the format: marks, waits and rules of sending that it can honour, checks of a task that
// it can evaluate, patterns that it can look for behind disguises, and values that it can make. `load`, `validate` and
// `diagnose` leave `x-payload`, `x-await`, `x-wire`, `x-task`, `x-decode` and `x-generate` alone, since another tool may use the
// keys for something else.

export type LoadMarkedResult =
  | {
      readonly ok: true;
      readonly document: NormalizedDocument;
      /** Nothing where the document has no marks. */
      readonly marks: readonly Mark[] | undefined;
      readonly warnings: readonly Diagnostic[];
    }
  /** Errors only, in the order of the text. */
  | { readonly ok: false; readonly errors: readonly LocatedDiagnostic[] };

/** Loads a document that is to be played or judged. Wrong marks and checks make it as invalid as any other mistake. */
export function loadMarked(text: string): LoadMarkedResult {
  const { document, found } = examine(text);
  if (document === undefined) return { ok: false, errors: found.filter(isError) };
  const warnings = found.map(({ range, ...warning }): Diagnostic => warning);
  return { ok: true, document, marks: marksOf(document), warnings };
}

/** What `oatf validate` says: everything of `diagnose`, and what is wrong with marks, waits and the checks of the task. */
export function diagnoseMarked(text: string): readonly LocatedDiagnostic[] {
  return examine(text).found;
}

interface Examined {
  /** Only where nothing is wrong with it. */
  readonly document?: NormalizedDocument;
  /** In the order of the text. */
  readonly found: readonly LocatedDiagnostic[];
}

/** Reading YAML costs more than all checks together, so the text is read once. */
function examine(text: string): Examined {
  const reading = read(text);
  const ofTheFormat = diagnoseReading(reading).map((diagnostic) => withHint(diagnostic, text));
  // Marks point into the document: where it is broken, so may they be, for no fault of their own.
  if (ofTheFormat.some(isError)) return { found: ofTheFormat };
  const { draft, positions, locate } = reading;
  const document = normalize(draft as Document);
  const own = violationsIn(text, draft, document).map(({ rule, path, ...rest }): LocatedDiagnostic => {
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

function violationsIn(text: string, draft: Draft<Document>, document: NormalizedDocument) {
  return [
    ...findMarkViolations(text, document),
    ...findTaskViolations(document),
    ...findDecodeViolations(document),
    ...[...findAwaitViolations(draft)].map((finding) => ({ rule: 'O-206' as const, ...finding })),
    ...findWireViolations(draft),
    ...findGenerateViolations(draft),
  ];
}

/** Where another tool's word stands, its meaning is more than what is written most alike. */
function withHint(diagnostic: LocatedDiagnostic, text: string): LocatedDiagnostic {
  const { code, path, range } = diagnostic;
  if (!isOfWords.has(code)) return diagnostic;
  const [, key] = /\.(\w+)$/.exec(path) ?? [];
  const start = text.slice(range.start.offset, range.start.offset + 100);
  const [, word = ''] = /^[{'"\s]*(?:type:\s*['"]?)?(\w+)/.exec(start) ?? [];
  // `progress` as a key of `state` is ours, too; only its entries look otherwise.
  const hint = key === 'progress' ? undefined : meaningInDialect(key ?? word);
  return hint === undefined ? diagnostic : { ...diagnostic, hint };
}

/** Codes of what nobody knows here by its name. */
const isOfWords: ReadonlySet<string> = new Set(['O-009', 'O-013', 'type_mismatch']);

function isError({ severity }: LocatedDiagnostic): boolean {
  return severity === 'error';
}
