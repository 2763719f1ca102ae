import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a module in a process that trusts a certificate, as an agent would be configured to, and returns its output. */
export async function trusting(cert: string, module: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'oatf-trust-'));
  const file = join(folder, 'ca.pem');
  writeFileSync(file, cert);
  const child = spawn(process.execPath, ['--input-type=module', '-e', module], {
    cwd: root,
    env: { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: file },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  await new Promise((resolve) => child.on('close', resolve));
  rmSync(folder, { recursive: true });
  return output;
}
