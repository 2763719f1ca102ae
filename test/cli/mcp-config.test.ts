import { expect, test } from 'vitest';
import { parseMcpConfig } from '../../src/cli/commands/agent-command.ts';

const url = 'http://127.0.0.1:8080/mcp';
const shop = { mcpServers: { shop: { type: 'http', url } } };

test.each([
  ['http', shop, shop],
  ['streamable-http', { mcpServers: { shop: { type: 'streamable-http', url } } }, shop],
  ['no type', { mcpServers: { shop: { url, headers: {} } } }, shop],
  ['no servers', { mcpServers: {} }, { mcpServers: {} }],
])('parseMcpConfig reads a configuration with %s', (_name, given, expected) => {
  expect(parseMcpConfig(JSON.stringify(given))).toEqual(expected);
});

test.each([
  ['a list at the top', []],
  ['no mcpServers', { servers: {} }],
  ['a server that is a text', { mcpServers: { shop: url } }],
  ['a command', { mcpServers: { shop: { command: 'npx', args: [] } } }],
  ['the type sse', { mcpServers: { shop: { type: 'sse', url } } }],
  ['no url', { mcpServers: { shop: { type: 'http' } } }],
  ['a url that is not a URL', { mcpServers: { shop: { url: 'localhost' } } }],
  ['a file as url', { mcpServers: { shop: { url: 'file:///etc/passwd' } } }],
])('parseMcpConfig refuses a configuration with %s', (_name, given) => {
  expect(parseMcpConfig(JSON.stringify(given))).toMatchObject({ problem: expect.any(String) });
});

test('parseMcpConfig refuses a text that is not JSON', () => {
  expect(parseMcpConfig('mcpServers: {}')).toMatchObject({ problem: 'this is not JSON' });
});
