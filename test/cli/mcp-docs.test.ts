import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launch1 } from '../support/mcp-clients.ts';
import { type RunningActor, runActor } from '../support/run-actor.ts';
import { launched } from './launched.ts';
import { root } from './run-cli.ts';

interface Server {
  readonly command: string;
  readonly args: readonly string[];
}

const page = readFileSync(join(root, 'docs/protocols/mcp.md'), 'utf8');
const servers = [...page.matchAll(/```json\n(.*?)```/gs)].flatMap(([, text = '']) =>
  Object.entries<Server>(JSON.parse(text).mcpServers),
);

describe('the configurations of docs/protocols/mcp.md', () => {
  let actor: RunningActor;
  beforeAll(async () => {
    const state = { tools: [{ name: 'offer', inputSchema: { type: 'object' } }] };
    actor = await runActor(JSON.stringify({ oatf: '0.1', attack: { execution: { mode: 'mcp_server', state } } }));
  });
  afterAll(() => actor.stop());

  test.each(servers)('launch a server with tools: %s', async (_, { command, args }) => {
    expect(command).toBe('oatf');
    const here = args.map((arg) => (arg.startsWith('http:') ? actor.url : arg));
    const client = await launch1(launched(here));
    expect((await client.tools()).length).toBeGreaterThan(0);
    await client.leave();
  });
});
