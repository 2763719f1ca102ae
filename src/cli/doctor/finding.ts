/** One thing that was looked at. */
export interface Finding {
  /** What it is about: the machine, the configuration, or a target by its name. */
  readonly about: string;
  /** `note` is worth knowing and need not be wrong. */
  readonly status: 'ok' | 'note' | 'wrong';
  readonly says: string;
  /** What to do about it. */
  readonly advice?: string;
}

export type Say = (status: Finding['status'], says: string, advice?: string) => Finding;

export function sayOf(about: string): Say {
  return (status, says, advice) => ({ about, status, says, ...(advice !== undefined && { advice }) });
}
