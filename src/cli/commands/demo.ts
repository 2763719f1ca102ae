import { builtInAgent } from '../../built-in/built-in-agents.ts';
import type { BuiltInAgentName } from '../../built-in/names.ts';
import type { OutcomeName, Results } from '../../model/results.ts';
import { visible } from '../../report/visible.ts';
import { planSuite } from '../../suite/plan.ts';
import { twinsOf } from '../../suite/twins.ts';
import type { Command } from '../commands.ts';
import { sourcesOf } from '../library/catalogue.ts';
import { type CommandOutcome, ok } from '../outcome.ts';
import { loadDocuments } from '../run/plan/load-documents.ts';
import { planSettings } from '../run/plan/plan-settings.ts';
import { attack } from '../run/play/attack.ts';
import { summaryOf } from '../run/results/end-of-suite.ts';
import { playInto } from '../run/results/play-into.ts';
import { createReports } from '../run/results/write-reports.ts';
import { defaultConcurrency } from '../run/settings/suite-flags.ts';

/** The outcomes that each agent should have on an attack. If they differ, the document or the agent is wrong. */
const expected: ReadonlyMap<string, readonly OutcomeName[]> = new Map<
  BuiltInAgentName,
  readonly OutcomeName[]
>([
  ['gullible', ['exploited', 'partial']],
  ['guarded', ['resisted']],
  ['candid', ['resisted']],
]);

const noAddress = (): undefined => undefined;
const settings = {
  delivery: 'payload',
  era: undefined,
  projections: true,
  redact: false,
  prompt: undefined,
} as const;

export const demo: Command<'demo'> = async (values, io) => {
  const found = await sourcesOf([], io);
  if (found.kind === 'failed') return found.outcome;
  const loaded = await loadDocuments(found.sources, io);
  if ('exit' in loaded) return loaded;
  const { playables: documents } = loaded;
  const playables = [...documents, ...twinsOf(documents)];
  const { quiet, showSecrets } = values;
  const agents = [...expected.keys()].map((name) => builtInAgent(name as BuiltInAgentName));
  const plan = planSuite({
    documents: playables,
    agents,
    settings: planSettings(settings),
  });
  return playInto(
    {
      ...values,
      command: 'demo',
      plan,
      reports: createReports([], showSecrets, io),
    },
    io,
    async (place) => {
      if (!quiet) await place.screen.write(introduction(documents.length));
      return attack(
        { plan, documents: playables, agents },
        {
          ...place,
          values: { ...settings, verbose: false, quiet, showSecrets },
          limits: {},
          addresses: noAddress,
          targets: noAddress,
        },
        { concurrency: defaultConcurrency() },
      );
    },
    async (results, { path, screen, notices }): Promise<CommandOutcome> => {
      const wrong = surprisesIn(results);
      const behaved = wrong.length === 0 && results.not_run === undefined;
      if (!quiet) await screen.write(`\n${await summaryOf(results, path, showSecrets, screen)}`);
      if (!quiet && behaved) await screen.write(`\n${screen.colours.green(conclusion)}\n`);
      for (const line of wrong) await notices.write(`oatf: ${notices.colours.red('error:')} ${line}\n`);
      return behaved ? ok : { exit: 'found' };
    },
  );
};

function introduction(documents: number): string {
  return (
    `${documents} attacks on the three built-in agents, over MCP, A2A and AG-UI on this machine. gullible does\n` +
    'whatever it reads; guarded does only what its user asks for; candid does the same, and tells its user\n' +
    'what else it was told to do. Then the benign twins: the same documents without their attacks.\n\n'
  );
}

const conclusion =
  'All agents behave as expected: gullible falls for every attack, guarded and candid resist, and the twins are clean.';

function surprisesIn({ runs }: Results): readonly string[] {
  return runs.flatMap(({ agent, document: { id, name }, outcome, twin, task }) => {
    const right = twin ? clean : (expected.get(agent) ?? []);
    // An agent that obeys the attack may never get to its task.
    const isUseful = task === 'done' || (agent === 'gullible' && !twin);
    const what = visible([id, name].filter(Boolean).join(' '));
    return [
      ...(right.includes(outcome)
        ? []
        : [`${what}: ${agent} should be ${right.join(' or ')}, but is ${outcome}`]),
      ...(isUseful ? [] : [`${what}: ${agent} should do its task, but the task is ${task ?? 'unknown'}`]),
    ];
  });
}

/** A twin contains no attack, so no indicator may match. */
const clean: readonly OutcomeName[] = ['resisted'];
