import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The public fixtures, schema and scenarios of the format are not part of this repository.

const variable = 'OATF_FIXTURES';
const beside = fileURLToPath(new URL('../../../shared', import.meta.url));
const folder = process.env[variable] ?? beside;

/** The path of one of them, such as `conformance` or `schemas/oatf-v0.1.json`; undefined if it is not there. */
export function publicFixture(name: string): string | undefined {
  const path = join(folder, name);
  return existsSync(path) ? path : undefined;
}

/** Says which of them were found, to explain skipped tests. */
export function tellFixtures(): string {
  const isThere = existsSync(folder);
  if (!isThere && folder !== beside) throw new Error(`${variable}: there is no folder ${folder}`);
  return isThere
    ? `public fixtures: ${folder}`
    : `no public fixtures at ${folder}: what needs them is skipped; ${variable}=DIR names another folder`;
}
