// Documents and messages are hostile, so every expression runs within limits (format spec §5.7).

/** How long the expressions of a document may take. */
export interface EvaluationLimits {
  /** The time that one expression may take on one message, in milliseconds. */
  readonly expressionMs: number;
  /**
   * The time that all expressions of a document may take together, in milliseconds. Use `Infinity` for offline evaluation.
   */
  readonly documentMs: number;
}

/** The default limits of evaluation. */
export const defaultLimits: EvaluationLimits = { expressionMs: 100, documentMs: 30_000 };

/**
 * The time that the extractors of a phase may take together on one message, and its trigger on one event, in milliseconds.
 * It is longer than an indicator's: these run once per message, and a missed value changes how the attack continues.
 */
export const messageMs = 2_000;

/** How deep paths, JSONPath descents and comparisons go into a value. */
export const maximumDepth = 64;

/** The result of an adapter if an expression does not compile. */
export interface CompileFailure {
  readonly failure: string;
  /** The offset of the error in the expression, in characters, if it is known. */
  readonly within?: number;
}

export function isCompileFailure(value: object): value is CompileFailure {
  return 'failure' in value;
}

/** The message of an error that a library threw, as one line of limited length. */
export function formatThrownReason(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
