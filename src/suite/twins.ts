import { benignTwin } from '../marks/benign-twin.ts';
import { marksOf } from '../marks/read-marks.ts';
import type { Playable } from './plan.ts';

/** The benign twins of documents, to be played beside them. A document without marks has none. */
export function twinsOf(documents: readonly Playable[]): readonly Playable[] {
  return documents.flatMap((twinOf): Playable[] => {
    const { document, file, text } = twinOf;
    const marks = marksOf(document);
    const twin = marks === undefined ? undefined : benignTwin(text, marks);
    return twin?.ok ? [{ document: twin.document, file, text: twin.write(), warnings: [], twinOf }] : [];
  });
}
