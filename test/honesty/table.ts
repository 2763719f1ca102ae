import type { Row } from './row.ts';

// The rows as readers see them.

export function titleOf({ does, attack, peer, outcome }: Row): string {
  return `${peer.over}: ${does} (the attack is ${attack.where}): ${outcome}`;
}

/** Whether the row must have a definite outcome, so that calling everything inconclusive cannot pass. */
export function isControl({ outcome }: Row): boolean {
  return outcome === 'exploited' || outcome === 'resisted';
}

const modeWords: { readonly [mode: string]: string } = {
  mcp_server: 'Agents that an MCP server attacks',
  mcp_client: 'MCP servers that a client attacks',
  a2a_server: 'Agents that another agent attacks over A2A',
  a2a_client: 'A2A agents that a client attacks',
  ag_ui_client: 'Agents that their user attacks',
};

/** The page of the documentation. */
export function pageOf(rows: readonly Row[]): string {
  const modes = [...new Set(rows.map(({ mode }) => mode))];
  const controls = rows.filter(isControl).length;
  return [
    '# What earns what, example by example',
    '',
    'The page on [outcomes](outcomes.md) has the rules. These are small agents and peers, and the one outcome that each',
    `has earned. All ${rows.length} are played over the wire in \`test/honesty\`, and this page is made from that table;`,
    `${controls} of them are controls that must come out as exploited or resisted.`,
    ...modes.flatMap((mode) => [
      '',
      `## ${modeWords[mode] ?? mode}`,
      '',
      `Documents with \`mode: ${mode}\`.`,
      '',
      '| over | the attack is | the agent | outcome |',
      '| --- | --- | --- | --- |',
      ...rows.filter((row) => row.mode === mode).map(lineOf),
    ]),
    '',
  ].join('\n');
}

function lineOf({ peer, attack, does, outcome }: Row): string {
  const [name, cause] = outcome.split(', ');
  const told = cause === undefined ? `\`${name}\`` : `\`${name}\`, \`${cause}\``;
  return `| ${peer.over} | ${attack.where} | ${does} | ${told} |`;
}
