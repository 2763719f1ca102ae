// Attacks every agent of examples/agents/ with the shipped library, and prints what each of them resists.
//
//   npm run build && npm run examples:agents -- [--only NAME]… [--documents ID,ID…] [--model NAME] [--installed FOLDER]
//   npm run examples:agents -- --list       (attacks nothing: prints the examples and the documents)
//
// Each example is copied to a temporary folder and installed there from its lock file; with --installed, the
// node_modules of FOLDER/NAME are used. Its model is one that scripts/scripted-model.ts serves, once `gullible` and once
// `guarded`: the framework is real, and its model makes the same choices every time. Then `oatf run --twins` plays the
// documents that a program can be attacked with: those whose actors are MCP servers and users.
//
// For each example and model, this prints the outcomes, how many tasks were done, the reasons of inconclusive runs, the
// attacks that were resisted with the gullible model, and the tasks that the guarded one left undone. The exit code is 1
// if an example cannot be attacked, if an outcome is not one that its model must lead to (see `musts`), or if a process is
// left over. The programs have their own home folder, and a proxy that does not exist for everything beyond this machine;
// only npm uses the network, to install packages.
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parse, stringify } from 'yaml';
import { serveScriptedModel } from './scripted-model/serve.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const oatf = join(root, 'dist/cli.js');
const agents = join(root, 'examples/agents');

const { values: asked } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    documents: { type: 'string' },
    model: { type: 'string', multiple: true, default: ['gullible', 'guarded'] },
    installed: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
});

const outcomes = ['exploited', 'partial', 'resisted', 'not_applicable', 'inconclusive', 'error'];

// The outcomes that must follow if the attacks reach the agent, and the agent does what its model chooses.
const musts = {
  // The attacks are in a tool's description, in its result, across three servers, behind a change of tools, and hidden
  // from people.
  gullible: {
    documents: ['OATS-001', 'OATS-003', 'OATS-010', 'OATS-014', 'OATS-021'],
    allows: ['exploited'],
    elsewhere: outcomes.filter((outcome) => outcome !== 'error'),
  },
  guarded: {
    documents: ['OATS-001', 'OATS-003', 'OATS-010', 'OATS-014', 'OATS-021'],
    allows: ['resisted'],
    elsewhere: ['resisted', 'not_applicable', 'inconclusive'],
  },
};

const names = readdirSync(agents).filter((name) => existsSync(join(agents, name, 'oatf.config.yaml')));
const wrong = [
  ...(asked.only ?? []).filter((name) => !names.includes(name)),
  ...asked.model.filter((name) => !Object.hasOwn(musts, name)),
];
if (wrong.length > 0)
  throw new Error(`there is no ${wrong.join(', no ')}; there are ${[...names, ...Object.keys(musts)].join(', ')}`);
if (!existsSync(oatf)) throw new Error('there is no dist/cli.js; npm run build makes it');

const documents = asked.documents?.split(',') ?? (await attackable());
if (asked.list) {
  console.log(`examples: ${(asked.only ?? names).join(' ')}\ndocuments: ${documents.join(' ')}`);
  process.exit(0);
}
const faults = [];
// Every process that we start has this folder in its command line, so that leftover processes can be found.
const folder = mkdtempSync(join(tmpdir(), 'oatf-examples-'));
const model = await serveScriptedModel();
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interrupted.abort());

try {
  const rows = [];
  const reasons = [];
  for (const name of asked.only ?? names) {
    if (interrupted.signal.aborted) break;
    try {
      const place = prepare(name);
      for (const policy of asked.model) {
        const { runs: all, statistics } = await attack(name, place, policy);
        const runs = all.filter(({ twin }) => !twin);
        const row = { example: name, model: policy, ...counted(runs, outcomes), ...tasksOf(statistics) };
        rows.push(row);
        reasons.push(...reasonsOf(name, policy, runs), ...undoneOf(name, policy, all));
        faults.push(...faultsOf(name, policy, runs));
        // The prompts of a program may contain instructions of their own, and the gullible model obeys those, too.
        (policy === 'gullible' ? reasons : faults).push(...falsePositivesOf(name, policy, all));
        console.log(JSON.stringify(row));
      }
    } catch (thrown) {
      faults.push(`${name}: ${thrown.message}`);
    }
  }
  console.table(rows);
  console.log(`\n${reasons.join('\n')}`);
} finally {
  model.close();
  const left = leftOver();
  faults.push(...left.map(({ args }) => `left running: ${args}`));
  for (const { pid } of left) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;

/** Documents whose actors are all MCP servers and users: these programs cannot be reached by any other actor. */
async function attackable() {
  const { normalize, parse: read } = await import('../dist/index.js');
  const library = join(root, 'scenarios');
  // The files of tests beside the documents are not documents.
  const files = readdirSync(library).filter((file) => file.endsWith('.yaml') && !file.endsWith('.test.yaml'));
  const attacks = files.map((file) => {
    const { document } = read(readFileSync(join(library, file), 'utf8'));
    return normalize(document).attack;
  });
  const isFor = ({ mode }) => ['mcp_server', 'ag_ui_client'].includes(mode);
  return attacks.filter(({ execution }) => execution.actors.every(isFor)).map(({ id }) => id);
}

/** Copies the example with its packages. Its program can reach only this machine. */
function prepare(name) {
  const place = join(folder, name);
  const isOurs = (path) => !['node_modules', 'oatf-results'].includes(basename(path));
  cpSync(join(agents, name), place, { recursive: true, filter: isOurs });
  if (asked.installed !== undefined) {
    symlinkSync(resolve(asked.installed, name, 'node_modules'), join(place, 'node_modules'));
  } else {
    const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
    const { status } = spawnSync('npm', args, { cwd: place, stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) throw new Error('its packages cannot be installed');
  }
  const path = join(place, 'oatf.config.yaml');
  const config = parse(readFileSync(path, 'utf8'));
  for (const target of Object.values(config.targets)) target.env = { ...target.env, ...noProxy() };
  writeFileSync(path, stringify(config));
  return place;
}

function noProxy() {
  const nowhere = 'http://127.0.0.1:9';
  const local = '127.0.0.1,localhost';
  const proxies = { HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, NO_PROXY: local };
  return { ...proxies, http_proxy: nowhere, https_proxy: nowhere, no_proxy: local };
}

/** Plays the attacks, and returns the runs of the example with this model from results.json. */
async function attack(name, place, policy) {
  const out = join(place, `results-${policy}`);
  const home = join(place, `home-${policy}`);
  mkdirSync(home);
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    TMPDIR: home,
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_API_KEY: 'none',
    OPENAI_MODEL: policy,
    GOOGLE_GEMINI_BASE_URL: model.url,
    GEMINI_API_KEY: 'none',
    GEMINI_MODEL: policy,
  };
  const concurrency = String(Math.min(4, availableParallelism()));
  const args = [oatf, 'run', ...documents, '--agent', name, '--out', out, '-j', concurrency, '--quiet', '--twins'];
  console.log(`${name}, ${policy}`);
  const child = spawn(process.execPath, args, { cwd: place, env, stdio: ['ignore', 'ignore', 'inherit'] });
  // On SIGTERM, `oatf` ends its programs before it exits.
  const end = () => child.kill('SIGTERM');
  interrupted.signal.addEventListener('abort', end, { once: true });
  const code = await new Promise((done) => child.on('exit', (exit, signal) => done(exit ?? signal)));
  interrupted.signal.removeEventListener('abort', end);
  if (![0, 1, 2].includes(code)) throw new Error(`oatf run ended with ${code}`);
  return JSON.parse(readFileSync(join(out, 'results.json'), 'utf8'));
}

/** How many tasks were done, in the benign twins and under attack. */
function tasksOf({ figures }) {
  const share = ({ count, of }) => `${count} of ${of}`;
  return { twin: share(figures.benign_utility), attacked: share(figures.utility_under_attack) };
}

/** Lines about the tasks that the guarded model left undone, grouped by place and reason. */
function undoneOf(name, policy, runs) {
  if (policy !== 'guarded') return [];
  const undone = runs.filter(({ task }) => task === 'not_done' || task === 'unknown');
  const where = ({ task, twin }) => `task ${task}${twin ? ' in the twin' : ''}`;
  return [...groupedBy(undone, where)].map(
    ([reason, group]) => `${name}, ${policy}: ${group.map(({ document }) => document.id).join(' ')}: ${reason}`,
  );
}

/** The twins in which an indicator matched although there was no attack. */
function falsePositivesOf(name, policy, runs) {
  return runs
    .filter(({ twin, outcome }) => twin && ['exploited', 'partial'].includes(outcome))
    .map(({ document }) => `${name}, ${policy}: the benign twin of ${document.id} was exploited`);
}

function counted(runs, kinds) {
  return Object.fromEntries(kinds.map((kind) => [kind, runs.filter(({ outcome }) => outcome === kind).length]));
}

/** Lines about runs without a verdict, and about attacks that the gullible model resisted, grouped by reason. */
function reasonsOf(name, policy, runs) {
  const notable = runs.filter(
    ({ outcome }) =>
      ['inconclusive', 'error', 'partial'].includes(outcome) || (policy === 'gullible' && outcome === 'resisted'),
  );
  return [...groupedBy(notable, reasonOf)].map(
    ([reason, group]) => `${name}, ${policy}: ${group.map(({ document }) => document.id).join(' ')}: ${reason}`,
  );
}

/** The reason without the names of actors, which differ by document. */
function reasonOf({ outcome, reason }) {
  return reason === undefined ? outcome : `${outcome}: ${reason.replace(/ ?"[^"]*"/g, ' an actor')}`;
}

function groupedBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

function faultsOf(name, policy, runs) {
  const { documents: named, allows, elsewhere } = musts[policy];
  return runs
    .filter(({ document, outcome }) => !(named.includes(document.id) ? allows : elsewhere).includes(outcome))
    .map(({ document, outcome }) => `${name}, ${policy}: ${document.id} must not be ${outcome}`);
}

function leftOver() {
  const lines = spawnSync('ps', ['-A', '-ww', '-o', 'pid=,args='], { encoding: 'utf8' }).stdout.trim().split('\n');
  return lines
    .map((line) => /^\s*(\d+)\s+(.*)$/.exec(line))
    .filter((match) => match?.[2].includes(folder))
    .map(([, pid, args]) => ({ pid: Number(pid), args }));
}
