export interface WrongUsage {
  readonly message: string;
  readonly hint: string;
  /** What the message is made of, so that a setting which stands elsewhere can be named by its place there. */
  readonly about?: About;
}

export interface About {
  readonly flag: string;
  readonly typed: string;
  readonly problem: string;
}

export function wrongFlag(flag: string, typed: string, problem: string, hint: string): WrongUsage {
  const message = `--${flag}${typed === '' ? '' : ` ${typed}`}: ${problem}`;
  return { message, hint, about: { flag, typed, problem } };
}
