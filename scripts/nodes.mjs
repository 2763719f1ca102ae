// Checks the product on each line of Node that it supports: the outcomes of the demo must be those of the oldest version, and
// the tests of everything that reads or writes bytes must pass, and so must the first command of the README, in a clean clone.
// The versions are installed into .nodes, outside the product.
// Call it with line numbers to check only those: npm run nodes -- 22 24
// The last lines say what is wrong on each version, with the names of the tests that failed. The exit code is 1 if anything is.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { readmeCommands, runInClone } from './readme-commands.mjs';

/** The newest version of each line when they were last raised. */
const versions = ['20.20.2', '22.23.3', '24.21.0', '26.10.0'];
const suites = ['attack', 'contract', 'honesty', 'protocols'].map((name) => `test/${name}`);

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'oatf-nodes-'));
try {
  process.exitCode = main(process.argv.slice(2));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function main(wanted) {
  const lineOf = (version) => version.split('.')[0];
  const unknown = wanted.filter((line) => !versions.some((version) => lineOf(version) === line));
  if (unknown.length > 0) {
    console.error(`nodes: no version of line ${unknown.join(', ')} is listed; there are ${versions.join(', ')}`);
    return 1;
  }
  const chosen = versions.filter((version) => wanted.length === 0 || wanted.includes(lineOf(version)));
  const oldest = attempt(() => playDemo(versions[0]));
  const summary = chosen.map((version) => {
    const { value: problems, problem } = oldest.problem ? oldest : attempt(() => check(version, oldest.value));
    return { version, problems: problem === undefined ? problems : [problem] };
  });
  console.log('\nSummary');
  for (const { version, problems } of summary)
    console.log([`Node ${version}: ${problems.length === 0 ? 'passed' : 'FAILED'}`, ...problems].join('\n  '));
  return summary.every(({ problems }) => problems.length === 0) ? 0 : 1;
}

/** A version that cannot be installed or played must not hide what the others do. */
function attempt(work) {
  try {
    return { value: work() };
  } catch (error) {
    return { problem: error.message };
  }
}

/** What is wrong on this version. */
function check(version, expected) {
  const outcomes = playDemo(version);
  const differences = [
    ...outcomes.filter((outcome) => !expected.includes(outcome)).map((outcome) => `+ ${outcome}`),
    ...expected.filter((outcome) => !outcomes.includes(outcome)).map((outcome) => `- ${outcome}`),
  ];
  console.log(`Node ${version}: ${outcomes.length} outcomes of the demo, ${differences.length} differences`);
  return [
    ...differences.map((difference) => `the demo, compared with Node ${versions[0]}: ${difference}`),
    ...runTests(version),
    ...runFirstCommand(version),
  ];
}

/** What is wrong with the first command of the README. The second one is `npm test`, which takes minutes. */
function runFirstCommand(version) {
  const [command] = readmeCommands;
  const { problem } = attempt(() => runInClone(command, findVariables(version)));
  return problem === undefined ? [] : [`${command}: ${problem}`];
}

/** The outcome of each run of the demo, as lines. */
function playDemo(version) {
  const out = mkdtempSync(join(folder, 'demo-'));
  const { status, stdout, stderr } = runWith(version, ['dist/cli.js', 'demo', '--out', out], 'pipe');
  if (status !== 0) throw new Error(`the demo fails on Node ${version}:\n${stdout.slice(-3000)}${stderr.slice(-3000)}`);
  const { runs } = JSON.parse(readFileSync(join(out, 'results.json'), 'utf8'));
  return runs
    .map(({ document, agent, outcome, twin }) => [document.id, agent, outcome, twin?.outcome].join(' '))
    .sort();
}

/** The tests that fail on this version. */
function runTests(version) {
  const file = join(folder, `failures-${version}.json`);
  const reporters = ['--reporter=default', '--reporter=./scripts/failure-reporter.mjs'];
  const { status, signal } = runWith(
    version,
    ['node_modules/vitest/vitest.mjs', 'run', ...suites, ...reporters],
    'inherit',
    { OATF_FAILURES: file },
  );
  const failures = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : ['the tests did not end'];
  return status === 0 || failures.length > 0 ? failures : [`the tests end with ${signal ?? status}, see above`];
}

function runWith(version, args, stdio, variables = {}) {
  const env = { ...process.env, ...variables, ...findVariables(version) };
  return spawnSync(install(version), args, { cwd: root, stdio, env, encoding: 'utf8', maxBuffer: 100_000_000 });
}

/** With these variables, `node` and `npm` are run by the version. */
function findVariables(version) {
  return { PATH: `${dirname(install(version))}${delimiter}${process.env.PATH}` };
}

/** The program of a version, which npm's package `node` brings. */
function install(version) {
  if (version === process.versions.node) return process.execPath;
  const prefix = join(root, '.nodes', version);
  const program = join(prefix, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(program)) {
    const quiet = ['--no-audit', '--no-fund', '--no-save', '--loglevel', 'error'];
    execFileSync('npm', ['install', '--prefix', prefix, ...quiet, `node@${version}`], { stdio: 'inherit' });
  }
  return program;
}
