import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { freshFolder } from '../../support/fresh-folder.ts';
import {
  connect1,
  connect2,
  connect2Probing,
  launch1,
  launch2,
  launch2Probing,
  type OfficialClient,
} from '../../support/mcp-clients.ts';
import { launched, startLaunched } from '../launched.ts';

// `oatf record --listen`: an official client connects to its server through us, and then to the recorded document
// alone. It gets the same answers from both, including questions and errors.

const withSessions = fileURLToPath(new URL('../../protocols/mcp-client/official-server.mjs', import.meta.url));
const withoutSessions = fileURLToPath(new URL('../../protocols/mcp-2026/official-server.mjs', import.meta.url));

type Ask = (client: OfficialClient) => Promise<unknown>;

const everyWay: Ask = async (client) => ({
  tools: await client.tools(),
  resources: await client.resources(),
  prompts: await client.prompts(),
  read: await client.read('note://1'),
  prompt: await client.prompt('greet'),
  opened: await client.call('use_key', { key: 'k {{1}}' }),
  other: await client.call('use_key', { key: 'k-2' }),
  elicited: await client.call('elicit'),
  sampled: await client.call('sample'),
  failed: await client.call('fail').catch((error: Error) => error.message),
  asked: client.asked,
});

const asked: Ask = async (client) => ({
  tools: await client.tools(),
  key: await client.call('read_key'),
  elicited: await client.call('elicit'),
  asked: client.asked,
});

const rows = [
  ['with sessions', `${withSessions} 1 stdio`, connect1, launch1, everyWay],
  ['built with the second SDK', `${withSessions} 2 stdio`, connect2, launch2, everyWay],
  ['without sessions', `${withoutSessions} stdio`, connect1, launch1, asked],
  [
    'without sessions, asked by a client that probes for MCP 2026',
    `${withoutSessions} stdio`,
    connect2Probing,
    launch2Probing,
    asked,
  ],
  [
    'with sessions, asked by a client that probes for MCP 2026',
    `${withSessions} 1 stdio`,
    connect2Probing,
    launch2Probing,
    everyWay,
  ],
] as const;

test.each(rows)(
  'oatf record --listen gives a document that answers an official client like the server it recorded: %s',
  async (_, program, connect, launch, ask) => {
    const folder = freshFolder();
    const server = `command:${process.execPath} ${program}`;
    const recorder = startLaunched(
      ['record', server, '--listen', '127.0.0.1:0', '--show-secrets', '--out', 'recorded.yaml'],
      folder,
    );
    const url = await vi.waitFor(() => {
      const [, found] = /recording at (\S+);/.exec(recorder.output.stderr) ?? [];
      if (found === undefined) throw new Error(recorder.output.stderr);
      return found;
    }, 30_000);
    const real = await connect(url);
    const before = await ask(real);
    await real.leave();
    recorder.child.kill('SIGINT');
    expect([await recorder.ended, recorder.output.stderr]).toEqual([0, expect.stringContaining('recorded')]);

    const played = await launch(launched(['run', 'recorded.yaml', '--stdio', '--quiet'], folder));
    const after = await ask(played);
    await played.leave();
    expect(after).toEqual(before);
  },
);

test('oatf record --call of a server without sessions gives a document that answers a client of MCP 2026 like the server', async () => {
  const folder = freshFolder();
  const server = `command:${process.execPath} ${withoutSessions} stdio`;
  const recorder = startLaunched(['record', server, '--call', 'read_key', '--out', 'recorded.yaml'], folder);
  expect([await recorder.ended, recorder.output.stderr]).toEqual([0, expect.stringContaining('3 tools')]);
  const environment = { cwd: folder, env: { PATH: process.env.PATH ?? '' } };
  const real = { command: process.execPath, args: [withoutSessions, 'stdio'], ...environment };
  const answers = await Promise.all(
    [real, launched(['run', 'recorded.yaml', '--stdio', '--quiet'], folder)].map(async (program) => {
      const client = await launch2Probing(program);
      const { serverName } = client;
      const seen = { serverName, tools: await client.tools(), key: await client.call('read_key') };
      await client.leave();
      return seen;
    }),
  );
  expect(answers[1]).toEqual(answers[0]);
});

test('oatf record reports that it left out a request for the roots of the client', async () => {
  const folder = freshFolder();
  const recorder = startLaunched(
    ['record', `command:${process.execPath} ${withSessions} 1 stdio`, '--stdio', '--out', 'recorded.yaml'],
    folder,
  );
  const messages = [
    {
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: { roots: {} },
        clientInfo: { name: 'a', version: '1' },
      },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
    { id: 3, method: 'tools/call', params: { name: 'roots', arguments: {} } },
  ];
  for (const message of messages) recorder.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const lines = (): readonly { id?: unknown; method?: string }[] =>
    recorder.output.stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  const question = await vi.waitFor(() => {
    const found = lines().find(({ method }) => method === 'roots/list');
    if (found === undefined) throw new Error(recorder.output.stdout);
    return found;
  }, 30_000);
  recorder.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: question.id, result: { roots: [] } })}\n`);
  await vi.waitFor(() => expect(lines().some(({ id }) => id === 3)).toBe(true), 30_000);
  recorder.child.stdin.end();
  expect(await recorder.ended).toBe(2);
  expect(recorder.output.stderr).toContain('left out: the server asks roots/list within tools/call');
  const { attack } = parse(readFileSync(join(folder, 'recorded.yaml'), 'utf8'));
  expect(attack.execution.state.tools.map(({ name }: { name: string }) => name)).toContain('roots');
});
