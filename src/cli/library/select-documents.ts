import { applyFilters, type Filters, isSelective } from '../../suite/library/filters.ts';
import type { DocumentSource } from '../../suite/library/find-documents.ts';
import type { CommandOutcome } from '../command-outcome.ts';
import { complain, type Io } from '../io.ts';
import { findListedSources, inspectSources } from './catalogue.ts';

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
    : { kind: 'failed', outcome: await complain(io, 'usage', `--${passed.message}`, passed.hint) };
}
