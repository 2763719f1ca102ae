import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { freshFolder } from '../support/fresh-folder.ts';
import { startCli } from './run-cli.ts';

test.runIf(existsSync('/proc/self'))('a folder that cannot be made is reported at once', async () => {
  const child = startCli(['run', 'OATS-001', '--agent', 'guarded', '--out', '/proc/nope'], freshFolder());
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const exit = await new Promise((resolve) => child.on('close', resolve));
  expect(said).toContain('/proc/nope: results cannot be written');
  expect(exit).toBe(69);
});
