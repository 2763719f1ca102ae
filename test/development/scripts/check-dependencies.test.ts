import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { freshFolder } from '../../support/fresh-folder.ts';

function check(...args: readonly string[]): { status: number | null; stderr: string } {
  return spawnSync(process.execPath, ['scripts/check-dependencies.mjs', ...args], { encoding: 'utf8' });
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));

/** The lock file, with a package more. */
function lockedWith(facts: object): string {
  const packages = {
    ...lock.packages,
    'node_modules/newcomer': {
      version: '1.0.0',
      resolved: 'https://packages.example/newcomer/-/newcomer-1.0.0.tgz',
      integrity: 'sha512-AAAA',
      license: 'MIT',
      extraneous: true,
      ...facts,
    },
  };
  return freshFolder([
    ['package.json', readFileSync('package.json', 'utf8')],
    ['package-lock.json', JSON.stringify({ ...lock, packages })],
  ]);
}

test('every dependency of this project has a reviewed licence and runs no install script unless reviewed', () => {
  expect(check()).toMatchObject({ status: 0, stderr: '' });
});

test.each([
  ['an install script', { hasInstallScript: true }, /newcomer runs a script when it is installed/],
  ['a licence that is not on the list', { license: 'GPL-3.0-only' }, /newcomer has the licence GPL-3.0-only/],
  [
    'a compound licence of which one half is not on the list',
    { license: '(MIT AND GPL-3.0-only)' },
    /newcomer has the licence/,
  ],
  ['no licence field', { license: undefined }, /newcomer says nothing of its licence/],
  ['no checksum', { integrity: undefined }, /newcomer has no checksum/],
])('check-dependencies refuses a package with %s', (_, facts, reason) => {
  const { status, stderr } = check(lockedWith(facts));
  expect([status, stderr]).toEqual([1, expect.stringMatching(reason)]);
});
