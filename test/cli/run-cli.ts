import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freshFolder } from '../support/fresh-folder.ts';
import { plainCall } from './plain-call.ts';
import { type Called, warmCli } from './warm-cli.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const cli = join(root, 'dist/cli.js');

if (!existsSync(cli))
  throw new Error('dist/cli.js is not there: the command line is tested as built, run npm run build');

/** A folder for PATH in which `oatf` is the built command line. */
function binFolder(): string {
  const folder = freshFolder([['oatf', `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`]]);
  chmodSync(join(folder, 'oatf'), 0o755);
  return folder;
}

const { NO_COLOR: _none, FORCE_COLOR: _nor, ...inherited } = process.env;
const environment = {
  ...inherited,
  ROOT: root,
  LC_ALL: 'C.UTF-8',
  PATH: `${binFolder()}${delimiter}${process.env.PATH}`,
};

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number | null;
}

/** Runs a command with `sh`, and `oatf` in a new process. */
export function runShell(command: string, cwd: string, input = ''): Promise<Ran> {
  const child = spawn('sh', ['-c', command], { cwd, env: environment, stdio: 'pipe' });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      said[name] += chunk;
    });
  // A command need not read what it is given.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((done) => child.on('close', (exit) => done({ ...said, exit })));
}

const beginCall = warmCli(cli);

/** Calls the built command line in a process that is reused for many calls. The environment is exactly the given one. */
export async function callCli(call: Parameters<typeof beginCall>[0]): Promise<Ran> {
  const { output, ended } = beginCall(call);
  const exit = await ended;
  return { ...output, exit };
}

/** The same in the usual environment, with its output as it comes. */
export function beginOatf(args: readonly string[], folder: string): Called {
  return beginCall({ args, folder, environment });
}

export function callOatf(args: readonly string[], folder: string): Promise<Ran> {
  return callCli({ args, folder, environment });
}

/** Runs a command as a shell would. A plain call of `oatf` needs no new process, most of whose time would be its start. */
export async function runCommand(command: string, cwd: string): Promise<Ran> {
  const call = plainCall(command, root);
  if (call === undefined) return runShell(command, cwd);
  const folder = resolve(cwd, call.folder);
  const ran = await callCli({
    args: call.args,
    folder,
    environment: { ...environment, ...call.environment },
    input: call.input === undefined ? '' : readFileSync(resolve(folder, call.input), 'base64'),
  });
  if (call.output !== undefined) {
    writeFileSync(resolve(folder, call.output), ran.stdout);
    return { ...ran, stdout: '' };
  }
  if (call.filter === undefined) return ran;
  const filtered = await runShell(call.filter, folder, ran.stdout);
  return { ...filtered, stderr: ran.stderr + filtered.stderr };
}

/** The same at a terminal: text that is written to it counts as typed. */
export function startCliAtTerminal(args: readonly string[], cwd: string) {
  const program = [process.execPath, cli, ...args];
  const quoted = program.map((part) => `'${part.replaceAll("'", "'\\''")}'`).join(' ');
  const isLinux = process.platform === 'linux';
  return spawn('script', isLinux ? ['-qefc', quoted, '/dev/null'] : ['-q', '/dev/null', ...program], {
    cwd,
    env: { ...environment, NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

export function startCli(args: readonly string[], cwd: string) {
  return spawn(process.execPath, [cli, ...args], {
    cwd,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
