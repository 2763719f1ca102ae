import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { applyFilters } from '../../suite/library/filters.ts';
import { type Exit, findMostSevereExit } from '../command-outcome.ts';
import type { Command } from '../commands.ts';
import { complain, type Io } from '../io.ts';
import { type CatalogueItem, findListedSources, inspectSources } from '../library/catalogue.ts';
import { type ListRow, listToText } from '../library/list-text.ts';
import { version } from '../version.ts';

export const runListCommand: Command<'list'> = async (values, io) => {
  const found = await findListedSources(values.documents, io);
  if (found.kind === 'failed') return found.outcome;
  const items = await inspectSources(found.sources, io);
  const passed = applyFilters(items, values);
  if (!passed.ok) return complain(io, 'usage', `list: --${passed.message}`, passed.hint);
  const rows = passed.items.flatMap(({ file, about }) => (about.ok ? [{ file, summary: about.summary }] : []));
  const total = items.filter(({ about }) => about.ok).length;
  const exits: Exit[] = [];
  for (const item of items) exits.push(...(await reportTrouble(item, io)));
  await io.stdout.write(values.json ? listToJson(rows, total) : listToText(rows, total, io.stdout));
  return findMostSevereExit(exits);
};

/** The shape is documented in the help; fields are only ever added. */
function listToJson(rows: readonly ListRow[], total: number): string {
  const documents = rows.map(({ summary, file }) => ({ ...summary, file }));
  return `${JSON.stringify({ version: 1, tool: { name: 'oatf', version }, documents, total }, null, 2)}\n`;
}

async function reportTrouble({ source, about }: CatalogueItem, io: Io): Promise<readonly Exit[]> {
  if (about.ok) return [];
  const message = `${source.name}: ${escapeInvisible(about.reason)}`;
  const told =
    source.kind === 'read' && source.read.kind === 'unreadable'
      ? complain(io, 'unreadable', message, source.read.hint)
      : complain(io, 'invalid', message, 'it is not listed; oatf validate says more');
  return [(await told).exit];
}
