import { decodeKey } from '../model/extension-keys.ts';
import type { NormalizedIndicator } from '../model/normalized.ts';

/** Whether the pattern of an indicator matches behind disguises too. */
export function isDecoded({ extensions }: NormalizedIndicator): boolean {
  return extensions?.[decodeKey] === true;
}
