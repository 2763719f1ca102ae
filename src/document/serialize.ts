import { stringify } from 'yaml';
import type { Document } from '../model/document.ts';
import type { NormalizedDocument } from '../model/normalized.ts';
import { encode } from './encode.ts';
import { normalize } from './normalize.ts';
import { scalarTags, yamlStyle } from './yaml-style.ts';

/** YAML in the normalized multi-actor form, `oatf` first, fields in the order of seed 004 (SDK §3.4). */
export function serialize(document: Document | NormalizedDocument): string {
  return stringify(encode('Document', normalize(document) as Document), {
    ...yamlStyle,
    customTags: scalarTags,
  });
}
