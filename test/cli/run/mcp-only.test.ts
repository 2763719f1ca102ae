import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Results } from '../../../src/format/model/results-file.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { callOatf, root } from '../run-cli.ts';

const program = join(root, 'test/cli/run/mcp-only-agent.mjs');

function configured(without = ''): string {
  const target = `command: [node, "${program}", "{{mcp_config}}", "{{prompt}}"]\n    ${without}`;
  return freshFolder([['oatf.config.yaml', `targets:\n  mine:\n    ${target}\n`]]);
}

/** Two attacks that only an agent card brings, one that uses both protocols, and one over MCP. */
const documents = ['OATS-060', 'OATS-064', 'OATS-062', 'OATS-001'];

async function outcomesIn(folder: string) {
  const { stdout } = await callOatf(['run', ...documents, '--agent', 'mine', '--out', 'results'], folder);
  const { runs } = JSON.parse(readFileSync(join(folder, 'results/results.json'), 'utf8')) as Results;
  return { stdout, outcomes: runs.map(({ document, outcome }) => `${document.id} ${outcome}`).toSorted() };
}

test('an agent that uses only MCP is told of the surface a2a at the end, and the line of oatf doctor leaves those attacks out', async () => {
  const open = await outcomesIn(configured());
  expect(open.outcomes.slice(2)).toEqual(['OATS-062 inconclusive', 'OATS-064 inconclusive']);
  expect(open.stdout).toContain('3 attacks are for agents that hand work to other agents over A2A');
  expect(open.stdout).toContain('--without a2a');

  const { stdout } = await callOatf(['doctor', 'mine'], configured());
  const line = /without: \[.*\]/.exec(stdout)?.[0];
  const declared = await outcomesIn(configured(line));
  expect(declared.outcomes.slice(1)).toEqual([
    'OATS-060 not_applicable',
    'OATS-062 not_applicable',
    'OATS-064 not_applicable',
  ]);
  expect(declared.stdout).not.toContain('--without a2a');
});
