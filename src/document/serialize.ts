import { stringify } from 'yaml';
import type { Document } from '../model/document.ts';
import type { NormalizedDocument } from '../model/normalized.ts';
import { encode } from './encode.ts';
import { normalize } from './normalize.ts';

/** How documents are written: block style, one line stays one line. `fmt` writes the same way. */
export const yamlStyle = {
  version: '1.2',
  schema: 'core',
  lineWidth: 0,
  minContentWidth: 0,
  // Two equal strings of a document are not an anchor and an alias.
  aliasDuplicateObjects: false,
} as const;

/** YAML in the normalized multi-actor form, `oatf` first, fields in the order of seed 004 (SDK §3.4). */
export function serialize(document: Document | NormalizedDocument): string {
  return stringify(encode('Document', normalize(document) as Document), yamlStyle);
}
