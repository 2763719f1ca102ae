import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freshFolder } from '../support/fresh-folder.ts';

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

export function runShell(command: string, cwd: string): Ran {
  const { stdout, stderr, status } = spawnSync('sh', ['-c', command], {
    cwd,
    env: environment,
    encoding: 'utf8',
    input: '',
    maxBuffer: 64 * 1024 * 1024,
  });
  return { stdout, stderr, exit: status };
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
