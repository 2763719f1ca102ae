import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';

// Extensions of A2A: an agent's card lists those that it supports, and those that its clients must know.

/** The headers in which a request lists its extensions: since 1.0, and before. */
export const extensionsHeader = 'a2a-extensions';
export const extensionsHeader03 = 'x-a2a-extensions';

export const extensionSupportRequired = -32008;

/** The extensions that a card requires of every client. */
export function listRequiredExtensions(card: Value | undefined): readonly ValueMap[] {
  const capabilities = isValueMap(card) ? card.capabilities : undefined;
  const extensions = isValueMap(capabilities) ? capabilities.extensions : undefined;
  if (!Array.isArray(extensions)) return none;
  return (extensions as readonly Value[]).filter(isValueMap).filter(({ required }) => required === true);
}

const none: readonly ValueMap[] = [];

/** Splits a header into URIs, which commas separate. */
export function splitUris(header: string): readonly string[] {
  return header
    .split(',')
    .map((uri) => uri.trim())
    .filter((uri) => uri !== '');
}
