import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, test } from 'vitest';
import { freshFolder } from '../../support/fresh-folder.ts';
import { call, eventually } from '../../support/http-peer.ts';
import { connect1, launch1, launch2, launch2Probing } from '../../support/mcp-clients.ts';
import { launched, mall, startLaunched } from '../launched.ts';
import { runCommand } from '../run-cli.ts';
import { key, shop } from '../started-run.ts';

const run = ['run', 'shop.yaml', '--stdio', '--out', 'out'];
const shopFolder = () => freshFolder([['shop.yaml', shop]]);
const resultsIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'out/results.json'), 'utf8'));
/** The outcomes of all finished results in a folder. */
const outcomesBelow = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const file = join(folder, name, 'results.json');
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).runs[0].outcome : [];
  });

const say = (...messages: object[]): string =>
  messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
const modern = '2026-07-28';
const meta = {
  'io.modelcontextprotocol/protocolVersion': modern,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
};
const discover = say(call('server/discover', { _meta: meta }, 'd'));
const hello = say(call('initialize', {}, 0), { method: 'notifications/initialized' }, call('tools/list'));

describe.each([
  ['sdk 1.32', launch1],
  ['client 2.4', launch2],
  ['client 2.4, probing', launch2Probing],
])('run --stdio, launched by %s', (_, launch) => {
  test('attacks the client and stores the verdict when it has disconnected', async () => {
    const folder = freshFolder([['mall.yaml', mall]]);
    const client = await launch(launched(['run', 'mall.yaml', '--stdio', 'middle'], folder));
    expect(client.serverName).toBe('middle');
    expect((await client.tools()).map(({ name }) => name)).toEqual(['buy_middle']);
    expect(await client.call('buy_middle', { what: 'tea', key })).toMatchObject({
      content: [{ text: 'middle sells tea' }],
    });
    expect(client.asked).toMatchObject([{ message: 'middle asks' }]);
    await eventually(() => client.listChanged).toBe(1);
    expect((await client.tools()).map(({ name }) => name)).toEqual(['resell_middle']);
    await client.leave();
    // A client that probes launches its server twice. The first launch only asks for the version and is not a run.
    await eventually(() => outcomesBelow(join(folder, 'oatf-results'))).toEqual(['exploited']);
  });

  test('stores results in the named folder', async () => {
    const folder = shopFolder();
    const client = await launch(launched(run, folder));
    await client.call('buy', { key });
    await client.leave();
    await eventually(() => existsSync(join(folder, 'out/results.json'))).toBe(true);
    expect(resultsIn(folder).runs).toMatchObject([{ outcome: 'exploited' }]);
  });
});

test('run --stdio gives one run for a client that probes and falls back to the older era', async () => {
  const folder = shopFolder();
  const client = await launch2Probing(launched([...run, '--era', 'legacy'], folder));
  await client.call('buy', { key });
  await client.leave();
  await eventually(() => existsSync(join(folder, 'out/results.json'))).toBe(true);
  expect(resultsIn(folder).runs).toMatchObject([
    { outcome: 'exploited', delivery: { default: { eras: ['2024-11-05'] } } },
  ]);
});

test('run --stdio gives a client that makes a task of a call its result', async () => {
  const folder = freshFolder([['mall.yaml', mall]]);
  const client = new Client({ name: 'tasks', version: '1' }, { capabilities: {} });
  const program = launched(['run', 'mall.yaml', '--stdio', 'left', '--out', 'out'], folder);
  await client.connect(new StdioClientTransport({ ...program, stderr: 'ignore' }));
  const params = { name: 'buy_left', arguments: { what: 'milk' } };
  const seen = [];
  for await (const message of client.experimental.tasks.callToolStream(params, undefined, {
    task: { ttl: 9 },
  }))
    seen.push(message);
  expect(seen.map(({ type }) => type)).toEqual(['taskCreated', 'taskStatus', 'result']);
  expect(seen.at(-1)).toMatchObject({ result: { content: [{ text: 'left sells milk' }] } });
  await client.close();
});

describe('run --stdio', () => {
  test('writes only messages to standard output', async () => {
    const folder = shopFolder();
    const { child, output, ended } = startLaunched(run, folder);
    child.stdin.end(hello + say(call('tools/call', { name: 'buy', arguments: { key } }, 2)));
    expect(await ended).toBe(1);
    const lines = output.stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ id: 0 }, { id: 1 }, { id: 2 }]);
    expect(output.stderr).toContain('EXPLOITED  SHOP-001');
    expect(output.stderr).not.toContain(key);
    expect(resultsIn(folder).runs).toMatchObject([{ outcome: 'exploited' }]);
  });

  test('ends when the client disconnects', async () => {
    const { child, output, ended } = startLaunched(run, shopFolder());
    child.stdin.write(hello);
    await eventually(() => output.stdout).toContain('"tools"');
    child.stdin.end();
    // The client listed the tools and used none.
    expect(await ended).toBe(2);
  });

  test('is inconclusive for a client that disconnects at once', async () => {
    const folder = shopFolder();
    const { child, ended } = startLaunched(run, folder);
    child.stdin.end();
    expect(await ended).toBe(2);
    expect(resultsIn(folder).runs).toMatchObject([{ outcome: 'inconclusive', end: 'idle' }]);
  });

  test('stores nothing for a client that only asks for server/discover', async () => {
    const folder = shopFolder();
    const { child, output, ended } = startLaunched(run, folder);
    child.stdin.end(discover);
    expect(await ended).toBe(2);
    expect(JSON.parse(output.stdout)).toMatchObject({ id: 'd', result: { supportedVersions: [modern] } });
    expect(output.stderr).toContain('nothing is stored: the client asked for server/discover');
    expect(readdirSync(folder)).toEqual(['shop.yaml']);
  });

  test('does not hold the results folder while a client only probes', async () => {
    const folder = shopFolder();
    const probe = startLaunched(run, folder);
    probe.child.stdin.write(discover);
    await eventually(() => probe.output.stdout).toContain('supportedVersions');
    const { child, ended } = startLaunched(run, folder);
    child.stdin.end(hello + say(call('tools/call', { name: 'buy', arguments: { key } }, 2)));
    expect(await ended).toBe(1);
    // The probe becomes a run, for which there is no folder.
    probe.child.stdin.end(hello);
    expect(await probe.ended).toBe(64);
    expect(probe.output.stderr).toContain('out has results already');
    expect(resultsIn(folder).runs).toMatchObject([{ outcome: 'exploited' }]);
  });

  test('stores a run if the client leaks data while it probes', async () => {
    const folder = freshFolder([['shop.yaml', shop.replace('surface: tools/call', 'surface: server/discover')]]);
    const { child, ended } = startLaunched(run, folder);
    child.stdin.end(say(call('server/discover', { arguments: { key }, _meta: meta }, 'd')));
    expect(await ended).toBe(1);
    expect(resultsIn(folder).runs).toMatchObject([{ outcome: 'exploited' }]);
    const trace = readFileSync(join(folder, 'out', resultsIn(folder).runs[0].trace), 'utf8');
    expect(trace.trimEnd().split('\n').at(-1)).toContain('"kind":"end"');
  });

  test('prints only endpoint and verdict with --quiet', async () => {
    const { child, output, ended } = startLaunched([...run, '--quiet'], shopFolder());
    child.stdin.end(hello);
    expect(await ended).toBe(2);
    expect(output.stderr).toMatch(/^default stdio:\nINCONCLUSIVE {2}SHOP-001 A shop that asks for keys/);
  });

  test('stores what was done when SIGTERM ends it', async () => {
    const folder = shopFolder();
    const { child, output, ended } = startLaunched(run, folder);
    child.stdin.write(hello);
    await eventually(() => output.stdout).toContain('"tools"');
    child.kill('SIGTERM');
    expect(await ended).toBe(143);
    expect(resultsIn(folder).runs).toMatchObject([{ outcome: 'inconclusive', cause: 'cut_off' }]);
  });

  test('does not wait for a client that reads neither output nor errors', async () => {
    const folder = shopFolder();
    const started = startLaunched([...run, '--timeout', '2s', '--verbose'], folder);
    const { child, ended } = started;
    for (const stream of [child.stdout, child.stderr]) {
      stream.removeAllListeners('data');
      stream.pause();
    }
    child.stdin.write(hello);
    const note = 'x'.repeat(2_000);
    for (let id = 0; id < 5_000; id++)
      child.stdin.write(say(call('tools/call', { name: note, arguments: { note } }, id)));
    const exited = new Promise((resolve) => child.on('exit', resolve));
    expect(await exited).toBe(2);
    expect(resultsIn(folder).runs).toMatchObject([{ end: 'session_limit' }]);
    child.stdout.resume();
    child.stderr.resume();
    await ended;
  });

  test('lets other actors listen as usual', async () => {
    const folder = freshFolder([['mall.yaml', mall]]);
    const args = ['run', 'mall.yaml', '--stdio', 'left', '--out', 'out'];
    const { child, output, ended } = startLaunched(args, folder);
    const urls = () => [...new Set(output.stderr.match(/http:\/\/[\w.:]+\/mcp/g))];
    await eventually(() => urls().length).toBe(2);
    child.stdin.write(hello);
    const client = await connect1(urls()[0] ?? '');
    expect((await client.tools()).map(({ name }) => name)).toEqual(['buy_middle']);
    child.stdin.end();
    expect(await ended).toBe(2);
    expect(resultsIn(folder).runs[0].delivery).toMatchObject({
      left: { delivered: true },
      middle: { delivered: true },
      right: { delivered: false },
    });
  });

  test.each([
    ['shop.yaml --stdio --agent guarded', 'the only client is the one that launched this process'],
    ['shop.yaml --stdio --json', 'standard output carries the protocol'],
    ['shop.yaml --stdio --reporter text', 'standard output carries the protocol'],
    ['- --stdio < shop.yaml', 'standard input carries the protocol'],
    ['shop.yaml mall.yaml --stdio', 'it plays one document, and 2 are given'],
    ['mall.yaml --stdio', '3 actors could be meant: left, middle, right'],
    ['mall.yaml --stdio lefd', 'did you mean left?'],
    ['--stdio shop.yaml', 'as in oatf run shop.yaml --stdio'],
    ['shop.yaml --stdio --listen 127.0.0.1:0', 'cannot listen as well'],
  ])('refuses as wrong usage: run %s', async (args, message) => {
    const folder = freshFolder([
      ['shop.yaml', shop],
      ['mall.yaml', mall],
    ]);
    const { stdout, stderr, exit } = await runCommand(`oatf run ${args}`, folder);
    expect([stdout, exit]).toEqual(['', 64]);
    expect(stderr).toContain(message);
  });
});
