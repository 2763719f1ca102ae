import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

// Reads processes from /proc. Only Linux has it; on other systems no process is seen.

/** A process; `started` tells it apart from a later one with the same id. */
export interface KnownProcess {
  readonly pid: number;
  /** In ticks since the machine was started. */
  readonly started: number;
}

export interface ProcessFacts extends KnownProcess {
  readonly parent: number;
  readonly session: number;
}

/** All running processes, without zombies. */
export function listRunningProcesses(): readonly ProcessFacts[] {
  return listProcessIds().flatMap((pid) => readProcess(pid) ?? []);
}

export function readProcess(pid: number): ProcessFacts | undefined {
  const text = readProcessFile(pid, 'stat')?.toString('latin1');
  if (text === undefined) return undefined;
  // The second field is the program's name in parentheses, and may contain any character.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state = 'X', parent, , session] = fields;
  // A process whose first thread has ended looks like a zombie while its other threads run.
  if (state === 'X' || (state === 'Z' && Number(fields[17]) <= 1)) return undefined;
  return { pid, parent: Number(parent), session: Number(session), started: Number(fields[19]) };
}

/** Tells whether a process was started with this variable. */
export function isStartedWith(pid: number, variable: string): boolean {
  return readProcessFile(pid, 'environ')?.includes(variable) ?? false;
}

/** The memory that belongs to a process alone, in bytes; shared programs and libraries are not counted. */
export function readProcessMemory(pid: number): number {
  const text = readProcessFile(pid, 'status')?.toString('latin1') ?? '';
  const own = [...text.matchAll(/^(?:RssAnon|RssShmem):\s+(\d+) kB$/gm)];
  // Some kernels do not report the two apart.
  const found = own.length > 0 ? own : [...text.matchAll(/^VmRSS:\s+(\d+) kB$/gm)];
  return found.reduce((sum, [, kilobytes]) => sum + Number(kilobytes) * 1024, 0);
}

/** The path of the file that a process executes, or of its working folder; undefined if it may not be read. */
export function readProcessPath(pid: number, of: 'exe' | 'cwd'): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/${of}`).replace(/ \(deleted\)$/, '');
  } catch {
    return undefined;
  }
}

/** The running processes that work in a folder. */
export function listProcessesWithin(folder: string): readonly KnownProcess[] {
  return listRunningProcesses().filter(({ pid }) => {
    const cwd = readProcessPath(pid, 'cwd');
    return cwd === folder || cwd?.startsWith(`${folder}/`);
  });
}

/** The words of a process's command line. A process can change them. */
export function readProcessWords(pid: number): readonly string[] {
  const text = readProcessFile(pid, 'cmdline')?.toString('utf8') ?? '';
  return text === '' ? [] : text.replace(/\0$/, '').split('\0');
}

/** The sockets that a process has open, in a text that changes with them. */
export function readSockets(pid: number): string {
  try {
    const files = readdirSync(`/proc/${pid}/fd`).slice(0, mostFiles);
    return files
      .map((file) => readlinkSync(`/proc/${pid}/fd/${file}`))
      .filter(isSocket)
      .sort()
      .join();
  } catch {
    return '';
  }
}

const mostFiles = 1_000;
const isSocket = (target: string): boolean => target.startsWith('socket:');

function listProcessIds(): readonly number[] {
  if (process.platform !== 'linux') return [];
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** A process may end at any time, and some may not be read. */
function readProcessFile(pid: number, file: string): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`);
  } catch {
    return undefined;
  }
}
