import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { freshFolder } from '../support/fresh-folder.ts';
import { startCli } from './run-cli.ts';

const good = 'oatf: "0.1"\nattack:\n  execution:\n    mode: mcp_server\n    state: {}\n';
const bad = 'oatf: "0.1"\nattack: {}\n';

test('--watch checks again when a document changes, is replaced or comes, and ends on SIGINT', async () => {
  const folder = freshFolder([['in/a.yaml', good]]);
  const child = startCli(['validate', 'in', '--watch'], folder);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const lastLine = () => stdout.trimEnd().split('\n').at(-1);
  const shows = (line: string) =>
    vi.waitFor(() => expect(lastLine()).toBe(line), { timeout: 10_000, interval: 20 });
  try {
    await shows('1 file, no problems');
    await vi.waitFor(() => expect(stderr).toContain('watching'), { timeout: 10_000, interval: 20 });
    writeFileSync(join(folder, 'in/a.yaml'), bad);
    await shows('1 file, 1 error');
    // As editors do it.
    writeFileSync(join(folder, 'a.new'), good);
    renameSync(join(folder, 'a.new'), join(folder, 'in/a.yaml'));
    await shows('1 file, no problems');
    writeFileSync(join(folder, 'in/b.yaml'), good);
    await shows('2 files, no problems');
    child.kill('SIGINT');
    expect(await ended).toBe(130);
  } finally {
    child.kill('SIGKILL');
  }
}, 60_000);
