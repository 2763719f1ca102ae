import type { Mode, Protocol } from '../model/enumeration-types.ts';
import { getProtocol } from '../registry/known-modes.ts';

/** The protocol of a mode: its name without the final `_server` or `_client`. */
export function extractProtocol(mode: Mode): Protocol {
  return getProtocol(mode);
}
