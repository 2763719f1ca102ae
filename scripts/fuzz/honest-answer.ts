import type { Value, ValueMap } from '../../src/format/model/value.ts';
import { mcp2026 } from '../../src/format/registry/mcp-2026.ts';
import type { Era } from './frames.ts';

const serverInfo = { name: 'x', version: '1' };

/** The answer of an honest server; undefined for a notification. */
export function honestAnswer({ id, method }: ValueMap, era: Era): Value | undefined {
  if (id === undefined || typeof method !== 'string') return undefined;
  const results: { readonly [method: string]: Value } = {
    initialize: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo },
    ...(era === 'modern' && {
      'server/discover': {
        resultType: 'complete',
        supportedVersions: [mcp2026],
        capabilities: { tools: {} },
        serverInfo,
      },
    }),
    'tools/list': { resultType: 'complete', tools: [] },
    'tools/call': { resultType: 'complete', content: [] },
  };
  return Object.hasOwn(results, method)
    ? { jsonrpc: '2.0', id, result: results[method] ?? null }
    : { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } };
}
