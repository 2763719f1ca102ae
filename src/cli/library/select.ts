import { type Filters, isSelective, passing } from '../../catalogue/filters.ts';
import type { DocumentSource } from '../../catalogue/find-documents.ts';
import { complain, type Io } from '../io.ts';
import type { CommandOutcome } from '../outcome.ts';
import { lookInto, sourcesOf } from './catalogue.ts';

export type Selection =
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
): Promise<Selection> {
  const found = await sourcesOf(operands, io);
  if (found.kind === 'failed') return found;
  const { sources } = found;
  // Without filters the documents need not be read.
  if (!isSelective(filters)) return { kind: 'selected', sources, of: sources.length };
  const passed = passing(await lookInto(sources, io), filters);
  return passed.ok
    ? { kind: 'selected', sources: passed.items.map(({ source }) => source), of: sources.length }
    : { kind: 'failed', outcome: await complain(io, 'usage', `--${passed.message}`, passed.hint) };
}
