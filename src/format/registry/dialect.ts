import table from '../../../data/dialect.json' with { type: 'json' };
import { getOwnValue } from '../model/value.ts';

// Keys of ThoughtJack's documents, and their counterparts in OATF 0.1 or in our extensions. `oatf convert` rewrites them.
// The SDK's own diagnostics do not use this table.

/** Says what to write for a key of the dialect; undefined for any other key. */
export function explainDialectKey(word: string): string | undefined {
  const ours = getOwnValue<string>(table.oatf, word);
  if (ours !== undefined) return `OATF 0.1 has ${ours}; oatf convert rewrites it`;
  const extension = getOwnValue<string>(table.extensions, word);
  if (extension !== undefined) return `this tool has ${extension}; oatf convert rewrites it`;
  return getOwnValue<string>(table.nothing, word);
}
