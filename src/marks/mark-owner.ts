import type { WrittenMark } from '../model/marks.ts';
import type { NormalizedActor, NormalizedPhase } from '../model/normalized.ts';
import type { Path } from '../model/path.ts';
import { nearest } from '../registry/suggestions.ts';
import { at, type Finding, shown } from '../validate/rule.ts';

export type Owner =
  | { readonly ok: true; readonly actor: NormalizedActor; readonly phase: NormalizedPhase }
  | { readonly ok: false; readonly finding: Finding };

/** Finds the actor and the phase of a mark. A mark may omit a name if there is only one candidate. */
export function ownersIn(actors: readonly NormalizedActor[]): (mark: WrittenMark, path: Path) => Owner {
  const namedActors = byName('actor', actors);
  const namedPhases = new Map(actors.map((actor) => [actor, byName('phase', actor.phases)]));
  return (mark, path) => {
    const actor = find(namedActors, mark.actor, path);
    if (!actor.ok) return actor;
    const phase = find(namedPhases.get(actor.item) ?? byName('phase', []), mark.phase, path);
    return phase.ok ? { ok: true, actor: actor.item, phase: phase.item } : phase;
  };
}

interface Named<T> {
  readonly kind: 'actor' | 'phase';
  readonly items: readonly T[];
  readonly byName: ReadonlyMap<string, readonly T[]>;
}

function byName<T extends { readonly name: string }>(kind: Named<T>['kind'], items: readonly T[]): Named<T> {
  const named = new Map<string, T[]>();
  for (const item of items) {
    const same = named.get(item.name);
    if (same === undefined) named.set(item.name, [item]);
    else same.push(item);
  }
  return { kind, items, byName: named };
}

type Found<T> = { readonly ok: true; readonly item: T } | { readonly ok: false; readonly finding: Finding };

/** The number of names that a hint lists or considers. A document may have thousands. */
const mostNames = 20;

function find<T>({ kind, items, byName }: Named<T>, name: string | undefined, path: Path): Found<T> {
  const [item, ...more] = name === undefined ? items : (byName.get(name) ?? []);
  if (item !== undefined && more.length === 0) return { ok: true, item };
  const wrong = (message: string, hint: string): Found<T> => ({
    ok: false,
    finding: at(name === undefined ? path : [...path, kind], message, hint),
  });
  if (name !== undefined && item !== undefined)
    return wrong(`more than one ${kind} is named ${shown(name)}`, `give each ${kind} a name of its own`);
  const names = [...byName.keys()].slice(0, mostNames);
  const there = names.length === 0 ? `there is no ${kind}` : `it can be ${names.map(shown).join(', ')}`;
  if (name === undefined) return wrong(`the mark names no ${kind}`, there);
  const meant = nearest(
    name,
    names.filter(({ length }) => length <= 64),
  );
  return wrong(
    `no ${kind} is named ${shown(name)}`,
    meant === undefined ? there : `did you mean ${shown(meant)}?`,
  );
}
