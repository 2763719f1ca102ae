import type { DocumentSource } from '../../../catalogue/find-documents.ts';
import { readDocument } from '../../../catalogue/read-document.ts';
import { loadMarked } from '../../../load-marked.ts';
import type { Playable } from '../../../suite/plan.ts';
import { complain, type Io } from '../../io.ts';
import { type Exit, gravestOf, type Outcome } from '../../outcome.ts';
import { describeProblems } from '../../reports/text.ts';

export type LoadedDocuments =
  | { readonly kind: 'loaded'; readonly playables: readonly Playable[] }
  | { readonly kind: 'failed'; readonly outcome: Outcome };

/** Reads every document. One that cannot be played holds all of them back, before anything has run. */
export async function loadDocuments(sources: readonly DocumentSource[], io: Io): Promise<LoadedDocuments> {
  const playables: Playable[] = [];
  const exits: Exit[] = [];
  for (const source of sources) {
    const loaded = await loadOne(source, io);
    if ('exit' in loaded) exits.push(loaded.exit);
    else playables.push(loaded);
  }
  return exits.length > 0 ? { kind: 'failed', outcome: gravestOf(exits) } : { kind: 'loaded', playables };
}

async function loadOne(source: DocumentSource, io: Io): Promise<Playable | Outcome> {
  const file = source.name;
  const read = await readDocument(source, io);
  if (read.kind === 'unreadable') return complain(io, 'unreadable', `${file}: ${read.reason}`, read.hint);
  const loaded =
    read.kind === 'text' ? loadMarked(read.text) : { ok: false as const, errors: [read.diagnostic] };
  if (!loaded.ok) {
    const diagnostics = loaded.errors;
    await io.stderr.write(describeProblems({ file, text: read.text, diagnostics }, io.stderr));
    return complain(io, 'invalid', `${file}: the document is not valid`);
  }
  const { document, warnings } = loaded;
  return { document, file, text: read.text, warnings };
}
