import { readMarkedValue, restoreWrittenPhase } from '../../format/extensions/read-marks.ts';
import type { Mark } from '../../format/model/document-mark.ts';
import type { NormalizedDocument } from '../../format/model/normalized.ts';
import { formatPointer, isWithin } from '../../format/model/pointer.ts';
import { isCollection, type Value } from '../../format/model/value.ts';

/** The texts that a document sends: those of its payload, and all others. */
export interface DocumentTexts {
  readonly payload: readonly string[];
  /** What stands outside the marks, and the benign values: what an agent reads in the benign twin too. */
  readonly honest: readonly string[];
}

export function collectDocumentTexts(document: NormalizedDocument, marks: readonly Mark[]): DocumentTexts {
  const honest = document.attack.execution.actors.flatMap((actor) =>
    actor.phases.flatMap((phase) => {
      const own = marks.filter((mark) => mark.actor === actor.name && mark.phase === phase.name);
      return listPlacedTexts(restoreWrittenPhase(document, actor, phase)).filter(
        ([keys]) => !own.some(({ at }) => isWithin(formatPointer(keys), at)),
      );
    }),
  );
  return {
    payload: marks.flatMap((mark) => listTexts(readMarkedValue(document, mark))),
    honest: [...honest.map(([, text]) => text), ...marks.flatMap(({ benign }) => listTexts(benign))],
  };
}

/** The texts in a value. */
export function listTexts(value: Value | undefined): readonly string[] {
  return listPlacedTexts(value).map(([, text]) => text);
}

type PlacedText = readonly [keys: readonly string[], text: string];

function listPlacedTexts(value: Value | undefined): readonly PlacedText[] {
  const texts: PlacedText[] = [];
  const pending: (readonly [keys: readonly string[], value: Value | undefined])[] = [[[], value]];
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    const [keys, inner] = item;
    if (typeof inner === 'string') texts.push([keys, inner]);
    else if (isCollection(inner))
      for (const [key, part] of Object.entries(inner)) pending.push([[...keys, key], part as Value]);
  }
  return texts;
}
