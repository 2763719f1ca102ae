import type { Answer } from '../../attack/engine/actor-messages.ts';
import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import { cacheableMethods, mcp2026, mcp2026Error, metaKey } from '../../format/registry/mcp-2026.ts';
import type { Caller } from './mcp-interface-caller.ts';

// The parts of MCP 2026-07-28 requests and responses that earlier versions exchange in the handshake.

/** Reads the caller's identity from the request. */
export function readCaller(params: Value | undefined, notes: string[]): Caller {
  const meta = readMeta(params);
  const { [metaKey.clientCapabilities]: capabilities, [metaKey.clientInfo]: info } = meta;
  return {
    version: String(meta[metaKey.protocolVersion] ?? mcp2026),
    capabilities: isValueMap(capabilities) ? capabilities : {},
    info: info ?? {},
    notes,
  };
}

/** The error for a request in an unsupported version; undefined if it is supported. */
export function refuseVersion(params: Value | undefined): Answer | undefined {
  const requested = readMeta(params)[metaKey.protocolVersion];
  if (requested === mcp2026) return undefined;
  const data = { supported: [mcp2026], requested: requested ?? null };
  const error = { code: mcp2026Error.unsupportedVersion, message: 'Unsupported protocol version', data };
  return { kind: 'error', error };
}

/** Adds the fields that every result has. */
export function addEnvelope(result: ValueMap, method: string, server: ValueMap): ValueMap {
  return {
    resultType: 'complete',
    ...(cacheableMethods.has(method) && { ttlMs: 0, cacheScope: 'private' }),
    ...result,
    _meta: { [metaKey.serverInfo]: server },
  };
}

/** The metadata of a request, without the caller's identity, which is read separately. */
export function dropCallerFields(meta: ValueMap): ValueMap {
  const own: ReadonlySet<string> = new Set(Object.values(metaKey));
  return Object.fromEntries(Object.entries(meta).filter(([key]) => !own.has(key)));
}

function readMeta(params: Value | undefined): ValueMap {
  const meta = isValueMap(params) ? params._meta : undefined;
  return isValueMap(meta) ? meta : {};
}
