import { makeBenignTwin } from '../../format/extensions/document-variant.ts';
import { findDocumentMarks } from '../../format/extensions/read-marks.ts';
import type { PlayableDocument } from './plan.ts';

/** The benign twins of documents, to be played beside them. A document without marks has none. */
export function deriveTwins(documents: readonly PlayableDocument[]): readonly PlayableDocument[] {
  return documents.flatMap((twinOf): PlayableDocument[] => {
    const { document, file, text } = twinOf;
    const marks = findDocumentMarks(document);
    const twin = marks === undefined ? undefined : makeBenignTwin(text, marks);
    return twin?.ok ? [{ document: twin.document, file, text: twin.write(), warnings: [], twinOf }] : [];
  });
}
