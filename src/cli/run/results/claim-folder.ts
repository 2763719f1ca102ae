import { visible } from '../../../report/visible.ts';
import { type Locked, lockFolder } from '../../../suite/folder-lock.ts';
import { makeFolder } from '../../../suite/make-folder.ts';
import { ownerOnly } from '../../../suite/trace-file.ts';
import { complain, type Io } from '../../io.ts';
import type { CommandOutcome, Exit } from '../../outcome.ts';
import { hasResults } from './out-folder.ts';

/** The reason why a folder cannot be used. */
export interface Refusal {
  readonly exit: Exit;
  readonly reason: string;
  readonly hint: string;
}

export type Claimed = { readonly ok: true; release(): void } | ({ readonly ok: false } & Refusal);

/** Creates a folder and locks it. A folder with results is accepted only when they are resumed. */
export function claimFolder(path: string, isResumed: boolean, command: string): Claimed {
  makeFolder(path, ownerOnly.folder);
  const lock = lockFolder(path);
  if (!lock.ok) return { ok: false, exit: 'unavailable', reason: `is in use${byWhom(lock)}`, hint: whenFree };
  const taken = isResumed ? undefined : takenBy(path, command);
  if (taken === undefined) return lock;
  lock.release();
  return { ok: false, ...taken };
}

/** The reason why a new suite cannot begin in a folder, apart from its lock. */
export function takenBy(path: string, command: string): Refusal | undefined {
  if (!hasResults(path)) return undefined;
  const hint = `name another folder, or move this one away${command === 'run' ? '; --resume continues it' : ''}`;
  return { exit: 'usage', reason: 'has results already', hint };
}

export function refuse(
  { exit, reason, hint }: Refusal,
  command: string,
  shown: string,
  io: Io,
): Promise<CommandOutcome> {
  return complain(io, exit, `${command}: ${shown} ${reason}`, hint);
}

const whenFree = 'wait until it has ended; the lock of a dead process is taken over';

function byWhom({ owner, file }: Extract<Locked, { ok: false }>): string {
  if (owner === undefined) return `: ${visible(file)} was made just now`;
  return ` by process ${owner.pid} on ${visible(owner.host)} (${visible(file)})`;
}
