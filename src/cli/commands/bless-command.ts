import { resolve } from 'node:path';
import { ownerOnly } from '../../files/stored-file.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import type { AttackStatistics } from '../../format/model/results-file.ts';
import { count } from '../../report/count-text.ts';
import { createBaseline, writeBaselineJson, writeBaselineYaml } from '../../suite/statistics/baseline.ts';
import { readResults } from '../../suite/store/read-results.ts';
import { type CommandOutcome, ok } from '../command-outcome.ts';
import type { Command } from '../commands.ts';
import { complain, createRefusal, type Io } from '../io.ts';

import { writeWhole } from '../write-whole.ts';

export const runBlessCommand: Command<'bless'> = async ({ dir, out, acceptInconclusive }, io) => {
  const refuse = createRefusal('bless', io);
  const read = readResults(resolve(io.cwd, dir));
  if (!read.ok)
    return complain(io, 'unreadable', `bless: ${dir}: ${read.reason}`, 'name a folder of results, or a results.json');
  const { version, not_run: missing = [] } = read.results;
  if ((version as number) === 1)
    return refuse(
      `${dir}: these results have version 1, in which an attack that never reached the agent could count as resisted`,
      'run the suite again, and bless the new results',
    );
  const [first] = missing;
  // A baseline needs the final results of every attack of the suite.
  if (first !== undefined)
    return refuse(
      `${dir}: ${count(missing.length, 'attack has', 'attacks have')} not run to the end, such as ${first.document} against ${first.agent}`,
      'oatf run --resume continues the suite',
    );
  const { baseline, refused } = createBaseline(read.results, acceptInconclusive);
  const text = out.endsWith('.json') ? writeBaselineJson(baseline) : writeBaselineYaml(baseline);
  if (out === '-') {
    await io.stdout.write(text, 'exact');
    return reportRefused(refused, io);
  }
  const failure = writeWhole(resolve(io.cwd, out), text, ownerOnly.file);
  if (failure !== undefined) return complain(io, 'unavailable', `bless: ${out}: ${failure}`);
  const statuses = baseline.entries.map(({ status }) => status);
  const parts = [...new Set(statuses)]
    .sort()
    .map((status) => `${statuses.filter((each) => each === status).length} ${status}`);
  await io.stdout.write(
    `${escapeInvisible(out)}: ${[count(statuses.length, 'attack', 'attacks'), ...parts].join(', ')}\n`,
  );
  return reportRefused(refused, io);
};

/** Names the attacks that the baseline leaves out. They are judged as if there were no baseline. */
async function reportRefused(refused: readonly AttackStatistics[], io: Io): Promise<CommandOutcome> {
  const [first] = refused;
  if (first === undefined) return ok;
  const names = refused.map(
    ({ document, agent, status, causes = [] }) =>
      `${escapeInvisible(document)} against ${escapeInvisible(agent)} (${[status, ...causes].join(', ')})`,
  );
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  return complain(
    io,
    'undecided',
    `bless: ${count(refused.length, 'attack is', 'attacks are')} not accepted: ${names.slice(0, mostNamed).join('; ')}${more}`,
    refused.some(({ status }) => status === 'inconclusive')
      ? '--accept-inconclusive accepts what is inconclusive, each attack with its cause; a run in error is never accepted'
      : 'a run in error is never accepted; run it again',
  );
}

const mostNamed = 5;
