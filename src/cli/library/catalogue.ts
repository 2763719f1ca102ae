import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SummaryOrReason } from '../../suite/library/document-summary.ts';
import { applyFilters, type Filters, isSelective, noFilters } from '../../suite/library/filters.ts';
import { type DocumentSource, findDocuments } from '../../suite/library/find-documents.ts';
import { createSummaryFinder, openLibrary } from '../../suite/library/library.ts';
import { isLikeId } from '../../suite/library/library-ids.ts';
import { readSourceDocument } from '../../suite/library/read-document.ts';
import type { CommandOutcome } from '../command-outcome.ts';
import { complain, type Io } from '../io.ts';

/** A document with its summary, or the reason why it could not be read. */
export interface CatalogueItem {
  /** The source in memory if it was read, because standard input can be read only once. */
  readonly source: Extract<DocumentSource, { kind: 'read' | 'file' }>;
  readonly file: string;
  readonly about: SummaryOrReason;
}

export type ListedSources =
  | { readonly kind: 'found'; readonly sources: readonly DocumentSource[] }
  | { readonly kind: 'failed'; readonly outcome: CommandOutcome };

/** The named documents; the whole library if none are named. */
export async function findListedSources(operands: readonly string[], io: Io): Promise<ListedSources> {
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

/**
 * Whether an operand is a word to search for: it is no file or folder, cannot be meant as one, and is no id or pattern.
 */
export function isSearchWord(operand: string, cwd: string): boolean {
  const isPath = operand === '-' || /[\\/*?{}[\]]|\.ya?ml$|\.json$|^\./i.test(operand);
  return operand.trim() !== '' && !isPath && !isLikeId(operand) && !existsSync(resolve(cwd, operand));
}

/** The documents of the library that mention a word in their id, title, tags, description or mappings. */
export async function searchLibrary(word: string, io: Io): Promise<readonly CatalogueItem[]> {
  const found = await findListedSources([], io);
  if (found.kind === 'failed') return [];
  const passed = applyFilters(await inspectSources(found.sources, io), noFilters, [word]);
  return passed.ok ? passed.items.filter(({ about }) => about.ok) : [];
}

export async function inspectSources(sources: readonly DocumentSource[], io: Io): Promise<readonly CatalogueItem[]> {
  const summaryOf = createSummaryFinder();
  const items: CatalogueItem[] = [];
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

async function readItem(source: DocumentSource, io: Io): Promise<CatalogueItem> {
  const { name } = source;
  const read = await readSourceDocument(source, io);
  return {
    source: { kind: 'read', name, read },
    file: source.kind === 'file' && source.shipped ? source.path : name,
    about:
      read.kind === 'text'
        ? await summarizeItem(read.text)
        : { ok: false, reason: read.kind === 'invalid' ? read.diagnostic.message : read.reason },
  };
}

async function summarizeItem(text: string): Promise<SummaryOrReason> {
  const { summarizeDocument } = await import('../../suite/library/document-summary.ts');
  return summarizeDocument(text);
}

export type SelectedDocuments =
  | {
      readonly kind: 'selected';
      readonly sources: readonly DocumentSource[];
      /** How many documents there were to select from. */
      readonly of: number;
    }
  | { readonly kind: 'failed'; readonly outcome: CommandOutcome };

/**
 * Selects the named documents, or the whole library, that pass the filters. A document that cannot be read or parsed
 * passes too, so that the command reports it: an attack must not go missing silently.
 */
export async function selectDocuments(
  operands: readonly string[],
  filters: Filters,
  io: Io,
): Promise<SelectedDocuments> {
  const found = await findListedSources(operands, io);
  if (found.kind === 'failed') return found;
  const { sources } = found;
  // Without filters the documents need not be read.
  if (!isSelective(filters)) return { kind: 'selected', sources, of: sources.length };
  const passed = applyFilters(await inspectSources(sources, io), filters);
  return passed.ok
    ? { kind: 'selected', sources: passed.items.map(({ source }) => source), of: sources.length }
    : { kind: 'failed', outcome: await complain(io, 'usage', `--${passed.filter}: ${passed.message}`, passed.hint) };
}
