import { passing } from '../../catalogue/filters.ts';
import { visible } from '../../report/visible.ts';
import type { Command } from '../commands.ts';
import { complain, type Io } from '../io.ts';
import { type Item, lookInto, sourcesOf } from '../library/catalogue.ts';
import { listedToJson } from '../library/json.ts';
import { listToText } from '../library/list-text.ts';
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
  const documents = rows.map(({ summary, file }) => listedToJson(summary, file));
  await io.stdout.write(
    values.json
      ? `${JSON.stringify({ version: 1, tool: { name: 'oatf', version }, documents, total }, null, 2)}\n`
      : listToText(rows, total, io.stdout),
  );
  return gravestOf(exits);
};

async function tellTrouble({ source: { name, read }, about }: Item, io: Io): Promise<readonly Exit[]> {
  if (about.ok) return [];
  const message = `${name}: ${visible(about.reason)}`;
  const told =
    read.kind === 'unreadable'
      ? complain(io, 'unreadable', message, read.hint)
      : complain(io, 'invalid', message, 'it is not listed; oatf validate says more');
  return [(await told).exit];
}
