import type { Answer } from '../engine/messages.ts';
import { isValueMap, type Value, type ValueMap } from '../model/value.ts';
import { cacheableMethods, mcp2026, mcp2026Error, metaKey } from '../registry/mcp-2026.ts';
import type { Caller } from './mcp-door-caller.ts';

// What the door reads and writes since MCP 2026-07-28, where it was told in a handshake before.

/** Who asks, as the request says it. */
export function callerIn(params: Value | undefined, notes: string[]): Caller {
  const meta = metaIn(params);
  const { [metaKey.clientCapabilities]: capabilities, [metaKey.clientInfo]: info } = meta;
  return {
    version: String(meta[metaKey.protocolVersion] ?? mcp2026),
    capabilities: isValueMap(capabilities) ? capabilities : {},
    info: info ?? {},
    notes,
  };
}

/** Why a request in another version is not served. */
export function refusedVersion(params: Value | undefined): Answer | undefined {
  const requested = metaIn(params)[metaKey.protocolVersion];
  if (requested === mcp2026) return undefined;
  const data = { supported: [mcp2026], requested: requested ?? null };
  const error = { code: mcp2026Error.unsupportedVersion, message: 'Unsupported protocol version', data };
  return { kind: 'error', error };
}

/** A result with what every result says. */
export function enveloped(result: ValueMap, method: string, server: ValueMap): ValueMap {
  return {
    resultType: 'complete',
    ...(cacheableMethods.has(method) && { ttlMs: 0, cacheScope: 'private' }),
    ...result,
    _meta: { [metaKey.serverInfo]: server },
  };
}

/** What a request says beside who asks: that is told apart from it. */
export function besideCaller(meta: ValueMap): ValueMap {
  const own: ReadonlySet<string> = new Set(Object.values(metaKey));
  return Object.fromEntries(Object.entries(meta).filter(([key]) => !own.has(key)));
}

function metaIn(params: Value | undefined): ValueMap {
  const meta = isValueMap(params) ? params._meta : undefined;
  return isValueMap(meta) ? meta : {};
}
