import type {
  DiagnosticSeverity,
  EvaluationErrorKind,
  GenerationErrorKind,
  ParseErrorKind,
} from './enumeration-types.ts';

/** A range of the text, in 1-based lines and columns. `end` is just after the last character. */
export interface SourceRange {
  readonly start: SourcePosition;
  readonly end: SourcePosition;
}

/** A position in a text. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
  /** Index into the text, in UTF-16 code units. */
  readonly offset: number;
}

/** Why a text is not a document. */
export interface ParseError {
  readonly kind: ParseErrorKind;
  readonly message: string;
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
  /** The id of the V rule that this error also breaks, if there is one. */
  readonly rule?: string;
  readonly hint?: string;
}

/** A rule of the format that a document breaks. */
export interface ValidationError {
  /** `V-…`, or `O-…` for a requirement of the format that has no rule id there. */
  readonly rule: string;
  readonly specRef: string;
  readonly message: string;
  readonly path: string;
  readonly hint?: string;
}

/** An error or a warning about a document or a run. */
export interface Diagnostic {
  readonly severity: DiagnosticSeverity;
  /** The id of a rule or warning, or the kind of a parse error that no rule covers. */
  readonly code: string;
  readonly path?: string;
  readonly message: string;
  readonly hint?: string;
}

/** A diagnostic with its range in the text, as `diagnose` returns it. */
export interface LocatedDiagnostic extends Diagnostic {
  readonly path: string;
  readonly range: SourceRange;
}

/** Why an indicator could not be evaluated on a message. */
export interface EvaluationError {
  readonly kind: EvaluationErrorKind;
  readonly message: string;
  readonly indicatorId?: string;
  /** Set if the message merely lacks a field that the expression reads. */
  readonly missingField?: true;
}

/** Reserved, like `synthesize` itself. */
export interface GenerationError {
  readonly kind: GenerationErrorKind;
  readonly message: string;
  readonly phaseName?: string;
  /** The first 200 characters of the prompt. */
  readonly promptPreview?: string;
}

/** Any error of the SDK (SDK spec §7.5). */
export type OATFError = ParseError | ValidationError | EvaluationError | GenerationError;

export function createEvaluationError(kind: EvaluationErrorKind, message: string): EvaluationError {
  return { kind, message };
}

/** Tells an `EvaluationError` from a result. */
export function isEvaluationError(value: unknown): value is EvaluationError {
  return typeof value === 'object' && value !== null && 'kind' in value && 'message' in value;
}
