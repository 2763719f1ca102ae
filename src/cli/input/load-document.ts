import { loadMarked } from '../../format/load-marked.ts';
import type { Mark } from '../../format/model/document-mark.ts';
import type { NormalizedDocument } from '../../format/model/normalized.ts';
import { type DocumentSource, findDocument } from '../../suite/library/find-documents.ts';
import { readSourceDocument } from '../../suite/library/read-document.ts';
import type { CommandOutcome } from '../command-outcome.ts';
import { complain, type Io } from '../io.ts';
import { describeProblems } from '../reports/diagnostics-text.ts';

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
  const read = await readSourceDocument(source, io);
  if (read.kind === 'unreadable')
    return { kind: 'failed', outcome: await complain(io, 'unreadable', `${file}: ${read.reason}`, read.hint) };
  const loaded = read.kind === 'text' ? loadMarked(read.text) : { ok: false as const, errors: [read.diagnostic] };
  if (loaded.ok) {
    const { document, marks } = loaded;
    return { kind: 'loaded', document, marks, file, text: read.text };
  }
  const diagnostics = loaded.errors;
  await io.stderr.write(describeProblems({ file, text: read.text, diagnostics }, io.stderr));
  return { kind: 'failed', outcome: await complain(io, 'invalid', `${file}: the document is not valid`) };
}
