import { readdirSync, readFileSync } from 'node:fs';

/** A process, told apart from a later one of the same number. */
export interface KnownProcess {
  readonly pid: number;
  readonly started: string;
}

/**
 * All that a process has started, and what those have. A program can leave its process group, and is then found only
 * by its parents. Only Linux tells; elsewhere there are none.
 */
export function descendantsOf(root: number): readonly KnownProcess[] {
  const children = new Map<number, KnownProcess[]>();
  for (const pid of allProcesses()) {
    const found = readProcess(pid);
    if (found === undefined) continue;
    children.set(found.parent, [...(children.get(found.parent) ?? []), { pid, started: found.started }]);
  }
  const all: KnownProcess[] = [];
  for (let next = children.get(root) ?? []; next.length > 0; ) {
    all.push(...next);
    next = next.flatMap(({ pid }) => children.get(pid) ?? []);
  }
  return all;
}

export function isAlive({ pid, started }: KnownProcess): boolean {
  return readProcess(pid)?.started === started;
}

function allProcesses(): readonly number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function readProcess(pid: number): { readonly parent: number; readonly started: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in parentheses, and may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, parent] = fields;
    const started = fields[19];
    return state === 'Z' || started === undefined ? undefined : { parent: Number(parent), started };
  } catch {
    return undefined;
  }
}
