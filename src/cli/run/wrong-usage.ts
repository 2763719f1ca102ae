export interface WrongUsage {
  readonly message: string;
  readonly hint: string;
}

export function wrongFlag(flag: string, typed: string, problem: string, hint: string): WrongUsage {
  return { message: `--${flag} ${typed}: ${problem}`, hint };
}
