import type { Programs } from './programs.ts';

/** One check of a peer; throws if it fails. */
export type Check = (programs: Programs) => Promise<void>;

export interface Checks {
  readonly [name: string]: Check;
}

/** Software of other makers, in the named versions. */
export interface Peer {
  readonly name: string;
  /** Installs the peer if it is not installed yet; throws `NotHad` if that is not possible. */
  install(): Programs;
  readonly checks: Checks;
}
