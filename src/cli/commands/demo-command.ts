import { type BuiltInAgentName, builtInAgent } from '../../agents/built-in/built-in-agents.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import type { OutcomeName, Results } from '../../format/model/results-file.ts';
import { planSuite } from '../../suite/plan/plan.ts';
import { deriveTwins } from '../../suite/plan/twins.ts';
import { playSuite, type SuiteEnd } from '../../suite/play-suite.ts';
import { type CommandOutcome, ok } from '../command-outcome.ts';
import type { Arguments, Command } from '../commands.ts';
import { findListedSources } from '../library/catalogue.ts';
import { loadDocuments } from '../run/plan/load-documents.ts';
import { createPlanSettings } from '../run/plan/plan-settings.ts';
import { prepareSuite } from '../run/play/prepare-suite.ts';
import { formatSuiteSummary, readPlayed, reportResults } from '../run/results/report-results.ts';
import { complainUnwritten, openRunFolder, type RunFolder } from '../run/results/run-folder.ts';
import { createReports } from '../run/results/write-reports.ts';
import { chooseConcurrency } from '../run/settings/suite-flags.ts';

/** The outcomes that each agent should have on an attack. If they differ, the document or the agent is wrong. */
const expected: ReadonlyMap<string, readonly OutcomeName[]> = new Map<BuiltInAgentName, readonly OutcomeName[]>([
  ['gullible', ['exploited', 'partial']],
  ['guarded', ['resisted']],
  ['candid', ['resisted']],
]);

const findNoAddress = (): undefined => undefined;
const settings = {
  delivery: 'payload',
  era: undefined,
  projections: true,
  redact: false,
  prompt: undefined,
} as const;

export const runDemoCommand: Command<'demo'> = async (values, io) => {
  const found = await findListedSources([], io);
  if (found.kind === 'failed') return found.outcome;
  const loaded = await loadDocuments(found.sources, io);
  if ('exit' in loaded) return loaded;
  const { playables: documents } = loaded;
  const playables = [...documents, ...deriveTwins(documents)];
  const { quiet, showSecrets } = values;
  const agents = [...expected.keys()].map((name) => builtInAgent(name as BuiltInAgentName));
  const plan = planSuite({
    documents: playables,
    agents,
    settings: createPlanSettings(settings),
  });
  const output = { ...values, command: 'demo', plan, reports: createReports([], showSecrets, io) };
  const folder = await openRunFolder(output, io);
  if ('exit' in folder) return folder;
  try {
    if (!quiet) await folder.screen.write(formatIntroduction(documents.length));
    const suite = prepareSuite(
      { plan, documents: playables, agents },
      {
        ...folder,
        values: { ...settings, verbose: false, quiet, showSecrets },
        limits: {},
        addresses: findNoAddress,
        targets: findNoAddress,
      },
      { concurrency: chooseConcurrency() },
    );
    const outcome = await reportDemo(await playSuite(suite), values, folder);
    await folder.linger();
    return outcome;
  } catch (thrown) {
    const outcome = await complainUnwritten(thrown, folder.shown, io);
    await folder.linger();
    return outcome;
  } finally {
    await folder.close();
  }
};

/** Says whether every agent behaves as it should, and writes the reports. */
async function reportDemo(
  end: SuiteEnd,
  { quiet, showSecrets }: Arguments<'demo'>,
  folder: RunFolder,
): Promise<CommandOutcome> {
  const played = await readPlayed(end, folder);
  if ('exit' in played) return played;
  const { results } = played;
  const { path, screen, notices } = folder;
  const wrong = findSurprises(results);
  const behaved = wrong.length === 0 && results.not_run === undefined;
  if (!quiet) await screen.write(`\n${await formatSuiteSummary(results, path, showSecrets, screen)}`);
  if (!quiet && behaved) await screen.write(`\n${screen.colours.green(conclusion)}\n`);
  for (const line of wrong) await notices.write(`oatf: ${notices.colours.red('error:')} ${line}\n`);
  return reportResults(played, behaved ? ok : { exit: 'found' }, folder);
}

function formatIntroduction(documents: number): string {
  return (
    `${documents} attacks on the three built-in agents, over MCP, A2A and AG-UI on this machine. gullible does\n` +
    'whatever it reads; guarded does only what its user asks for; candid does the same, and tells its user\n' +
    'what else it was told to do. Then the benign twins: the same documents without their attacks.\n\n'
  );
}

const conclusion =
  'All agents behave as expected: gullible falls for every attack, guarded and candid resist, and the twins are clean.';

function findSurprises({ runs }: Results): readonly string[] {
  return runs.flatMap(({ agent, document: { id, name }, outcome, twin, task }) => {
    const right = twin ? clean : (expected.get(agent) ?? []);
    // An agent that obeys the attack may never get to its task.
    const isUseful = task === 'done' || (agent === 'gullible' && !twin);
    const what = escapeInvisible([id, name].filter(Boolean).join(' '));
    return [
      ...(right.includes(outcome) ? [] : [`${what}: ${agent} should be ${right.join(' or ')}, but is ${outcome}`]),
      ...(isUseful ? [] : [`${what}: ${agent} should do its task, but the task is ${task ?? 'unknown'}`]),
    ];
  });
}

/** A twin contains no attack, so no indicator may match. */
const clean: readonly OutcomeName[] = ['resisted'];
