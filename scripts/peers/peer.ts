import type { Programs } from './programs.ts';

/** One thing to see of a peer; throws where it is not so. */
export type Check = (programs: Programs) => Promise<void>;

export interface Checks {
  readonly [name: string]: Check;
}

/** Somebody else's software, in the versions that are named. */
export interface Peer {
  readonly name: string;
  /** Installs it where it is not there yet; throws `NotHad` where it cannot be had. */
  install(): Programs;
  readonly checks: Checks;
}
