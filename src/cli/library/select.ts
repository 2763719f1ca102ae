import { type Filters, isSelective, passing } from '../../catalogue/filters.ts';
import type { DocumentSource } from '../../catalogue/find-documents.ts';
import { complain, type Io } from '../io.ts';
import type { Outcome } from '../outcome.ts';
import { lookInto, sourcesOf } from './catalogue.ts';

export type Selection =
  | {
      readonly kind: 'selected';
      readonly sources: readonly DocumentSource[];
      /** How many there were to select from. */
      readonly of: number;
    }
  | { readonly kind: 'failed'; readonly outcome: Outcome };

/**
 * The documents that were named, or else the whole library, as far as they pass the filters. What cannot be read
 * or parsed passes, so that whoever reads it says so: an attack must not go missing without a word.
 */
export async function selectDocuments(
  operands: readonly string[],
  filters: Filters,
  io: Io,
): Promise<Selection> {
  const found = await sourcesOf(operands, io);
  if (found.kind === 'failed') return found;
  const { sources } = found;
  // Without filters nobody needs to look into them.
  if (!isSelective(filters)) return { kind: 'selected', sources, of: sources.length };
  const passed = passing(await lookInto(sources, io), filters);
  return passed.ok
    ? { kind: 'selected', sources: passed.items.map(({ source }) => source), of: sources.length }
    : { kind: 'failed', outcome: await complain(io, 'usage', `--${passed.message}`, passed.hint) };
}
