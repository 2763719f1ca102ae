// Documents and messages are hostile, so every expression runs within limits (format spec §5.7).

/** How much work the expressions of a document may take, in steps of about ten nanoseconds (`counted-work.ts`). */
export interface EvaluationLimits {
  /** The steps that one expression may take on one message. */
  readonly expressionSteps: number;
  /** The steps that all expressions of a document may take together. Use `Infinity` for offline evaluation. */
  readonly documentSteps: number;
}

/** The default limits of evaluation: about the 100 ms and 30 s that the format recommends. */
export const defaultLimits: EvaluationLimits = { expressionSteps: 5_000_000, documentSteps: 1_500_000_000 };

/**
 * The steps that the extractors of a phase may take together on one message, and its trigger on one event. They are more
 * than an indicator's: these run once per message, and a missed value changes how the attack continues.
 */
export const messageSteps = 100_000_000;

/** Formats a number of steps for messages: `5 000 000`. */
export function formatSteps(steps: number): string {
  return String(Math.max(0, Math.round(steps))).replace(/\B(?=(?:\d{3})+$)/g, ' ');
}

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
