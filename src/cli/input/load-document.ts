import { type DocumentSource, findDocument } from '../../catalogue/find-documents.ts';
import { readDocument } from '../../catalogue/read-document.ts';
import { loadMarked } from '../../load-marked.ts';
import type { Mark } from '../../model/marks.ts';
import type { NormalizedDocument } from '../../model/normalized.ts';
import { complain, type Io } from '../io.ts';
import type { CommandOutcome } from '../outcome.ts';
import { describeProblems } from '../reports/text.ts';

export type LoadedDocument =
  | {
      readonly kind: 'loaded';
      readonly document: NormalizedDocument;
      readonly marks: readonly Mark[] | undefined;
      readonly file: string;
      readonly text: string;
    }
  | { readonly kind: 'failed'; readonly outcome: CommandOutcome };

/** Loads the document of a command that takes one. Problems are written to stderr. */
export function loadDocument(operand: string, io: Io): Promise<LoadedDocument> {
  return loadSource(findDocument(operand, io.cwd), io);
}

export async function loadSource(source: DocumentSource, io: Io): Promise<LoadedDocument> {
  const file = source.name;
  const read = await readDocument(source, io);
  if (read.kind === 'unreadable')
    return {
      kind: 'failed',
      outcome: await complain(io, 'unreadable', `${file}: ${read.reason}`, read.hint),
    };
  const loaded =
    read.kind === 'text' ? loadMarked(read.text) : { ok: false as const, errors: [read.diagnostic] };
  if (loaded.ok) {
    const { document, marks } = loaded;
    return { kind: 'loaded', document, marks, file, text: read.text };
  }
  const diagnostics = loaded.errors;
  await io.stderr.write(describeProblems({ file, text: read.text, diagnostics }, io.stderr));
  return { kind: 'failed', outcome: await complain(io, 'invalid', `${file}: the document is not valid`) };
}
