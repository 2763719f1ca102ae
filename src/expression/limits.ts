// §5.7: documents and messages are hostile, so every expression runs inside bounds.

/** How long the expressions of a document may take. */
export interface EvaluationLimits {
  /** Milliseconds that one expression may take on one message. */
  readonly expressionMs: number;
  /** Milliseconds that all expressions of a document may take together; `Infinity` for offline evaluation. */
  readonly documentMs: number;
}

/** The limits of evaluation where nobody says otherwise. */
export const defaultLimits: EvaluationLimits = { expressionMs: 100, documentMs: 30_000 };

/**
 * Milliseconds that the extractors of a phase may take together on one message, and its trigger on one event. More than an
 * indicator has: these run once for each message, and what they miss changes how the attack goes on.
 */
export const messageMs = 2_000;

/** How deep paths, JSONPath descent and comparison go into a value. */
export const maximumDepth = 64;

/** What an adapter gives when an expression does not compile. */
export interface CompileFailure {
  readonly failure: string;
  /** Where it stops making sense, in characters from the start, if that is known. */
  readonly within?: number;
}

export function isCompileFailure(value: object): value is CompileFailure {
  return 'failure' in value;
}

/** The message of something thrown by a library, one line, bounded. */
export function reasonOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
