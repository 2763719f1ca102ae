import { afterEach, expect, test, vi } from 'vitest';
import { freshFolder } from '../support/fresh-folder.ts';
import { startCli } from './run-cli.ts';

const children: ReturnType<typeof startCli>[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function start(...args: readonly string[]) {
  const child = startCli(['agent', ...args], freshFolder());
  children.push(child);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk) => {
      output[name] += chunk;
    });
  const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(signal ?? code)));
  const line = () =>
    vi.waitFor(
      () => {
        expect(output.stdout).toContain('\n');
        return output.stdout.split('\n')[0] ?? '';
      },
      { timeout: 15_000, interval: 10 },
    );
  return { child, output, ended, line };
}

test.each([
  ['gullible', 'SIGINT', 130],
  ['guarded', 'SIGTERM', 143],
] as const)('oatf agent serves %s at the address that it prints, until %s', async (name, signal, exit) => {
  const { child, line, ended } = start(name);
  const url = await line();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//);
  expect((await fetch(url)).status).toBeGreaterThan(0);
  child.kill(signal);
  expect(await ended).toBe(exit);
  await expect(fetch(url)).rejects.toThrow();
});

test('oatf agent prints one object with --json and reports a port in use', async () => {
  const first = start('guarded', '--json');
  const { name, ag_ui } = JSON.parse(await first.line());
  expect(name).toBe('guarded');
  const { port } = new URL(ag_ui);
  const second = start('gullible', '--port', port);
  expect(await second.ended).toBe(69);
  expect(second.output.stderr).toContain(`127.0.0.1:${port} is in use by another program`);
});
