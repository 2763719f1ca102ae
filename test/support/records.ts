import type { NormalizedDocument } from '../../src/format/model/normalized.ts';
import { load, type MessageRecord, type TraceRecord } from '../../src/index.ts';

/** A document from its execution and indicators; a test's own mistake shows at once. */
export function documentWith(attack: { readonly [key: string]: unknown }): NormalizedDocument {
  const loaded = load(JSON.stringify({ oatf: '0.1', attack }));
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors));
  return loaded.document;
}

const mcpServer = { actor: 'default', protocol: 'mcp', mode: 'mcp_server' } as const;

let lastSeq = 0;

/** A message of a trace; by default a tools/call that the agent sent to an MCP server. */
export function message(fields: Partial<MessageRecord>): MessageRecord {
  lastSeq += 1;
  return {
    seq: lastSeq,
    timestamp: '2026-01-01T00:00:00.000Z',
    ...mcpServer,
    kind: 'request',
    origin: 'agent',
    method: 'tools/call',
    content: {},
    ...fields,
  };
}

export function phase(actor: string, name: string): TraceRecord {
  lastSeq += 1;
  return { seq: lastSeq, timestamp: '2026-01-01T00:00:00.000Z', kind: 'phase', actor, phase: name };
}
