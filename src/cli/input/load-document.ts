import { type DocumentSource, findDocument } from '../../catalogue/find-documents.ts';
import { readDocument } from '../../catalogue/read-document.ts';
import { diagnose, load } from '../../load.ts';
import type { NormalizedDocument } from '../../model/normalized.ts';
import { complain, type Io } from '../io.ts';
import type { Outcome } from '../outcome.ts';
import { isError } from '../reports/report.ts';
import { describeProblems } from '../reports/text.ts';

export type LoadedDocument =
  | {
      readonly kind: 'loaded';
      readonly document: NormalizedDocument;
      readonly file: string;
      readonly text: string;
    }
  | { readonly kind: 'failed'; readonly outcome: Outcome };

/** The one document of a command that takes one. What is wrong with it goes to stderr. */
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
  const loaded = read.kind === 'text' ? load(read.text) : undefined;
  if (loaded?.ok) return { kind: 'loaded', document: loaded.document, file, text: read.text };
  const diagnostics = read.kind === 'invalid' ? [read.diagnostic] : diagnose(read.text).filter(isError);
  await io.stderr.write(describeProblems({ file, text: read.text, diagnostics }, io.stderr));
  return { kind: 'failed', outcome: await complain(io, 'invalid', `${file}: the document is not valid`) };
}
