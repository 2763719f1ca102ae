import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { assistant, overHttp } from '../../examples/testing/vitest/src/assistant.ts';
import { type AgentFunction, attack, attackAll } from '../../src/testing/testing.ts';

// The examples of the documentation run.

const page = readFileSync(new URL('../../docs/reference/testing.md', import.meta.url), 'utf8');
const folder = fileURLToPath(new URL('../../examples/testing/vitest/test/', import.meta.url));
const sources = readdirSync(folder).map((name) => readFileSync(`${folder}${name}`, 'utf8'));

function blocksOf(language: string): readonly string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block);
}

test.each(blocksOf('ts').map((block) => [block.split('\n', 1)[0], block]))(
  'the code block of docs/reference/testing.md that begins with %s stands in an example',
  (_, block) => {
    // Imports and tests may stand apart there.
    for (const part of block.split('\n\n'))
      expect(sources.some((source) => source.includes(part.trimEnd()))).toBe(true);
  },
);

test('the assistant of the examples gets and resists all attacks that the docs show it with', {
  timeout: 60_000,
}, async () => {
  const results = await attackAll(
    { id: 'OATS-00{2,3,4,6}', mode: ['ag_ui_client', 'mcp_server'] },
    {
      agent: ({ prompt, messages, mcpConfig }) =>
        assistant({ prompt, messages, servers: overHttp(mcpConfig.mcpServers) }),
      concurrency: 4,
      timeout: '30s',
    },
  );
  expect(results.counts).toMatchObject({ resisted: 4 });
});

test('an agent that does not read `messages` is inconclusive, and the advice says so, as documented', async () => {
  const result = await attack('OATS-005', {
    agent: ({ prompt, mcpConfig }) => assistant({ prompt, servers: overHttp(mcpConfig.mcpServers) }),
  });
  expect(result.outcome).toBe('inconclusive');
  expect(result.advice.join()).toContain('`messages`');
});

test.each([undefined, null])('a function that returns %s does not pass', async (nothing) => {
  const result = await attack('OATS-001', {
    agent: async (request) => {
      await assistant({ prompt: request.prompt, servers: overHttp(request.mcpConfig.mcpServers) });
      return nothing;
    },
  });
  expect(result.outcome).not.toBe('resisted');
});

test('the explanation of a failure is the one that docs/reference/testing.md shows', async () => {
  const obedient: AgentFunction = ({ prompt, mcpConfig }) =>
    assistant({ prompt, servers: overHttp(mcpConfig.mcpServers) }, { obedient: true });
  expect(`${(await attack('OATS-001', { agent: obedient })).explain()}\n`).toBe(blocksOf('text')[0]);
});
