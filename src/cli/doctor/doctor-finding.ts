/** The result of one check. */
export interface DoctorFinding {
  /** The subject: the machine, the configuration, or the name of a target. */
  readonly about: string;
  /** `note` is worth knowing, but is not necessarily a problem. */
  readonly status: 'ok' | 'note' | 'wrong';
  readonly says: string;
  /** The advice for the user. */
  readonly advice?: string;
}

export type FindingMaker = (status: DoctorFinding['status'], says: string, advice?: string) => DoctorFinding;

export function createFindingMaker(about: string): FindingMaker {
  return (status, says, advice) => ({ about, status, says, ...(advice !== undefined && { advice }) });
}
