import type { Piece } from '../../format/model/binding-views.ts';
import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';

// How bindings enumerate the pieces of a state.

export function listPlacedEntries(
  list: Value | undefined,
  at: string,
): readonly { readonly at: string; readonly entry: ValueMap }[] {
  const entries: { readonly at: string; readonly entry: ValueMap }[] = [];
  if (Array.isArray(list))
    for (let index = 0; index < list.length; index++) {
      const entry: Value = list[index];
      if (isValueMap(entry)) entries.push({ at: `${at}/${index}`, entry });
    }
  return entries;
}

export function listEntryPieces(
  list: Value | undefined,
  at: string,
  kind: string,
  label: (entry: ValueMap, place: string) => string,
): readonly Piece[] {
  return listPlacedEntries(list, at).map((each) => ({
    at: each.at,
    kind,
    label: label(each.entry, each.at),
  }));
}

export function listValuePiece(value: Value | undefined, at: string, kind: string, label: string): readonly Piece[] {
  return value === undefined ? [] : [{ at, kind, label }];
}

/** The quoted name of an entry, for labels; its place if it has no name. */
export function formatEntryName({ name }: ValueMap, place: string): string {
  return typeof name === 'string' ? JSON.stringify(name) : `at ${place}`;
}
