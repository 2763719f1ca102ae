import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtInAgent } from '../../../src/agents/built-in/built-in-agents.ts';
import { systemClock } from '../../../src/attack/transport/clock.ts';
import { playDocument } from '../../../src/suite/play/play-run.ts';
import { userActor } from '../../../src/suite/play/user-side.ts';
import { root } from '../../cli/run-cli.ts';
import { documentWith } from '../../support/records.ts';

const main = join(root, 'dist/cli.js');
const token = 'cnry-token-c0ffee';
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'oatf-connect-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const attack = {
  name: 'Echo',
  execution: { mode: 'mcp_client', state: { actions: [{ method: 'tools/list' }] } },
  indicators: [{ surface: 'tools/list', direction: 'response', target: 'tools', pattern: { contains: 'cnry-tool' } }],
};

async function oatf(args: readonly string[], env: Record<string, string> = {}) {
  const document = join(folder, 'attack.yaml');
  writeFileSync(document, JSON.stringify({ oatf: '0.1', attack }));
  const out = mkdtempSync(join(folder, 'out-'));
  const child = spawn(process.execPath, [main, 'run', document, '--out', join(out, 'r'), ...args], {
    env: { ...process.env, NO_COLOR: '1', ...env },
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const exit = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { exit, output, stored: everythingIn(out) };
}

function everythingIn(path: string): string {
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath ?? entry.path, entry.name), 'utf8'))
    .join('\n');
}

describe('oatf run --connect', () => {
  test('connects to a URL with a bearer token and never writes the token down', async () => {
    let seen: string | undefined;
    const server = createServer(async (request, response) => {
      seen ??= request.headers.authorization;
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += chunk;
      const { id } = body === '' ? { id: undefined } : (JSON.parse(body) as { id?: string });
      const result = { tools: [{ name: 'cnry-tool', description: request.headers.authorization }] };
      response.writeHead(id === undefined ? 202 : 200, { 'content-type': 'application/json' });
      response.end(id === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { exit, output, stored } = await oatf(['--connect', url, '--verbose', '--show-secrets'], {
      OATF_BEARER: token,
    });
    server.closeAllConnections();
    server.close();
    expect([exit, seen]).toEqual([1, `Bearer ${token}`]);
    expect([output.includes(token), stored.includes(token), stored.includes('cnry-tool')]).toEqual([
      false,
      false,
      true,
    ]);
  });
  test('connects to a program and ends it afterwards', async () => {
    const program = join(folder, 'program.cjs');
    const pidFile = join(folder, 'pid');
    writeFileSync(
      program,
      `require('fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));
       setInterval(() => {}, 1000);
       require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
         const { id } = JSON.parse(line);
         if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { tools: [{ name: process.argv[2] }] } }));
       });`,
    );
    const { exit } = await oatf(['--connect', `command:${process.execPath} ${program} 'cnry-tool of mine'`]);
    expect(exit).toBe(1);
    expect(() => process.kill(Number(readFileSync(pidFile, 'utf8')), 0)).toThrow();
  });
  test('exits with 2 and names the program if there is no such program', async () => {
    const { exit, output } = await oatf(['--connect', 'command:no-such-program-here']);
    expect(exit).toBe(2);
    expect(output).toContain('there is no program "no-such-program-here"');
  });
});

describe('the peer of an mcp_client actor', () => {
  const document = documentWith(attack);

  test('is the MCP interface of the agent by default', async () => {
    const { delivery, outcome } = await playDocument(document, {
      modes: [],
      agent: builtInAgent('guarded'),
      clock: systemClock,
    });
    expect([Object.keys(delivery), outcome]).toEqual([['default'], 'resisted']);
  });
  test('can be another server, and then the agent gets a separate user', async () => {
    const other = await builtInAgent('guarded').launch({
      mcpConfig: { mcpServers: {} },
      a2aCards: [],
      endpoints: {},
    });
    const { delivery } = await playDocument(document, {
      modes: [],
      agent: builtInAgent('guarded'),
      connect: () => other.addresses.mcp,
      clock: systemClock,
    });
    await other.stop();
    expect(Object.keys(delivery)).toEqual(['default', userActor]);
  });
  test('is required: without one the actor is left out (O-104)', async () => {
    const { end, outcome } = await playDocument(document, { modes: [], clock: systemClock });
    expect([end.diagnostics.map(({ code }) => code), outcome]).toEqual([['O-104'], 'inconclusive']);
  });
});
