import { type DocumentSource, findDocuments } from '../../catalogue/find-documents.ts';
import { readDocument } from '../../catalogue/read-document.ts';
import type { Summarized } from '../../suite/document-summary.ts';
import { openLibrary } from '../../suite/library.ts';
import { summariesIn } from '../../suite/library-index.ts';
import { complain, type Io } from '../io.ts';
import type { CommandOutcome } from '../outcome.ts';

/** A document and what it says, or the reason why it could not be read. */
export interface Item {
  /** The source in memory if it was read, because standard input can be read only once. */
  readonly source: Extract<DocumentSource, { kind: 'read' | 'file' }>;
  /** The path of the file. */
  readonly file: string;
  readonly about: Summarized;
}

export type Sources =
  | { readonly kind: 'found'; readonly sources: readonly DocumentSource[] }
  | { readonly kind: 'failed'; readonly outcome: CommandOutcome };

/** The named documents; the whole library if none are named. */
export async function sourcesOf(operands: readonly string[], io: Io): Promise<Sources> {
  if (operands.length > 0) return { kind: 'found', sources: findDocuments(operands, io.cwd) };
  const library = openLibrary();
  if (!library.ok)
    return {
      kind: 'failed',
      outcome: await complain(
        io,
        'unavailable',
        `the library cannot be read: ${library.reason}`,
        'it ships with oatf, so installing that again brings it back; files and folders can be named instead',
      ),
    };
  const sources = library.documents.map(
    ({ id, path }): DocumentSource => ({ kind: 'file', name: id, path, shipped: true }),
  );
  return { kind: 'found', sources };
}

export async function lookInto(sources: readonly DocumentSource[], io: Io): Promise<readonly Item[]> {
  const summaryOf = summariesIn();
  const items: Item[] = [];
  for (const source of sources) {
    const isShipped = source.kind === 'file' && source.shipped === true;
    const summary = isShipped ? summaryOf({ id: source.name, path: source.path }) : undefined;
    items.push(
      isShipped && summary !== undefined
        ? { source, file: source.path, about: { ok: true, summary } }
        : await readItem(source, io),
    );
  }
  return items;
}

async function readItem(source: DocumentSource, io: Io): Promise<Item> {
  const { name } = source;
  const read = await readDocument(source, io);
  return {
    source: { kind: 'read', name, read },
    file: source.kind === 'file' && source.shipped ? source.path : name,
    about:
      read.kind === 'text'
        ? await summarize(read.text)
        : { ok: false, reason: read.kind === 'invalid' ? read.diagnostic.message : read.reason },
  };
}

async function summarize(text: string): Promise<Summarized> {
  const { summarizeDocument } = await import('../../suite/document-summary.ts');
  return summarizeDocument(text);
}
