// Checks the packages in the lock file: only the listed ones may run a script when they are installed, and every
// licence must be listed. Writes a bill of materials (CycloneDX) to dist/sbom.cdx.json.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));

/** Packages that may run a script when they are installed, with what the script does. All are for development. */
const installScripts = {
  esbuild: 'puts the binary of this platform in place of a slower launcher',
  protobufjs: 'compares the version that depends on it, and writes nothing',
};

const licences = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MPL-2.0',
  'Zlib',
]);

/** Packages whose licence field is not enough; a person has read their licences. */
const lookedAt = { '@modelcontextprotocol/server-everything': 'SEE LICENSE IN LICENSE' };

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const installed = Object.entries(packages)
  .filter(([path]) => path !== '')
  .map(([path, facts]) => ({ ...facts, path, name: facts.name ?? path.split('node_modules/').at(-1) }));

const problems = [
  ...installed
    .filter(({ hasInstallScript, name }) => hasInstallScript && !Object.hasOwn(installScripts, name))
    .map(({ name }) => `${name} runs a script when it is installed, and is not on the list`),
  ...Object.keys(installScripts)
    .filter((name) => !installed.some((each) => each.name === name && each.hasInstallScript))
    .map((name) => `${name} is on the list of install scripts, and has none`),
  ...installed.flatMap((each) => licenceProblem(each) ?? []),
  ...installed
    .filter(({ resolved = '', integrity, link }) => !link && resolved !== '' && integrity === undefined)
    .map(({ name }) => `${name} has no checksum in the lock file`),
];

function licenceProblem({ name, path, license, optional }) {
  const said = license ?? licenceOf(path);
  // Packages for other platforms are not installed here, and the lock file does not have their licences.
  if (said === undefined && optional) return undefined;
  if (said === undefined) return `${name} says nothing of its licence`;
  if (lookedAt[name] === said) return undefined;
  const alternatives = said.replace(/[()]/g, '').split(' OR ');
  const isFine = alternatives.some((one) => one.split(' AND ').every((each) => licences.has(each)));
  return isFine ? undefined : `${name} has the licence ${said}, which is not on the list`;
}

function licenceOf(path) {
  const file = join(root, path, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).license : undefined;
}

if (problems.length > 0) refuse(problems);

const sbom = execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'], {
  cwd: root,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
  maxBuffer: 64 * 1024 * 1024,
});
const { components } = JSON.parse(sbom);
const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
const unlisted = installed
  .filter(({ name, version, link }) => !link && !listed.has(`${name}@${version}`))
  .filter(({ name }) => !components.some((each) => each.name === name || `${each.group}/${each.name}` === name))
  .map(({ name }) => `${name} is not in the bill of materials`);
if (existsSync(join(root, 'dist'))) writeFileSync(join(root, 'dist', 'sbom.cdx.json'), sbom);
process.stdout.write(`${installed.length} packages, ${components.length} in the bill of materials\n`);
if (unlisted.length > 0) refuse(unlisted);

function refuse(reasons) {
  for (const reason of reasons) process.stderr.write(`${reason}\n`);
  process.exit(1);
}
