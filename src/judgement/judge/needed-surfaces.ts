import type { BindingViews } from '../../format/model/binding-views.ts';
import type { Mark } from '../../format/model/document-mark.ts';
import type { NormalizedDocument } from '../../format/model/normalized.ts';
import { listPieces } from './list-pieces.ts';
import { findNeeds } from './needs.ts';

/** The surfaces that an agent must have so that every needed piece can reach it, in the document's order. */
export function listNeededSurfaces(
  document: NormalizedDocument,
  views: readonly BindingViews[],
  marks: readonly Mark[],
): readonly string[] {
  const { needs } = findNeeds(document, listPieces(document, views), {
    marks,
    demand: 'payload',
    absent: [],
    skipped: [],
  });
  return [...new Set(needs.flatMap(({ anyOf }) => anyOf.flatMap(({ surfaces }) => surfaces)))];
}
