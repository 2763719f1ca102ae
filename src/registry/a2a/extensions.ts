import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';

// Extensions of A2A: an agent's card says which it has, and which whoever speaks to it must know.

/** Where a request lists the extensions that it is made with, since 1.0 and before. */
export const extensionsHeader = 'a2a-extensions';
export const extensionsHeader03 = 'x-a2a-extensions';

export const extensionSupportRequired = -32008;

/** What a card asks of everybody. */
export function requiredExtensions(card: Value | undefined): readonly ValueMap[] {
  const capabilities = isValueMap(card) ? card.capabilities : undefined;
  const extensions = isValueMap(capabilities) ? capabilities.extensions : undefined;
  if (!Array.isArray(extensions)) return none;
  return (extensions as readonly Value[]).filter(isValueMap).filter(({ required }) => required === true);
}

const none: readonly ValueMap[] = [];

/** The URIs in a header; they are separated by commas. */
export function urisIn(header: string): readonly string[] {
  return header
    .split(',')
    .map((uri) => uri.trim())
    .filter((uri) => uri !== '');
}
