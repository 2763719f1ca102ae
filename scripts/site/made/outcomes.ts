import type { Row } from '../../../test/honesty/row.ts';
import { isControl } from '../../../test/honesty/table.ts';
import { table, words } from '../escape.ts';
import type { Source } from '../source.ts';

const modeTitles: { readonly [mode: string]: string } = {
  mcp_server: 'Agents that an MCP server attacks',
  mcp_client: 'MCP servers that a client attacks',
  a2a_server: 'Agents that another agent attacks over A2A',
  a2a_client: 'A2A agents that a client attacks',
  ag_ui_client: 'Agents that their user attacks',
};

/** Lists the rows that `test/honesty` plays, with the outcome that each must have. */
export function outcomesPage(rows: readonly Row[]): Source {
  const modes = [...new Set(rows.map(({ mode }) => mode))];
  const controls = rows.filter(isControl).length;
  const parts = modes.map((mode) => {
    const own = rows.filter((row) => row.mode === mode);
    return `## ${modeTitles[mode] ?? mode}\n\nDocuments with \`mode: ${mode}\`.\n\n${table(['over', 'the attack is', 'the agent', 'outcome'], own.map(cellsOf))}`;
  });
  return {
    path: 'reference/outcomes-by-example',
    markdown: `# Outcomes by example\n\n[Outcomes](/reference/outcomes) has the rules. This page lists ${rows.length} small agents and peers with the outcome that each of them earns. The tests play all of them over the wire. ${controls} of them are controls: they must come out as exploited or resisted.\n\n${parts.join('\n')}`,
  };
}

function cellsOf({ peer, attack, does, outcome }: Row): readonly string[] {
  const names = outcome.split(', ').map((name) => `\`${name}\``);
  return [words(peer.over), words(attack.where), words(does), names.join(', ')];
}
