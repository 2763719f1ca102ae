import { normalize } from './document/normalize.ts';
import { read } from './document/parse.ts';
import { diagnose, load } from './load.ts';
import { findMarkViolations } from './marks/find-mark-violations.ts';
import { findTaskViolations } from './marks/find-task-violations.ts';
import { marksOf } from './marks/read-marks.ts';
import type { Document } from './model/document.ts';
import type { Diagnostic, LocatedDiagnostic } from './model/errors.ts';
import type { Mark } from './model/marks.ts';
import type { NormalizedDocument } from './model/normalized.ts';
import { formatPath, type Path } from './model/path.ts';
import { ownSeverityOf } from './registry/rules.ts';

// What this tool asks of documents beyond the format: marks that it can honour, and checks of a task that it can
// evaluate. `load`, `validate` and `diagnose` leave `x-payload` and `x-task` alone, since another tool may use the keys for
// something else.

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
  const loaded = load(text);
  if (!loaded.ok) return { ok: false, errors: errorsOf(diagnose(text)) };
  const { document, warnings } = loaded;
  const wrong = violationsIn(text, document);
  if (wrong.some(({ severity }) => severity === 'error'))
    return { ok: false, errors: errorsOf(diagnoseMarked(text)) };
  const odd = wrong.map(({ path, ...rest }): Diagnostic => ({ ...rest, path: formatPath(path) }));
  return { ok: true, document, marks: marksOf(document), warnings: [...warnings, ...odd] };
}

/** What `oatf validate` says: everything of `diagnose`, and what is wrong with the marks and the checks of the task. */
export function diagnoseMarked(text: string): readonly LocatedDiagnostic[] {
  const found = diagnose(text);
  // Marks point into the document: where it is broken, so may they be, for no fault of their own.
  if (found.some(({ severity }) => severity === 'error')) return found;
  const { draft, positions, locate } = read(text);
  const wrong = violationsIn(text, normalize(draft as Document)).map(
    ({ path, ...rest }): LocatedDiagnostic => {
      const { from, to } = locate(path);
      return { ...rest, path: formatPath(path), range: positions(from, to) };
    },
  );
  return [...found, ...wrong].sort((a, b) => a.range.start.offset - b.range.start.offset);
}

interface OwnViolation extends Omit<Diagnostic, 'path'> {
  readonly path: Path;
}

function violationsIn(text: string, document: NormalizedDocument): readonly OwnViolation[] {
  const found = [...findMarkViolations(text, document), ...findTaskViolations(document)];
  return found.map(({ rule, path, message, hint }) => ({
    severity: ownSeverityOf(rule),
    code: rule,
    path,
    message,
    ...(hint !== undefined && { hint }),
  }));
}

function errorsOf(diagnostics: readonly LocatedDiagnostic[]): readonly LocatedDiagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'error');
}
