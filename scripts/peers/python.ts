import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

// Peers that are written in Python, each in an environment of its own in a temporary folder.

/** An environment with what a peer needs. */
export interface Python {
  /** What a program of this folder writes, in one piece. */
  run(program: string, ...args: readonly string[]): Promise<string>;
  /** Starts a program that goes on, and gives its first line. */
  start(program: string, ...args: readonly string[]): Promise<Started>;
  remove(): void;
}

export interface Started {
  readonly line: string;
  stop(): void;
}

export function pythonWith(requirements: readonly string[]): Python {
  const folder = mkdtempSync(join(tmpdir(), 'oatf-peers-'));
  const python = join(folder, 'bin', 'python');
  must('python3', ['-m', 'venv', folder]);
  must(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...requirements]);
  const launch = (program: string, args: readonly string[]): ChildProcess =>
    spawn(python, [fileURLToPath(new URL(program, import.meta.url)), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  return {
    run(program, ...args) {
      const child = launch(program, args);
      return new Promise((resolve, reject) => {
        let text = '';
        child.stdout?.on('data', (chunk: Buffer) => {
          text += chunk.toString('utf8');
        });
        child.once('close', (code) =>
          code === 0 ? resolve(text) : reject(new Error(`${program} ended with ${code}`)),
        );
      });
    },
    start(program, ...args) {
      const child = launch(program, args);
      return new Promise((resolve, reject) => {
        child.once('close', (code) => reject(new Error(`${program} ended with ${code}`)));
        if (child.stdout !== null)
          createInterface({ input: child.stdout }).once('line', (line) =>
            resolve({ line, stop: () => void child.kill() }),
          );
      });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function must(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`);
}
