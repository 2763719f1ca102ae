import type { Diagnostic } from '../../format/model/errors.ts';

/** The code of the warning for an expression that ran out of time on a message. The run cannot be judged by it. */
export const overdueCode = 'O-107';

export function warnOfOverdue(what: string, why: string): Diagnostic {
  return {
    severity: 'warning',
    code: overdueCode,
    message: `${what} was not through with a message: ${why}`,
  };
}

/**
 * The code of the warning for a value that is too long to extract or fill in. Without it, the messages that went out do
 * not allow a verdict.
 */
export const oversizeCode = 'O-108';

/** The number of characters that the extractors of a run may hold in total. */
export const mostExtracted = 16 * 1024 * 1024;

export function warnOfOversize(name: string): Diagnostic {
  return {
    severity: 'warning',
    code: oversizeCode,
    message: `extractor "${name}" took nothing: a run may hold ${mostExtracted} characters of what it extracts`,
  };
}
