import { randomUUID } from 'node:crypto';
import {
  isStartedWith,
  type KnownProcess,
  listRunningProcesses,
  type ProcessFacts,
  readProcess,
  readProcessMemory,
} from './processes.ts';

/**
 * A variable that a program is launched with: every process that it starts inherits it, so it can be recognized
 * whichever parent it has later.
 */
export interface LaunchMark {
  readonly name: string;
  readonly value: string;
}

export function createLaunchMark(): LaunchMark {
  return { name: 'OATF_LAUNCH', value: randomUUID() };
}

/**
 * Finds all processes of a program; `child.ts` ends them. A process belongs to it as a child of one of them, as a member of one of their
 * sessions, or because it inherited the mark. To escape, a process has to lose all three between two checks. Only Linux
 * shows this; on other systems no process is seen.
 */
export class ProcessTree {
  readonly #mark: string;
  readonly #since: number;
  /** A session id is ours only while a process of the session lives; after that the system may reuse it. */
  #sessions: ReadonlySet<number>;
  #known: ReadonlyMap<number, ProcessFacts> = new Map();
  /** Processes without the mark. A process cannot get the mark later, so each is checked once. */
  #strangers: ReadonlyMap<number, ProcessFacts> = new Map();

  /** The root is the leader of its own session. */
  constructor(root: number, { name, value }: LaunchMark) {
    this.#mark = `${name}=${value}`;
    this.#sessions = new Set([root]);
    this.#since = readProcess(root)?.started ?? 0;
  }

  /** The processes that run now. */
  look(): readonly KnownProcess[] {
    const all = listRunningProcesses().filter(({ started }) => started >= this.#since);
    const found = new Map<number, ProcessFacts>();
    const strangers = new Map<number, ProcessFacts>();
    const sessions = new Set(this.#sessions);
    const isOurs = (each: ProcessFacts): boolean =>
      sessions.has(each.session) ||
      found.has(each.parent) ||
      isSame(this.#known.get(each.pid), each) ||
      (!isSame(strangers.get(each.pid) ?? this.#strangers.get(each.pid), each) && isStartedWith(each.pid, this.#mark));
    // Each process that is found may lead to others.
    for (let before = -1; before < found.size; ) {
      before = found.size;
      for (const each of all) {
        if (found.has(each.pid)) continue;
        if (!isOurs(each)) strangers.set(each.pid, each);
        else {
          found.set(each.pid, each);
          sessions.add(each.session);
        }
      }
    }
    this.#known = found;
    this.#strangers = strangers;
    this.#sessions = new Set([...found.values()].map(({ session }) => session));
    return [...found.values()];
  }

  /** The memory of all the processes, in bytes. */
  memory(): number {
    return this.look().reduce((sum, { pid }) => sum + readProcessMemory(pid), 0);
  }
}

function isSame(one: KnownProcess | undefined, other: KnownProcess): boolean {
  return one?.started === other.started;
}
