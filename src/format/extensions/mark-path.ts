import type { Document } from '../model/attack-document.ts';
import type { Mark } from '../model/document-mark.ts';
import type { Draft } from '../model/draft.ts';
import type { Path } from '../model/path.ts';
import { parsePointer } from '../model/pointer.ts';
import { listActorPlaces } from '../validate/document-parts.ts';

/** The path of each mark from the top of the document as it is written, in any of the three forms. */
export function findMarkPaths(document: Draft<Document>, marks: readonly Mark[]): readonly Path[] {
  const phases = new Map<string, Path>();
  // N-001: a phase without a name is named by its position.
  for (const actor of listActorPlaces(document))
    for (const [index, { phase, path }] of actor.phases.entries())
      phases.set(formatPhaseKey(actor.name, phase.name ?? `phase-${index + 1}`), path);
  return marks.map(({ actor, phase, at }) => [
    ...(phases.get(formatPhaseKey(actor, phase)) ?? []),
    ...(parsePointer(at) ?? []),
  ]);
}

function formatPhaseKey(actor: string | undefined, phase: string): string {
  return JSON.stringify([actor, phase]);
}
