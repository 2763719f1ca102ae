import { stringify } from 'yaml';
import type { Document } from '../model/attack-document.ts';
import type { NormalizedDocument } from '../model/normalized.ts';
import { encode } from './encode-document.ts';
import { normalize } from './normalize-document.ts';
import { createScalarTags, yamlStyle } from './yaml-style.ts';

/**
 * Writes YAML in the normalized multi-actor form (SDK spec §3.4), with `oatf` first and fields in the order of the
 * specification.
 */
export function serialize(document: Document | NormalizedDocument): string {
  return stringify(encode('Document', normalize(document) as Document), {
    ...yamlStyle,
    customTags: createScalarTags,
  });
}
