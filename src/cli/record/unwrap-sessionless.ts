import { isValueMap, type Value } from '../../format/model/value.ts';
import { metaKey } from '../../format/registry/mcp-2026.ts';

/** An answer without the envelope of a server without sessions: the result type and the server's name. */
export function unwrapSessionless(result: Value): Value {
  if (!isValueMap(result) || result.resultType !== 'complete') return result;
  const { resultType: _, _meta, ...rest } = result;
  if (!isValueMap(_meta)) return { ...rest, ...(_meta !== undefined && { _meta }) };
  const { [metaKey.serverInfo]: _info, ...own } = _meta;
  return { ...rest, ...(Object.keys(own).length > 0 && { _meta: own }) };
}
