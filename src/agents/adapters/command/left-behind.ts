import { basename } from 'node:path';
import { readProcessPath, readProcessWords, readSockets } from '../../../attack/transport/program/processes.ts';
import { escapeInvisible } from '../../../format/model/escape-invisible.ts';
import { isBridge } from './reported-servers.ts';

// Decides what happens to the processes that a program leaves behind when it ends: they can still act. Time comes in
// with each step.

export interface LeftProcess {
  readonly pid: number;
  /** Its name, for people. */
  readonly name: string;
  /** Whether the target says that it may still run. */
  readonly isHelper: boolean;
  /** The sockets that it has open; those of a helper do not count. */
  readonly sockets: string;
}

/** Whether a process may still run when its program has ended, by its names and the words of its command line. */
export type HelperTest = (names: readonly string[], words: readonly string[]) => boolean;

/** Helpers are those that the target names, and our own bridges, which end with the connection to their client. */
export function createHelperTest(helpers: readonly string[], mcp: 'http' | 'stdio'): HelperTest {
  return (names, words) => names.some((name) => helpers.includes(name)) || (mcp === 'stdio' && isBridge(words));
}

/**
 * Reads a process by its names: that of the file that it executes, that under which it was started, and that of its
 * script, which is the first argument that is no option.
 */
export function readLeftProcess(pid: number, isHelper: HelperTest): LeftProcess {
  const words = readProcessWords(pid);
  const [started = '', ...args] = words;
  const file = basename(readProcessPath(pid, 'exe') ?? started);
  const script = basename(args.find((each) => !each.startsWith('-')) ?? '');
  // Anything but a file name may be part of a secret.
  const shown = /^[\w.@+-]{1,60}$/.test(script) ? `${file} ${script}` : file;
  return {
    pid,
    name: escapeInvisible(shown.slice(0, 120)),
    isHelper: isHelper([file, basename(started), script], words),
    sockets: readSockets(pid),
  };
}

/** What is seen of the processes at one moment. */
export interface LeftBehindLook {
  readonly processes: readonly LeftProcess[] | 'unnamed';
  /** Whether some process can still write to the program's output. */
  readonly holdsOutput: boolean;
  /** When the agent last wrote something or sent a message. */
  readonly lastSign: number;
}

export interface LeftBehindState {
  readonly quietSince: number;
  /** What was seen of the processes last. */
  readonly seen: string | undefined;
}

interface LeftBehindStep {
  readonly state: LeftBehindState;
  readonly isOver: boolean;
  /** When to look again, if it is not over. */
  readonly againInMs: number;
  /** What is still there, in words, although it should not be. */
  readonly left?: string;
}

export const initialLeftBehind: LeftBehindState = { quietSince: 0, seen: undefined };

/** The time that a run waits for any agent that may still act. */
const quietMs = 2_000;
const nothing = 'nothing';

/** Applies a look at the processes. It is over when none is left, when all have been quiet, or when time is up. */
export function stepLeftBehind(
  before: LeftBehindState,
  look: LeftBehindLook,
  now: number,
  deadline: number,
): LeftBehindStep {
  const isLate = now >= deadline;
  const seen = describeSeen(look);
  const changedAt = seen === before.seen ? before.quietSince : now;
  const state = { seen, quietSince: Math.max(changedAt, look.lastSign) };
  // One look can miss a process that starts another one and ends. So there is a second one.
  if (seen === nothing) return { state, isOver: isLate || before.seen === nothing, againInMs: 5 };
  const isQuiet = now - state.quietSince >= quietMs;
  if (!isLate && !isQuiet) return { state, isOver: false, againInMs: Math.min(50, deadline - now) };
  const what = nameLeft(look, isQuiet);
  const when = isQuiet ? 'after two quiet seconds' : 'at work until its time was over';
  return { state, isOver: true, againInMs: 0, ...(what !== undefined && { left: `the program left ${what} ${when}` }) };
}

function describeSeen({ processes, holdsOutput }: LeftBehindLook): string {
  if (processes === 'unnamed') return processes;
  if (processes.length === 0 && !holdsOutput) return nothing;
  return processes.map(({ pid, isHelper, sockets }) => (isHelper ? pid : `${pid} ${sockets}`)).join('\n');
}

/** Names what should not be there. A helper that is not quiet is no exception. */
function nameLeft({ processes, holdsOutput }: LeftBehindLook, isQuiet: boolean): string | undefined {
  if (processes === 'unnamed') return 'processes running, which this system does not name,';
  if (processes.length === 0) return holdsOutput ? 'its output open in a process that was not found,' : undefined;
  const names = processes.filter(({ isHelper }) => !isQuiet || !isHelper).map(({ name }) => name);
  return names.length === 0 ? undefined : `${listNames(names)} running`;
}

const mostNames = 3;

/** The names as text, as many as people want to read. */
export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).map((name) => JSON.stringify(name));
  return [...shown, ...(names.length > mostNames ? [`${names.length - mostNames} more`] : [])].join(', ');
}
