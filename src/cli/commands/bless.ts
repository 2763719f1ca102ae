import { resolve } from 'node:path';
import { visible } from '../../report/visible.ts';
import { baselineOf, baselineToJson, baselineToYaml } from '../../suite/baseline.ts';
import { readResults } from '../../suite/read-results.ts';
import type { Command } from '../commands.ts';
import { complain } from '../io.ts';
import { ok } from '../outcome.ts';
import { count } from '../reports/report.ts';
import { writeWhole } from '../write-whole.ts';

export const bless: Command<'bless'> = async ({ dir, out }, io) => {
  const read = readResults(resolve(io.cwd, dir));
  if (!read.ok)
    return complain(
      io,
      'unreadable',
      `bless: ${visible(dir)}: ${visible(read.reason)}`,
      'name a folder of results, or a results.json',
    );
  const { not_run: missing = [] } = read.results;
  const [first] = missing;
  // Half a baseline would accept whatever the other half brings.
  if (first !== undefined)
    return complain(
      io,
      'usage',
      `bless: ${visible(dir)}: ${count(missing.length, 'attack has', 'attacks have')} not run to the end, such as ${visible(first.document)} against ${visible(first.agent)}`,
      'oatf run --resume goes on with it',
    );
  const baseline = baselineOf(read.results);
  const text = out.endsWith('.json') ? baselineToJson(baseline) : baselineToYaml(baseline);
  if (out === '-') {
    await io.stdout.write(text);
    return ok;
  }
  const failure = writeWhole(resolve(io.cwd, out), text);
  if (failure !== undefined) return complain(io, 'unavailable', `bless: ${visible(out)}: ${failure}`);
  const statuses = baseline.entries.map(({ status }) => status);
  const parts = [...new Set(statuses)]
    .sort()
    .map((status) => `${statuses.filter((each) => each === status).length} ${status}`);
  await io.stdout.write(
    `${visible(out)}: ${count(statuses.length, 'attack', 'attacks')}, ${parts.join(', ')}\n`,
  );
  return ok;
};
