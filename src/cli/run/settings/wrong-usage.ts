export interface WrongUsage {
  readonly message: string;
  readonly hint: string;
  /** The parts of the message, so that it can name another source than the flag. */
  readonly about?: WrongFlagFacts;
}

export interface WrongFlagFacts {
  readonly flag: string;
  readonly typed: string;
  readonly problem: string;
}

export function refuseFlag(flag: string, typed: string, problem: string, hint: string): WrongUsage {
  const message = `--${flag}${typed === '' ? '' : ` ${typed}`}: ${problem}`;
  return { message, hint, about: { flag, typed, problem } };
}
