import { expect, test } from 'vitest';
import type { Role } from '../../src/registry/modes.ts';
import { type Carrier, carriedModes } from '../../src/suite/modes.ts';

const rows: [Role, Carrier, string][] = [
  ['server', 'socket', 'mcp_server and a2a_server'],
  ['server', 'stdio', 'mcp_server'],
  ['server', 'memory', 'mcp_server'],
  ['client', 'socket', 'mcp_client and a2a_client and ag_ui_client'],
  ['client', 'stdio', 'mcp_client'],
  ['client', 'memory', 'ag_ui_client'],
];

test.each(rows)('as a %s a %s carries %s', (role, carrier, modes) => {
  expect(carriedModes(role, carrier)).toBe(modes);
});
