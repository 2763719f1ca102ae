import { normalize } from './document/normalize.ts';
import { read } from './document/parse.ts';
import { diagnose, load } from './load.ts';
import { findDecodeViolations } from './marks/find-decode-violations.ts';
import { findMarkViolations } from './marks/find-mark-violations.ts';
import { findTaskViolations } from './marks/find-task-violations.ts';
import { findGenerateViolations } from './marks/read-generate.ts';
import { marksOf } from './marks/read-marks.ts';
import { awaitKey } from './model/awaits.ts';
import type { Document } from './model/document.ts';
import type { Diagnostic, LocatedDiagnostic } from './model/errors.ts';
import { generateKey } from './model/generate.ts';
import type { Mark } from './model/marks.ts';
import type { NormalizedDocument } from './model/normalized.ts';
import { formatPath, type Path } from './model/path.ts';
import { writtenWire } from './primitives/written-wire.ts';
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
  const loaded = load(text);
  if (!loaded.ok) return { ok: false, errors: errorsOf(diagnoseMarked(text)) };
  const { document, warnings } = loaded;
  const wrong = violationsIn(text, document);
  if (wrong.some(({ severity }) => severity === 'error'))
    return { ok: false, errors: errorsOf(diagnoseMarked(text)) };
  const odd = wrong.map(({ path, ...rest }): Diagnostic => ({ ...rest, path: formatPath(path) }));
  return { ok: true, document, marks: marksOf(document), warnings: [...warnings, ...odd] };
}

/** What `oatf validate` says: everything of `diagnose`, and what is wrong with marks, waits and the checks of the task. */
export function diagnoseMarked(text: string): readonly LocatedDiagnostic[] {
  const found = diagnose(text).map((diagnostic) => withHint(diagnostic, text));
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
  const found = [
    ...findMarkViolations(text, document),
    ...findTaskViolations(document),
    ...findDecodeViolations(document),
    ...awaitViolationsIn(text, document),
    ...wireViolationsIn(text, document),
    ...generateViolationsIn(text, document),
  ];
  return found.map(({ rule, path, message, hint }) => ({
    severity: ownSeverityOf(rule),
    code: rule,
    path,
    message,
    ...(hint !== undefined && { hint }),
  }));
}

/** Few documents wait for anything, and only theirs are read again for where that stands. */
function awaitViolationsIn(text: string, { attack }: NormalizedDocument) {
  const hasAwaits = attack.execution.actors.some(({ phases }) =>
    phases.some(({ extensions }) => extensions?.[awaitKey] !== undefined),
  );
  const found = hasAwaits ? [...findAwaitViolations(read(text).draft)] : [];
  return found.map((finding) => ({ rule: 'O-206' as const, ...finding }));
}

/** The same goes for documents that say how they send. */
function wireViolationsIn(text: string, { attack: { execution } }: NormalizedDocument) {
  const hasRules = execution.actors.some((actor) =>
    actor.phases.some((_, index) => writtenWire(execution, actor, index) !== undefined),
  );
  return hasRules ? [...findWireViolations(read(text).draft)] : [];
}

function generateViolationsIn(text: string, { attack }: NormalizedDocument) {
  const { actors, extensions } = attack.execution;
  const holders = [extensions, ...actors.flatMap(({ phases }) => phases.map((phase) => phase.extensions))];
  return holders.some((each) => each?.[generateKey] !== undefined)
    ? findGenerateViolations(read(text).draft)
    : [];
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

function errorsOf(diagnostics: readonly LocatedDiagnostic[]): readonly LocatedDiagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'error');
}
