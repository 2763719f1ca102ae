import { fillText, type Lookup } from '../placeholders.ts';
import type { TargetHeaders } from '../targets.ts';
import { describeUnknownPlaceholder, fillAt, type OpenNames } from './known-placeholders.ts';

const nameShape = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const valueShape = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Headers that frame a request; only the HTTP client may set them. */
const ours = new Set(['content-length', 'transfer-encoding', 'connection']);

export function findHeaderProblems(
  headers: TargetHeaders | undefined,
  where: string,
  known: OpenNames,
): readonly string[] {
  return Object.entries(headers ?? {}).flatMap(([name, value]) => {
    if (!nameShape.test(name)) return [`${where}: ${JSON.stringify(name)} is not the name of a header`];
    if (ours.has(name.toLowerCase())) return [`${where}.${name}: the HTTP client sets this header itself`];
    // The value may be a secret, so the message does not quote it.
    if (typeof value !== 'string' || !valueShape.test(value))
      return [`${where}.${name}: its value cannot be sent in a header; write a line of plain text`];
    const unknown = describeUnknownPlaceholder(value, known);
    return unknown === undefined ? [] : [`${where}.${name}: ${unknown}`];
  });
}

export function fillHeaders(
  headers: TargetHeaders | undefined,
  lookup: Lookup,
  where = 'headers',
): { readonly [name: string]: string } {
  const filled = Object.entries(headers ?? {}).map(([name, value]) => {
    const text = fillAt(`${where}.${name}`, value, lookup, () => fillText(value, lookup));
    if (!valueShape.test(text))
      throw new Error(`${where}.${name}: the values of its placeholders cannot be sent in a header`);
    return [name.toLowerCase(), text] as const;
  });
  return Object.fromEntries(filled);
}
