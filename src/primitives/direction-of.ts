import type { Direction } from '../model/enumerations.ts';
import type { MessageRecord } from '../model/trace.ts';
import { isClientMode } from '../registry/modes.ts';

/** The side of the exchange, seen from the actor's role (§6.1): what a server-mode actor receives is a request. */
export function directionOf({ mode, origin }: MessageRecord): Direction {
  return isClientMode(mode) === (origin === 'attacker') ? 'request' : 'response';
}
