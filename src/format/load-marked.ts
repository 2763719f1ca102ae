import { normalize } from './document/normalize-document.ts';
import { type DocumentReading, readDocumentText } from './document/parse.ts';
import { findCanaryViolations } from './extensions/canaries.ts';
import { findMarkViolations } from './extensions/document-variant.ts';
import { findAwaitViolations } from './extensions/find-await-violations.ts';
import { findCheckViolations } from './extensions/find-check-violations.ts';
import { findDecodeViolations } from './extensions/find-decode-violations.ts';
import { findPlanViolations } from './extensions/find-plan-violations.ts';
import { findWireViolations, listWireNames } from './extensions/find-wire-violations.ts';
import { findGenerateViolations } from './extensions/read-generate.ts';
import { findDocumentMarks } from './extensions/read-marks.ts';
import { diagnoseReading } from './load.ts';
import type { Document } from './model/attack-document.ts';
import type { Mark } from './model/document-mark.ts';
import type { Diagnostic, LocatedDiagnostic } from './model/errors.ts';
import type { NormalizedDocument } from './model/normalized.ts';
import { observedProtocol } from './model/observation.ts';
import { formatPath } from './model/path.ts';
import { explainDialectKey } from './registry/dialect.ts';
import { getOwnRuleSeverity } from './registry/rules.ts';
import { createProtocolReference } from './validate/rule-finding.ts';

// The requirements of this tool beyond the format: valid marks, waits, wire rules, checks, plans, decodable patterns,
// canaries and generated values. `load`, `validate` and `diagnose` ignore `x-payload`, `x-await`, `x-wire`, `x-task`,
// `x-disclosure`, `x-plan`, `x-decode`, `x-canaries` and `x-generate`, because another tool may use those keys for something else.

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
  const { document, found } = examineReading(text);
  if (document === undefined) return { ok: false, errors: found.filter(isError) };
  return { ok: true, document, marks: findDocumentMarks(document), warnings: listFirstWarnings(found) };
}

/** Warnings are printed and stored with every run. One long line may have tens of thousands. */
const mostWarnings = 200;

function listFirstWarnings(found: readonly LocatedDiagnostic[]): readonly Diagnostic[] {
  const warnings = found.slice(0, mostWarnings).map(({ range, ...warning }): Diagnostic => warning);
  const omitted = found.length - mostWarnings;
  const [first] = found.slice(mostWarnings);
  if (first === undefined) return warnings;
  const { severity, code } = first;
  const message = `${omitted} more ${omitted === 1 ? 'warning is' : 'warnings are'} not listed`;
  return [...warnings, { severity, code, message, hint: 'oatf validate lists more' }];
}

/** The diagnostics of `oatf validate`: those of `diagnose`, and those of our extensions. */
export function diagnoseMarked(text: string): readonly LocatedDiagnostic[] {
  return examineReading(text).found;
}

interface ExaminedDocument {
  /** Set only if the document has no errors. */
  readonly document?: NormalizedDocument;
  /** In the order of the text. */
  readonly found: readonly LocatedDiagnostic[];
}

/** Reads and checks a text. It is read only once, because reading YAML costs more than all checks together. */
function examineReading(text: string): ExaminedDocument {
  const reading = readDocumentText(text);
  // The protocol of our observations has no binding and no actor.
  const declared = new Set([...listWireNames(reading.draft), createProtocolReference(observedProtocol)]);
  const ofTheFormat = diagnoseReading(reading, declared).map((diagnostic) => addHint(diagnostic, text));
  // Marks point into the document, so an error in the document may break marks that are correct.
  if (ofTheFormat.some(isError)) return { found: ofTheFormat };
  const { draft, positions, locate } = reading;
  const document = normalize(draft as Document);
  const own = listOwnViolations(reading, document).map(({ rule, path, ...rest }): LocatedDiagnostic => {
    const { from, to } = locate(path);
    return {
      severity: getOwnRuleSeverity(rule),
      code: rule,
      path: formatPath(path),
      ...rest,
      range: positions(from, to),
    };
  });
  const found = [...ofTheFormat, ...own].sort((a, b) => a.range.start.offset - b.range.start.offset);
  return own.some(isError) ? { found } : { document, found };
}

function listOwnViolations(reading: DocumentReading, document: NormalizedDocument) {
  const { draft } = reading;
  return [
    ...findMarkViolations(reading, document),
    ...findCheckViolations(document),
    ...findPlanViolations(document),
    ...findDecodeViolations(document),
    ...findCanaryViolations(document),
    ...[...findAwaitViolations(draft)].map((finding) => ({ rule: 'O-206' as const, ...finding })),
    ...findWireViolations(draft),
    ...findGenerateViolations(draft),
  ];
}

/** For a key of another tool, its meaning is a better hint than the nearest spelling. */
function addHint(diagnostic: LocatedDiagnostic, text: string): LocatedDiagnostic {
  const { code, path, range } = diagnostic;
  if (!isOfWords.has(code)) return diagnostic;
  const [, key] = /\.(\w+)$/.exec(path) ?? [];
  const start = text.slice(range.start.offset, range.start.offset + 100);
  const [, word = ''] = /^[{'"\s]*(?:type:\s*['"]?)?(\w+)/.exec(start) ?? [];
  // `progress` in `state` is also our own key. Only its entries differ.
  const hint = key === 'progress' ? undefined : explainDialectKey(key ?? word);
  return hint === undefined ? diagnostic : { ...diagnostic, hint };
}

/** The codes of diagnostics about unknown words. */
const isOfWords: ReadonlySet<string> = new Set(['O-009', 'O-013', 'type_mismatch']);

function isError({ severity }: LocatedDiagnostic): boolean {
  return severity === 'error';
}
