import type { Mark } from '../model/marks.ts';
import type { NormalizedDocument } from '../model/normalized.ts';
import type { BindingViews } from '../model/views.ts';
import { needsOf } from './needs.ts';
import { piecesOf } from './pieces.ts';

/** The surfaces that an agent must have so that every needed piece can reach it, in the document's order. */
export function surfacesOf(
  document: NormalizedDocument,
  views: readonly BindingViews[],
  marks: readonly Mark[],
): readonly string[] {
  const { needs } = needsOf(document, piecesOf(document, views), {
    marks,
    demand: 'payload',
    absent: [],
    skipped: [],
  });
  return [...new Set(needs.flatMap(({ anyOf }) => anyOf.flatMap(({ surfaces }) => surfaces)))];
}
