// Checks the product on each line of Node that it supports: the outcomes of the demo must be those of the oldest version, and
// the tests of everything that reads or writes bytes must pass. The versions are installed into .nodes, outside the product.
// Call it with line numbers to check only those: npm run nodes -- 22 24
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** The newest version of each line when they were last raised. */
const versions = ['20.20.2', '22.23.3', '24.21.0', '26.10.0'];
const suites = ['attack', 'contract', 'honesty', 'protocols'].map((name) => `test/${name}`);

const root = join(import.meta.dirname, '..');
const wanted = process.argv.slice(2);
const chosen = versions.filter((version) => wanted.length === 0 || wanted.includes(version.split('.')[0] ?? ''));

/** The program of a version, which npm's package `node` brings. */
function install(version) {
  if (version === process.versions.node) return process.execPath;
  const folder = join(root, '.nodes', version);
  const program = join(folder, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(program)) {
    const quiet = ['--no-audit', '--no-fund', '--no-save', '--loglevel', 'error'];
    execFileSync('npm', ['install', '--prefix', folder, ...quiet, `node@${version}`], { stdio: 'inherit' });
  }
  return program;
}

function runWith(program, args, stdio) {
  const path = `${dirname(program)}${delimiter}${process.env.PATH}`;
  return spawnSync(program, args, { cwd: root, stdio, env: { ...process.env, PATH: path } }).status === 0;
}

/** The outcome of each run of the demo, as lines. */
function playDemo(program) {
  const folder = mkdtempSync(join(tmpdir(), 'oatf-nodes-'));
  try {
    if (!runWith(program, ['dist/cli.js', 'demo', '--out', folder], 'ignore')) return undefined;
    const { runs } = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'));
    return runs
      .map(({ document, agent, outcome, twin }) => [document.id, agent, outcome, twin?.outcome].join(' '))
      .sort();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What is wrong on this version. */
function check(version, expected) {
  const program = install(version);
  const outcomes = playDemo(program);
  if (outcomes === undefined) return ['the demo fails'];
  const other = outcomes.filter((outcome) => !expected.includes(outcome));
  if (other.length > 0) return [`${other.length} outcomes of the demo differ:`, ...other];
  console.log(`Node ${version}: the ${outcomes.length} outcomes of the demo are those of Node ${versions[0]}`);
  return runWith(program, ['node_modules/vitest/vitest.mjs', 'run', ...suites], 'inherit')
    ? []
    : ['tests fail, see above'];
}

const expected = playDemo(install(versions[0]));
if (expected === undefined) throw new Error(`the demo fails on Node ${versions[0]}`);
for (const version of chosen) {
  const problems = check(version, expected);
  if (problems.length > 0) process.exitCode = 1;
  console.log([`Node ${version}: ${problems.length === 0 ? 'passed' : 'FAILED'}`, ...problems].join('\n  '));
}
