import type { Diagnostic } from '../model/errors.ts';

/** The warning of an expression that was not through with a message in its time. The run cannot be judged by it. */
export const overdueCode = 'O-107';

export function overdue(what: string, why: string): Diagnostic {
  return {
    severity: 'warning',
    code: overdueCode,
    message: `${what} was not through with a message: ${why}`,
  };
}

/** The warning of a value that is too long to be taken or filled in. The run cannot be judged by what went out without it. */
export const oversizeCode = 'O-108';

/** How many characters the extractors of a run may hold altogether. */
export const mostExtracted = 16 * 1024 * 1024;

export function oversize(name: string): Diagnostic {
  return {
    severity: 'warning',
    code: oversizeCode,
    message: `extractor "${name}" took nothing: a run may hold ${mostExtracted} characters of what it extracts`,
  };
}
