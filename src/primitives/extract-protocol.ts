import type { Mode, Protocol } from '../model/enumerations.ts';
import { protocolOf } from '../registry/modes.ts';

/** The protocol of a mode: its name without the final `_server` or `_client`. */
export function extractProtocol(mode: Mode): Protocol {
  return protocolOf(mode);
}
