import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { assistant, overHttp } from '../../examples/testing/vitest/src/assistant.ts';
import { type AgentFunction, attack } from '../../src/testing/testing.ts';

// What the documentation shows is what runs.

const page = readFileSync(new URL('../../docs/testing.md', import.meta.url), 'utf8');
const folder = fileURLToPath(new URL('../../examples/testing/vitest/test/', import.meta.url));
const sources = readdirSync(folder).map((name) => readFileSync(`${folder}${name}`, 'utf8'));

function blocksOf(language: string): readonly string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, block = '']) => block,
  );
}

test.each(blocksOf('ts').map((block) => [block.split('\n', 1)[0], block]))(
  '%s… stands in an example',
  (_, block) => {
    // Imports and tests may stand apart there.
    for (const part of block.split('\n\n'))
      expect(sources.some((source) => source.includes(part.trimEnd()))).toBe(true);
  },
);

test('the failure is as it is shown', async () => {
  const obedient: AgentFunction = ({ prompt, mcpConfig }) =>
    assistant({ prompt, servers: overHttp(mcpConfig.mcpServers) }, { obedient: true });
  expect(`${(await attack('OATS-001', { agent: obedient })).explain()}\n`).toBe(blocksOf('text')[0]);
});
