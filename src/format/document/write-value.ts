import { stringify } from 'yaml';
import type { Value } from '../model/value.ts';
import { createScalarTags, yamlStyle } from './yaml-style.ts';

/** Writes a document that was built as data, in our style. */
export function writeValue(value: Value): string {
  return stringify(value, { ...yamlStyle, customTags: createScalarTags });
}
