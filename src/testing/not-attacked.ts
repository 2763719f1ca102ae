/** What was asked for cannot be done: no attack has begun. */
export class NotAttacked extends Error {
  override readonly name = 'NotAttacked';

  constructor(message: string, hint?: string) {
    super(hint === undefined ? message : `${message}\n  hint: ${hint}`);
  }
}
