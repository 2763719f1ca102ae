import { builtInAgent, builtInAgentNames } from '../../agent/built-in-agents.ts';
import type { RunOutcome } from '../../evaluate/delivery.ts';
import type { Command } from '../commands.ts';
import { sourcesOf } from '../library/catalogue.ts';
import { type Outcome, ok } from '../outcome.ts';
import { attackAgents } from '../run/attack-agents.ts';
import { attackTable, type Row } from '../run/attack-view.ts';
import { loadDocuments } from '../run/load-documents.ts';
import { playInto } from '../run/play-into.ts';
import { titleOf } from '../verdict/text.ts';

type Expected = { readonly [agent: string]: readonly RunOutcome['outcome'][] };

/** What tells the two agents apart; a document that does not is at fault, or they are. */
const expected: Expected = { gullible: ['exploited', 'partial'], guarded: ['resisted'] };

const noAddress = (): undefined => undefined;

export const demo: Command<'demo'> = async (values, io) => {
  const found = await sourcesOf([], io);
  if (found.kind === 'failed') return found.outcome;
  const loaded = await loadDocuments(found.sources, io);
  if (loaded.kind === 'failed') return loaded.outcome;
  const { playables } = loaded;
  const agents = builtInAgentNames.map(builtInAgent);
  let behaved = false;
  return playInto(
    { ...values, command: 'demo', redact: false, agents },
    io,
    async (place) => {
      const { screen } = place;
      const { quiet, showSecrets } = values;
      const shown = { verbose: false, quiet, showSecrets };
      if (!quiet) await screen.write(introduction(playables.length));
      const { rows } = await attackAgents(playables, agents, {
        ...place,
        values: { ...shown, delivery: 'delivered', projections: true, redact: false, prompt: undefined },
        limits: {},
        addresses: noAddress,
        targets: noAddress,
      });
      const wrong = rows.flatMap((row) => surprises(row));
      behaved = wrong.length === 0 && rows.length === playables.length;
      if (!quiet) await screen.write(`\n${attackTable(rows, agents, screen)}`);
      if (!quiet && behaved) await screen.write(`\n${screen.colours.green(conclusion)}\n`);
      for (const line of wrong)
        await place.notices.write(`oatf: ${place.notices.colours.red('error:')} ${line}\n`);
      return { outcomes: rows.flat().map(({ judgement }) => judgement.outcome) };
    },
    (): Outcome => (behaved ? ok : { exit: 'found' }),
  );
};

function introduction(documents: number): string {
  return (
    `${documents} attacks on two agents that are built in, over MCP and AG-UI on this machine. gullible does\n` +
    'whatever it reads anywhere; guarded does what its user asks for.\n\n'
  );
}

const conclusion = 'Both agents behave as they should: every attack tells them apart.';

function surprises(row: Row): readonly string[] {
  return row.flatMap(({ agent, judgement: { document, outcome } }) => {
    const right = expected[agent] ?? [];
    return right.includes(outcome.outcome)
      ? []
      : `${titleOf(document)}: ${agent} should be ${right.join(' or ')}, and is ${outcome.outcome}`;
  });
}
