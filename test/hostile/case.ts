/** Something that must end by itself, with this outcome, inside 256 MB. */
export interface HostileCase {
  readonly id: string;
  readonly expected: string;
  run(): string;
}
