import type { WrittenMark } from '../model/document-mark.ts';
import type { NormalizedActor, NormalizedPhase } from '../model/normalized.ts';
import type { Path } from '../model/path.ts';
import { findNearest } from '../registry/suggestions.ts';
import { createFinding, quoteValue, type RuleFinding } from '../validate/rule-finding.ts';

export type MarkOwner =
  | { readonly ok: true; readonly actor: NormalizedActor; readonly phase: NormalizedPhase }
  | { readonly ok: false; readonly finding: RuleFinding };

/** Finds the actor and the phase of a mark. A mark may omit a name if there is only one candidate. */
export function createOwnerFinder(actors: readonly NormalizedActor[]): (mark: WrittenMark, path: Path) => MarkOwner {
  const namedActors = groupByName('actor', actors);
  const namedPhases = new Map(actors.map((actor) => [actor, groupByName('phase', actor.phases)]));
  return (mark, path) => {
    const actor = findNamed(namedActors, mark.actor, path);
    if (!actor.ok) return actor;
    const phase = findNamed(namedPhases.get(actor.item) ?? groupByName('phase', []), mark.phase, path);
    return phase.ok ? { ok: true, actor: actor.item, phase: phase.item } : phase;
  };
}

interface Named<T> {
  readonly kind: 'actor' | 'phase';
  readonly items: readonly T[];
  readonly byName: ReadonlyMap<string, readonly T[]>;
}

function groupByName<T extends { readonly name: string }>(kind: Named<T>['kind'], items: readonly T[]): Named<T> {
  const named = new Map<string, T[]>();
  for (const item of items) {
    const same = named.get(item.name);
    if (same === undefined) named.set(item.name, [item]);
    else same.push(item);
  }
  return { kind, items, byName: named };
}

type NamedSearchResult<T> =
  | { readonly ok: true; readonly item: T }
  | { readonly ok: false; readonly finding: RuleFinding };

/** The number of names that a hint lists or considers. A document may have thousands. */
const mostNames = 20;

function findNamed<T>({ kind, items, byName }: Named<T>, name: string | undefined, path: Path): NamedSearchResult<T> {
  const [item, ...more] = name === undefined ? items : (byName.get(name) ?? []);
  if (item !== undefined && more.length === 0) return { ok: true, item };
  const wrong = (message: string, hint: string): NamedSearchResult<T> => ({
    ok: false,
    finding: createFinding(name === undefined ? path : [...path, kind], message, hint),
  });
  if (name !== undefined && item !== undefined)
    return wrong(`more than one ${kind} is named ${quoteValue(name)}`, `give each ${kind} a name of its own`);
  const names = [...byName.keys()].slice(0, mostNames);
  const there = names.length === 0 ? `there is no ${kind}` : `it can be ${names.map(quoteValue).join(', ')}`;
  if (name === undefined) return wrong(`the mark names no ${kind}`, there);
  const meant = findNearest(
    name,
    names.filter(({ length }) => length <= 64),
  );
  return wrong(
    `no ${kind} is named ${quoteValue(name)}`,
    meant === undefined ? there : `did you mean ${quoteValue(meant)}?`,
  );
}
