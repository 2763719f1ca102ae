import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import { metaKey } from '../../registry/mcp-2026.ts';
import type { Frame } from '../json-rpc.ts';

// MCP since 2026-07-28 says its version in every request, and that is how it is told from what came before.

const ownMethods: ReadonlySet<string> = new Set(['server/discover', 'subscriptions/listen']);

/** Whether a message says that it is written in MCP of 2026-07-28 or later. */
export function isOf2026(frame: Frame): boolean {
  if (frame.kind !== 'request' && frame.kind !== 'notification') return false;
  return ownMethods.has(frame.method) || metaIn(frame.params)[metaKey.protocolVersion] !== undefined;
}

export function metaIn(params: Value | undefined): ValueMap {
  const meta = isValueMap(params) ? params._meta : undefined;
  return isValueMap(meta) ? meta : {};
}

/** What a request must say of itself and does not. */
export function missingMetadata(params: Value | undefined): string | undefined {
  const meta = metaIn(params);
  if (typeof meta[metaKey.protocolVersion] !== 'string')
    return `\`_meta\` has no text under ${metaKey.protocolVersion}`;
  if (!isValueMap(meta[metaKey.clientCapabilities]))
    return `\`_meta\` has no object under ${metaKey.clientCapabilities}`;
  return undefined;
}
