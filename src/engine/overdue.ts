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
