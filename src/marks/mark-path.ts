import type { Document } from '../model/document.ts';
import type { Draft } from '../model/draft.ts';
import type { Mark } from '../model/marks.ts';
import type { Path } from '../model/path.ts';
import { actorsOf } from '../validate/places.ts';
import { parsePointer } from './pointer.ts';

/** The path of each mark from the top of the document as it is written, in any of the three forms. */
export function pathsOfMarks(document: Draft<Document>, marks: readonly Mark[]): readonly Path[] {
  const phases = new Map<string, Path>();
  // N-001: a phase without a name is named by its position.
  for (const actor of actorsOf(document))
    for (const [index, { phase, path }] of actor.phases.entries())
      phases.set(phaseKey(actor.name, phase.name ?? `phase-${index + 1}`), path);
  return marks.map(({ actor, phase, at }) => [
    ...(phases.get(phaseKey(actor, phase)) ?? []),
    ...(parsePointer(at) ?? []),
  ]);
}

function phaseKey(actor: string | undefined, phase: string): string {
  return JSON.stringify([actor, phase]);
}
