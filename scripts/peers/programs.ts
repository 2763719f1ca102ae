import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { installed, must } from './environment.ts';

// Peers are programs in this folder. Each runs with a set of packages that is installed for it.

/** Runs the programs of a peer with its packages. */
export interface Programs {
  /** The command line that starts a program of this folder. */
  words(program: string, ...args: readonly string[]): readonly string[];
  /** Runs a program to its end, and returns its output. */
  run(program: string, ...args: readonly string[]): Promise<string>;
  /** Starts a program that keeps running, and returns its first line. */
  start(program: string, ...args: readonly string[]): Promise<Started>;
}

export interface Started {
  readonly line: string;
  stop(): void;
}

/** Python programs, with packages from PyPI. */
export const pythonWith =
  (...requirements: readonly string[]) =>
  (): Programs => {
    const folder = installed(['python', ...requirements], (fresh) => {
      must('there is no python3 with venv', 'python3', ['-m', 'venv', fresh]);
      const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...requirements];
      must(`pip cannot install ${requirements.join(', ')}`, join(fresh, 'bin', 'python'), pip);
    });
    return programs((path, args) => [join(folder, 'bin', 'python'), path, ...args]);
  };

/** Node programs, with packages from npm; the first argument is the folder of the packages. */
export const nodeWith =
  (...packages: readonly string[]) =>
  (): Programs => {
    const folder = installed(['node', ...packages], (fresh) => {
      const npm = ['install', '--prefix', fresh, '--no-audit', '--no-fund', '--loglevel=error', ...packages];
      must(`npm cannot install ${packages.join(', ')}`, 'npm', npm);
    });
    return programs((path, args) => [process.execPath, path, folder, ...args]);
  };

function programs(wordsFor: (path: string, args: readonly string[]) => readonly string[]): Programs {
  const words: Programs['words'] = (program, ...args) =>
    wordsFor(fileURLToPath(new URL(program, import.meta.url)), args);
  const launch = (program: string, args: readonly string[]): ChildProcess => {
    const [command = '', ...rest] = words(program, ...args);
    return spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  };
  return {
    words,
    run: (program, ...args) => output(launch(program, args), program),
    start: (program, ...args) => firstLine(launch(program, args), program),
  };
}

function output(child: ChildProcess, program: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
    });
    child.once('close', (code) => (code === 0 ? resolve(text) : reject(new Error(`${program} ended with ${code}`))));
  });
}

function firstLine(child: ChildProcess, program: string): Promise<Started> {
  return new Promise((resolve, reject) => {
    child.once('close', (code) => reject(new Error(`${program} ended with ${code}`)));
    if (child.stdout !== null)
      createInterface({ input: child.stdout }).once('line', (line) => resolve({ line, stop: () => void child.kill() }));
  });
}
