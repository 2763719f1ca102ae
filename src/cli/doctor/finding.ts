/** The result of one check. */
export interface Finding {
  /** The subject: the machine, the configuration, or the name of a target. */
  readonly about: string;
  /** `note` is worth knowing, but is not necessarily a problem. */
  readonly status: 'ok' | 'note' | 'wrong';
  readonly says: string;
  /** The advice for the user. */
  readonly advice?: string;
}

export type Say = (status: Finding['status'], says: string, advice?: string) => Finding;

export function sayOf(about: string): Say {
  return (status, says, advice) => ({ about, status, says, ...(advice !== undefined && { advice }) });
}
