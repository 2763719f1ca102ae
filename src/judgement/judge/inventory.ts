import type { ListPage, NamedThing } from '../../format/model/binding-views.ts';
import { stringifyJson } from '../../format/model/json-text-values.ts';
import { joinKey } from './piece-state.ts';

// What the agent says that it has, and what it says that it lacks. Only a list that was read whole shows what is not there.

/** A record that is folded in changes it in place. */
export interface Inventory {
  /** By actor and kind. */
  readonly lists: Map<string, KnownList>;
  /** What requests with a piece needed and did not get, by actor and piece. */
  readonly denied: Map<string, NamedThing>;
}

interface KnownList {
  /** All names that were ever listed. */
  readonly names: Set<string>;
  /** The pages that were read so far of a list that goes on, and the cursor of the next one. */
  open?: { readonly names: readonly string[]; readonly next: string } | undefined;
  /** The names of a list that was read whole. */
  whole?: string;
  /** Whether the list may have been another one when something was asked for. */
  isDoubtful?: true;
}

const mostNames = 10_000;

export function createInventory(): Inventory {
  return { lists: new Map(), denied: new Map() };
}

export function notePage({ lists }: Inventory, actor: string, page: ListPage): void {
  const list = findList(lists, actor, page.kind);
  for (const name of page.names) list.names.add(name);
  if (list.names.size > mostNames) list.isDoubtful = true;
  const isFirst = page.cursor === undefined;
  // A page that continues another list than the one that is being read completes nothing.
  if (list.isDoubtful || (!isFirst && list.open?.next !== stringifyJson(page.cursor ?? null))) return;
  const names = [...(isFirst ? [] : (list.open?.names ?? [])), ...page.names];
  list.open = page.next === undefined ? undefined : { names, next: stringifyJson(page.next) };
  if (page.next !== undefined) return;
  const whole = stringifyJson([...new Set(names)].sort());
  if (list.whole !== undefined && list.whole !== whole) list.isDoubtful = true;
  list.whole = whole;
}

/** Notes that a list has changed, or could not be read. */
export function noteDoubt({ lists }: Inventory, actor: string, kind: string): void {
  findList(lists, actor, kind).isDoubtful = true;
}

export function noteDenial({ denied }: Inventory, actor: string, pieces: readonly string[], thing: NamedThing): void {
  for (const piece of pieces) denied.set(joinKey(actor, piece), thing);
}

/** Says what the agent lacks by its own lists, if it denied a request with this piece. */
export function findMissingThing({ lists, denied }: Inventory, actor: string, at: string): string | undefined {
  const thing = denied.get(joinKey(actor, at));
  if (thing === undefined) return undefined;
  const known = thing.kinds.map((kind) => lists.get(joinKey(actor, kind)));
  const isAbsent = known.every(
    (list) => list?.whole !== undefined && !list.isDoubtful && ![...list.names].some((name) => fits(name, thing.name)),
  );
  return isAbsent ? `the agent does not list ${thing.label}` : undefined;
}

/** Whether a listed name means a thing. A URI template may mean every URI with the same beginning. */
function fits(listed: string, name: string): boolean {
  const brace = listed.indexOf('{');
  return listed === name || (brace >= 0 && name.startsWith(listed.slice(0, brace)));
}

function findList(lists: Inventory['lists'], actor: string, kind: string): KnownList {
  const key = joinKey(actor, kind);
  const list = lists.get(key) ?? { names: new Set() };
  lists.set(key, list);
  return list;
}
