import type { Answer } from '../../attack/engine/actor-messages.ts';
import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import { cacheableMethods, mcp2026, metaKey, readRequestMeta } from '../../format/registry/mcp-2026.ts';

// The fields that an agent without a session adds to every request, and those that it expects in every answer. The
// server behind us may use a handshake.

const ownKeys: ReadonlySet<string> = new Set(Object.values(metaKey));

/** The handshake made from the agent's own fields. */
export function createHandshake(params: Value | undefined): ValueMap {
  const meta = readRequestMeta(params);
  return {
    protocolVersion: '2025-11-25',
    capabilities: meta[metaKey.clientCapabilities] ?? {},
    clientInfo: meta[metaKey.clientInfo] ?? { name: 'unnamed', version: '0' },
  };
}

/** The params without the fields that describe the agent. */
export function dropCallerMeta(params: Value | undefined): Value | undefined {
  if (!isValueMap(params) || params._meta === undefined) return params;
  const { _meta, ...rest } = params;
  const own = Object.entries(readRequestMeta(params)).filter(([key]) => !ownKeys.has(key));
  return own.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(own) };
}

/** The answer to `server/discover`, made from the answer to the handshake. */
export function createDiscovery(opened: ValueMap): ValueMap {
  const { capabilities = {}, instructions } = opened;
  return { supportedVersions: [mcp2026], capabilities, ...(instructions !== undefined && { instructions }) };
}

/** An answer as this era writes it. Fields that the server wrote stay. */
export function wrapSessionless(answer: Answer, method: string, { serverInfo }: ValueMap): Answer {
  if (answer.kind === 'error' || !isValueMap(answer.result)) return answer;
  const { _meta, ...rest } = answer.result;
  const caching = cacheableMethods.has(method) ? { ttlMs: 0, cacheScope: 'private' } : {};
  const introduced = serverInfo === undefined ? {} : { [metaKey.serverInfo]: serverInfo };
  const meta = { ...introduced, ...(isValueMap(_meta) && _meta) };
  return { kind: 'result', result: { resultType: 'complete', ...caching, ...rest, _meta: meta } };
}

/** An answer without the envelope of a server without sessions: the result type and the server's name. */
export function unwrapSessionless(result: Value): Value {
  if (!isValueMap(result) || result.resultType !== 'complete') return result;
  const { resultType: _, _meta, ...rest } = result;
  if (!isValueMap(_meta)) return { ...rest, ...(_meta !== undefined && { _meta }) };
  const { [metaKey.serverInfo]: _info, ...own } = _meta;
  return { ...rest, ...(Object.keys(own).length > 0 && { _meta: own }) };
}
