import { readdirSync, readFileSync } from 'node:fs';

// What Linux tells of processes. Other systems have no such files, and there are then no processes to be seen.

/** A process, told apart from a later one of the same number. */
export interface KnownProcess {
  readonly pid: number;
  /** In ticks since the machine was started. */
  readonly started: number;
}

export interface ProcessFacts extends KnownProcess {
  readonly parent: number;
  readonly session: number;
}

/** All that run; what has ended and was not yet noticed by its parent does not. */
export function runningProcesses(): readonly ProcessFacts[] {
  return allNumbers().flatMap((pid) => readProcess(pid) ?? []);
}

export function readProcess(pid: number): ProcessFacts | undefined {
  const text = read(pid, 'stat')?.toString('latin1');
  if (text === undefined) return undefined;
  // The second field is the program's name in parentheses, and may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state = 'X', parent, , session] = fields;
  if (state === 'Z' || state === 'X') return undefined;
  return { pid, parent: Number(parent), session: Number(session), started: Number(fields[19]) };
}

/** Whether this stands in the variables that a process was started with. */
export function wasStartedWith(pid: number, variable: string): boolean {
  return read(pid, 'environ')?.includes(variable) ?? false;
}

/** The memory that nobody but a process has a use for, in bytes: programs and libraries are shared by many. */
export function memoryOf(pid: number): number {
  const text = read(pid, 'status')?.toString('latin1') ?? '';
  const own = [...text.matchAll(/^(?:RssAnon|RssShmem):\s+(\d+) kB$/gm)];
  // Some kernels do not tell them apart.
  const found = own.length > 0 ? own : [...text.matchAll(/^VmRSS:\s+(\d+) kB$/gm)];
  return found.reduce((sum, [, kilobytes]) => sum + Number(kilobytes) * 1024, 0);
}

function allNumbers(): readonly number[] {
  if (process.platform !== 'linux') return [];
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** A process may end at any time, and some are none of our business. */
function read(pid: number, file: string): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`);
  } catch {
    return undefined;
  }
}
