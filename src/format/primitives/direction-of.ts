import type { Direction } from '../model/enumeration-types.ts';
import type { MessageRecord } from '../model/trace-record.ts';
import { isClientMode } from '../registry/known-modes.ts';

/** The direction of a message, as seen from the actor's role (format spec §6.1): a server actor receives requests. */
export function directionOf({ mode, origin }: MessageRecord): Direction {
  return isClientMode(mode) === (origin === 'attacker') ? 'request' : 'response';
}
