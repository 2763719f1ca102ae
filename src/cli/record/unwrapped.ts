import { isValueMap, type Value } from '../../model/value.ts';
import { metaKey } from '../../registry/mcp-2026.ts';

/** An answer without what a server without sessions puts around each: how it ended, and who says so. */
export function unwrapped(result: Value): Value {
  if (!isValueMap(result) || result.resultType !== 'complete') return result;
  const { resultType: _, _meta, ...rest } = result;
  if (!isValueMap(_meta)) return { ...rest, ...(_meta !== undefined && { _meta }) };
  const { [metaKey.serverInfo]: _info, ...own } = _meta;
  return { ...rest, ...(Object.keys(own).length > 0 && { _meta: own }) };
}
