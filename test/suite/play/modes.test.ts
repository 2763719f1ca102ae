import { expect, test } from 'vitest';
import type { Role } from '../../../src/format/registry/known-modes.ts';
import { formatCarriedModes, type TransportKind } from '../../../src/suite/play/playable-modes.ts';

const rows: [Role, TransportKind, string][] = [
  ['server', 'socket', 'mcp_server and a2a_server'],
  ['server', 'stdio', 'mcp_server'],
  ['server', 'memory', 'mcp_server'],
  ['client', 'socket', 'mcp_client and a2a_client and ag_ui_client'],
  ['client', 'stdio', 'mcp_client'],
  ['client', 'memory', 'ag_ui_client'],
];

test.each(rows)('formatCarriedModes of a %s over %s are %s', (role, carrier, modes) => {
  expect(formatCarriedModes(role, carrier)).toBe(modes);
});
