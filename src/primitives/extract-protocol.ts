import type { Mode, Protocol } from '../model/enumerations.ts';

/** The protocol of a mode: what stands before its final `_server` or `_client`. */
export function extractProtocol(mode: Mode): Protocol {
  return mode.replace(/_(server|client)$/, '');
}
