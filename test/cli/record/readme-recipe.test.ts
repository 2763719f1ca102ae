import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshFolder } from '../../support/fresh-folder.ts';
import { root, runShell } from '../run-cli.ts';

/** The commands of the README that record and poison, with a built-in agent in place of the reader's. */
const [, block = ''] = /```sh\n(npx oatf record .*?)```/s.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
const commands = block.replaceAll('npx oatf', 'oatf').replace('--agent mine', '--agent gullible --agent guarded');

/** An MCP server over standard streams with the two tools that the README names. */
const server = `
import { createInterface } from 'node:readline';
const tool = (name, parameter) => ({
  name,
  description: name === 'search' ? 'Searches the pages.' : 'Reads a page.',
  inputSchema: { type: 'object', properties: { [parameter]: { type: 'string' } }, required: [parameter] },
});
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'pages', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [tool('search', 'query'), tool('get_page', 'title')] }),
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = answers[method]?.(params);
  const answer = result === undefined ? { error: { code: -32601, message: 'there is no ' + method } } : { result };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
});
`;

test('the README records a server and puts a payload into it that gullible obeys and guarded resists', async () => {
  const folder = freshFolder([['my-server.mjs', server]]);
  const { stdout, stderr, exit } = await runShell(commands, folder);
  expect(stderr).toContain('the attack succeeds');
  expect(stdout).toMatch(/gullible +EXPLOITED/);
  expect(stdout).toMatch(/guarded +RESISTED/);
  expect(exit).toBe(1);
});
