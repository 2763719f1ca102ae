import type {
  DiagnosticSeverity,
  EvaluationErrorKind,
  GenerationErrorKind,
  ParseErrorKind,
} from './enumerations.ts';

/** Where something stands in the text: 1-based lines and columns, `end` just behind the last character. */
export interface SourceRange {
  readonly start: SourcePosition;
  readonly end: SourcePosition;
}

/** A place in a text. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
  /** Index into the text, in UTF-16 units. */
  readonly offset: number;
}

/** Why a text is no document. */
export interface ParseError {
  readonly kind: ParseErrorKind;
  readonly message: string;
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
  /** The V rule that this error also is, where there is one. */
  readonly rule?: string;
  readonly hint?: string;
}

/** A rule of the format that a document breaks. */
export interface ValidationError {
  /** `V-…`, or `O-…` for what the format asks without giving it a rule id. */
  readonly rule: string;
  readonly specRef: string;
  readonly message: string;
  readonly path: string;
  readonly hint?: string;
}

/** An error or a warning about a document or a run. */
export interface Diagnostic {
  readonly severity: DiagnosticSeverity;
  /** A rule or warning id, or the kind of a parse error that is none of the rules. */
  readonly code: string;
  readonly path?: string;
  readonly message: string;
  readonly hint?: string;
}

/** A diagnostic with its place in the text, as `diagnose` gives it. */
export interface LocatedDiagnostic extends Diagnostic {
  readonly path: string;
  readonly range: SourceRange;
}

/** Why an indicator could not be evaluated on a message. */
export interface EvaluationError {
  readonly kind: EvaluationErrorKind;
  readonly message: string;
  readonly indicatorId?: string;
  /** Set when the message merely lacks a field that the expression asked for. */
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

export function evaluationError(kind: EvaluationErrorKind, message: string): EvaluationError {
  return { kind, message };
}

/** Tells an `EvaluationError` from the result it came in place of. */
export function isEvaluationError(value: unknown): value is EvaluationError {
  return typeof value === 'object' && value !== null && 'kind' in value && 'message' in value;
}
