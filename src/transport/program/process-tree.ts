import { randomUUID } from 'node:crypto';
import {
  type KnownProcess,
  memoryOf,
  type ProcessFacts,
  readProcess,
  runningProcesses,
  wasStartedWith,
} from './processes.ts';

/** A variable that a program is launched with: all that it starts can be told by it, whoever its parent is by then. */
export interface Mark {
  readonly name: string;
  readonly value: string;
}

export function freshMark(): Mark {
  return { name: 'OATF_LAUNCH', value: randomUUID() };
}

/**
 * A program and all that has come of it. What it starts is a child of one of them, in a session of theirs, or has
 * inherited the mark; to be lost, a process has to shed all three between two looks. Only Linux tells; elsewhere there
 * is nobody to be seen.
 */
export class ProcessTree {
  readonly #mark: string;
  readonly #since: number;
  /** The number of a session is nobody else's while somebody is in it, and only so long is it ours. */
  #sessions: ReadonlySet<number>;
  #known: ReadonlyMap<number, ProcessFacts> = new Map();
  /** Nobody comes by the mark later, so each process is asked for it once. */
  #strangers: ReadonlyMap<number, ProcessFacts> = new Map();

  /** The root is the leader of a session of its own. */
  constructor(root: number, { name, value }: Mark) {
    this.#mark = `${name}=${value}`;
    this.#sessions = new Set([root]);
    this.#since = readProcess(root)?.started ?? 0;
  }

  /** Those that run now. */
  look(): readonly KnownProcess[] {
    const all = runningProcesses().filter(({ started }) => started >= this.#since);
    const found = new Map<number, ProcessFacts>();
    const strangers = new Map<number, ProcessFacts>();
    const sessions = new Set(this.#sessions);
    const isOurs = (each: ProcessFacts): boolean =>
      sessions.has(each.session) ||
      found.has(each.parent) ||
      isSame(this.#known.get(each.pid), each) ||
      (!isSame(strangers.get(each.pid) ?? this.#strangers.get(each.pid), each) &&
        wasStartedWith(each.pid, this.#mark));
    // Each that is found may lead to others.
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

  /** What they have taken of the machine's memory, in bytes. */
  memory(): number {
    return this.look().reduce((sum, { pid }) => sum + memoryOf(pid), 0);
  }
}

function isSame(one: KnownProcess | undefined, other: KnownProcess): boolean {
  return one?.started === other.started;
}
