import type { NormalizedDocument } from '../../src/format/model/normalized.ts';
import { documentWith } from './records.ts';

// Documents whose only actor is an MCP server with tools.

export const tool = (name: string, text = name) => ({
  name,
  responses: [{ content: [{ type: 'text', text }] }],
});
export const phased = (...phases: object[]): NormalizedDocument =>
  documentWith({ execution: { mode: 'mcp_server', phases } });
export const call = { name: 'a', arguments: { path: '/tmp' } };
