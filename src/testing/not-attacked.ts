/** What was asked for cannot be done: no attack has begun. */
export class NotAttacked extends Error {
  override readonly name = 'NotAttacked';

  constructor(message: string, hint?: string) {
    super(hint === undefined ? message : `${message}\n  hint: ${hint}`);
  }
}

/**
 * Does the work of a function, and lets what it throws as `NotAttacked` point at the line that called it: that line asks for
 * what cannot be done, and test runners show the code there.
 */
export async function blamedOn<T>(
  called: (...values: never[]) => unknown,
  work: () => Promise<T>,
): Promise<T> {
  const caller: { stack?: string } = {};
  Error.captureStackTrace(caller, called);
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof NotAttacked) {
      const [frames = ''] = /\n {4}at .*/s.exec(caller.stack ?? '') ?? [];
      thrown.stack = `${thrown.name}: ${thrown.message}${frames}`;
    }
    throw thrown;
  }
}
