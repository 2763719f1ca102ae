/** A case that must finish on its own with this outcome, within 256 MB. */
export interface HostileCase {
  readonly id: string;
  readonly expected: string;
  run(): string;
}
