import { normalize } from './document/normalize.ts';
import { read } from './document/parse.ts';
import { diagnose, load } from './load.ts';
import { findMarkViolations } from './marks/find-mark-violations.ts';
import { marksOf } from './marks/read-marks.ts';
import type { Document } from './model/document.ts';
import type { Diagnostic, LocatedDiagnostic } from './model/errors.ts';
import type { Mark } from './model/marks.ts';
import type { NormalizedDocument } from './model/normalized.ts';
import { formatPath } from './model/path.ts';

// What this tool asks of documents beyond the format: marks that it can honour. `load`, `validate` and `diagnose`
// leave `x-payload` alone, since another tool may use the key for something else.

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

/** Loads a document that is to be played or judged. Wrong marks make it as invalid as any other mistake. */
export function loadMarked(text: string): LoadMarkedResult {
  const loaded = load(text);
  if (!loaded.ok) return { ok: false, errors: errorsOf(diagnose(text)) };
  const { document, warnings } = loaded;
  return findMarkViolations(text, document).length === 0
    ? { ok: true, document, marks: marksOf(document), warnings }
    : { ok: false, errors: errorsOf(diagnoseMarked(text)) };
}

/** What `oatf validate` says: everything of `diagnose`, and what is wrong with the marks. */
export function diagnoseMarked(text: string): readonly LocatedDiagnostic[] {
  const found = diagnose(text);
  // Marks point into the document: where it is broken, so may they be, for no fault of their own.
  if (found.some(({ severity }) => severity === 'error')) return found;
  const { draft, positions, locate } = read(text);
  const wrong = findMarkViolations(text, normalize(draft as Document)).map(
    ({ rule, path, message, hint }): LocatedDiagnostic => {
      const { from, to } = locate(path);
      return {
        severity: 'error',
        code: rule,
        path: formatPath(path),
        message,
        ...(hint !== undefined && { hint }),
        range: positions(from, to),
      };
    },
  );
  return [...found, ...wrong].sort((a, b) => a.range.start.offset - b.range.start.offset);
}

function errorsOf(diagnostics: readonly LocatedDiagnostic[]): readonly LocatedDiagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'error');
}
