import { passing } from '../../catalogue/filters.ts';
import { visible } from '../../report/visible.ts';
import type { Command } from '../commands.ts';
import { complain, type Io } from '../io.ts';
import { type Item, lookInto, sourcesOf } from '../library/catalogue.ts';
import { listedToJson } from '../library/json.ts';
import { listToText, type Row } from '../library/list-text.ts';
import { type Exit, gravestOf } from '../outcome.ts';
import { version } from '../version.ts';

export const list: Command<'list'> = async (values, io) => {
  const found = await sourcesOf(values.documents, io);
  if (found.kind === 'failed') return found.outcome;
  const items = await lookInto(found.sources, io);
  const passed = passing(items, values);
  if (!passed.ok) return complain(io, 'usage', `list: --${passed.message}`, passed.hint);
  const rows = passed.items.flatMap(({ file, about }) =>
    about.ok ? [{ file, summary: about.summary }] : [],
  );
  const total = items.filter(({ about }) => about.ok).length;
  const exits: Exit[] = [];
  for (const item of items) exits.push(...(await tellTrouble(item, io)));
  await io.stdout.write(values.json ? listToJson(rows, total) : listToText(rows, total, io.stdout));
  return gravestOf(exits);
};

function listToJson(rows: readonly Row[], total: number): string {
  const documents = rows.map(({ summary, file }) => listedToJson(summary, file));
  return `${JSON.stringify({ version: 1, tool: { name: 'oatf', version }, documents, total }, null, 2)}\n`;
}

async function tellTrouble({ source, about }: Item, io: Io): Promise<readonly Exit[]> {
  if (about.ok) return [];
  const message = `${source.name}: ${visible(about.reason)}`;
  const told =
    source.kind === 'read' && source.read.kind === 'unreadable'
      ? complain(io, 'unreadable', message, source.read.hint)
      : complain(io, 'invalid', message, 'it is not listed; oatf validate says more');
  return [(await told).exit];
}
