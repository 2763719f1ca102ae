/** Thrown when an attack cannot begin: the options, the document or the agent cannot be used. */
export class NotAttacked extends Error {
  override readonly name = 'NotAttacked';

  constructor(message: string, hint?: string) {
    super(hint === undefined ? message : `${message}\n  hint: ${hint}`);
  }
}

/**
 * Runs `work`. If it throws `NotAttacked`, the stack is changed to point at the line that called the public function:
 * that line asked for something impossible, and test runners show the code there.
 */
export async function blameCaller<T>(called: (...values: never[]) => unknown, work: () => Promise<T>): Promise<T> {
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
