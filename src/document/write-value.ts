import { stringify } from 'yaml';
import type { Value } from '../model/value.ts';
import { scalarTags, yamlStyle } from './yaml-style.ts';

/** A document that was made as data, as text in our style. */
export function writeValue(value: Value): string {
  return stringify(value, { ...yamlStyle, customTags: scalarTags });
}
