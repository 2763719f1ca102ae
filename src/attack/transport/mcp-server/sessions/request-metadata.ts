import { isValueMap, type Value } from '../../../../format/model/value.ts';
import { metaKey, readRequestMeta } from '../../../../format/registry/mcp-2026.ts';
import type { Frame } from '../../json-rpc-frames.ts';

// MCP since 2026-07-28 names its version in every request, which tells it from earlier versions.

const ownMethods: ReadonlySet<string> = new Set(['server/discover', 'subscriptions/listen']);

/** Tells whether a message declares MCP 2026-07-28 or later. */
export function isOf2026(frame: Frame): boolean {
  if (frame.kind !== 'request' && frame.kind !== 'notification') return false;
  return ownMethods.has(frame.method) || readRequestMeta(frame.params)[metaKey.protocolVersion] !== undefined;
}

/** Names the metadata that a request must have and lacks. */
export function findMissingMetadata(params: Value | undefined): string | undefined {
  const meta = readRequestMeta(params);
  if (typeof meta[metaKey.protocolVersion] !== 'string')
    return `\`_meta\` has no text under ${metaKey.protocolVersion}`;
  if (!isValueMap(meta[metaKey.clientCapabilities]))
    return `\`_meta\` has no object under ${metaKey.clientCapabilities}`;
  return undefined;
}
