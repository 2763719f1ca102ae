import { createHmac, randomBytes } from 'node:crypto';

// Makes session ids and recognizes them. `post.ts` and `get.ts` check that the session of a request is open.

/** The session ids of one address. */
export interface SessionIds {
  fresh(): string;
  /** Whether an id was issued at this address, by this run or an earlier one. */
  areOurs(id: string): boolean;
}

const randomPart = 12;
const checkPart = 4;

/**
 * Ids that look like any random UUID. Their last bytes are derived from the others and the address, so that an agent
 * that continues the session of an earlier run is recognized without a stored list.
 */
export function createSessionIds(place: string): SessionIds {
  const checkOf = (random: Buffer): Buffer =>
    createHmac('sha256', `session at ${place}`).update(random).digest().subarray(0, checkPart);
  return {
    fresh() {
      const random = randomBytes(randomPart);
      // The bits that make it a UUID of version 4.
      random[6] = ((random[6] as number) & 0x0f) | 0x40;
      random[8] = ((random[8] as number) & 0x3f) | 0x80;
      const hex = Buffer.concat([random, checkOf(random)]).toString('hex');
      return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    },
    areOurs(id) {
      if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)) return false;
      const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
      return checkOf(bytes.subarray(0, randomPart)).equals(bytes.subarray(randomPart));
    },
  };
}
