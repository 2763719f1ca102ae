import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { makeDocument } from '../../src/cli/commands/new-command.ts';
import { freshFolder } from '../support/fresh-folder.ts';
import { startCli } from './run-cli.ts';

const good = 'oatf: "0.1"\nattack:\n  execution:\n    mode: mcp_server\n    state: {}\n';
const bad = 'oatf: "0.1"\nattack: {}\n';

test('validate --watch checks again when a document changes, is replaced or is added', async () => {
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
  const shows = (line: string) => vi.waitFor(() => expect(lastLine()).toBe(line), { timeout: 10_000, interval: 20 });
  try {
    await shows('1 file, no problems');
    await vi.waitFor(() => expect(stderr).toContain('watching'), { timeout: 10_000, interval: 20 });
    writeFileSync(join(folder, 'in/a.yaml'), bad);
    await shows('1 file, 1 error');
    // Writes the file as editors do.
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

test('run --watch plays again only what has changed', async () => {
  const attack = makeDocument({ surface: 'tool-response', goal: 'act', id: 'MINE-001', name: 'One' });
  const other = attack.replaceAll('MINE-001', 'MINE-002');
  const folder = freshFolder([
    ['in/a.yaml', attack],
    ['in/b.yaml', other],
  ]);
  const child = startCli(['run', 'in', '--agent', 'guarded', '--watch'], folder);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const plays = () => stdout.match(/RESISTED {2}MINE-00\d/g) ?? [];
  const patience = { timeout: 30_000, interval: 50 };
  try {
    await vi.waitFor(() => expect(stderr).toContain('watching'), patience);
    expect(plays()).toHaveLength(2);
    writeFileSync(join(folder, 'in/b.yaml'), `# changed\n${other}`);
    await vi.waitFor(() => expect(plays()).toHaveLength(3), patience);
    expect(plays().at(-1)).toBe('RESISTED  MINE-002');
    // An extra bracket causes a problem on every line after it; only a few are shown.
    writeFileSync(join(folder, 'in/b.yaml'), other.replace('execution:', 'execution: ['));
    await vi.waitFor(() => expect(stderr).toMatch(/problems more; oatf validate shows them all\n$/), patience);
    expect(stderr.match(/^in\/b\.yaml:\d+:\d+: error:/gm)).toHaveLength(5);
    writeFileSync(join(folder, 'in/b.yaml'), other);
    await vi.waitFor(() => expect(plays()).toHaveLength(4), patience);
    const before = stderr;
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    // No run was in progress, so there was nothing to end.
    expect(stderr).toBe(before);
  } finally {
    child.kill('SIGKILL');
  }
}, 90_000);
