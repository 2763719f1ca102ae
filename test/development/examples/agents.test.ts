import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/suite/config/load-config.ts';

// scripts/attack-examples.mjs installs and attacks these agents; this test checks what needs no installation.

const agents = join(import.meta.dirname, '../../../examples/agents');
const names = readdirSync(agents);
const page = readFileSync(join(import.meta.dirname, '../../../docs/guides/example-agents.md'), 'utf8');

function read(name: string, file: string): string {
  return readFileSync(join(agents, name, file), 'utf8');
}

test.each(names)('examples/agents/%s: has a configuration that attacks a target of its own name', async (name) => {
  const loaded = await loadConfig(join(agents, name, 'oatf.config.yaml'));
  expect(loaded).toMatchObject({
    ok: true,
    config: { agent: name, targets: { [name]: expect.anything() } },
  });
});

test.each(names)('examples/agents/%s: pins one exact version of each package, without a registry address', (name) => {
  const { dependencies } = JSON.parse(read(name, 'package.json')) as {
    dependencies: { readonly [dependency: string]: string };
  };
  const lock = read(name, 'package-lock.json');
  const { packages } = JSON.parse(lock) as { packages: { '': { dependencies: object } } };
  for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(packages[''].dependencies).toEqual(dependencies);
  expect(lock).not.toContain('"resolved"');
});

test.each(names)('examples/agents/%s: links to the page about all example agents and back', (name) => {
  expect(read(name, 'README.md')).toContain('(../../../docs/guides/example-agents.md)');
  expect(page).toContain(`/examples/agents/${name}/README.md)`);
});
