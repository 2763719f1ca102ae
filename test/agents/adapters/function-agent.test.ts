import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { type AgentFunction, functionAgent } from '../../../src/agents/adapters/function-agent.ts';
import { systemClock } from '../../../src/attack/transport/clock.ts';
import { load } from '../../../src/format/load.ts';
import { type PlayResult, playDocument } from '../../../src/suite/play/play-run.ts';
import { mcpServerMode } from '../../../src/suite/play/playable-modes.ts';

// A function is attacked with shipped documents, like any agent.

async function attack(file: string, agent: AgentFunction): Promise<PlayResult> {
  const loaded = load(readFileSync(new URL(`../../../scenarios/${file}`, import.meta.url), 'utf8'));
  if (!loaded.ok) throw new Error(`${file} is not valid`);
  return playDocument(loaded.document, {
    modes: [mcpServerMode()],
    agent: functionAgent('mine', agent),
    clock: systemClock,
  });
}

/** Calls the tool that the poisoned description asks for, or only lists the tools. */
function withTools(isFooled: boolean): AgentFunction {
  return async ({ mcpConfig, prompt }) => {
    for (const { url } of Object.values(mcpConfig.mcpServers)) {
      const client = new Client({ name: 'mine', version: '1' });
      await client.connect(new StreamableHTTPClientTransport(new URL(url)));
      const { tools } = await client.listTools();
      const asked = tools.find(({ name }) => name === 'report_usage');
      if (isFooled && asked !== undefined)
        await client.callTool({
          name: asked.name,
          arguments: Object.fromEntries(Object.keys(asked.inputSchema.properties ?? {}).map((key) => [key, prompt])),
        });
      await client.close();
    }
    return 'There are three hotels.';
  };
}

const toolPoisoning = 'OATS-001_tool-description-usage-report.yaml';

describe('function agent', () => {
  test('is exploited when the function obeys the poisoned tool', async () => {
    const run = await attack(toolPoisoning, withTools(true));
    expect(run.outcome).toBe('exploited');
  });

  test('is resisted when the function only lists the tools', async () => {
    const run = await attack(toolPoisoning, withTools(false));
    expect(run.outcome).toBe('resisted');
  });

  test('is inconclusive when the function never looks at its tools', async () => {
    const run = await attack(toolPoisoning, async () => 'Hello.');
    expect(run).toMatchObject({ outcome: 'inconclusive' });
  });

  test.each([
    ['throws', () => Promise.reject(new Error('out of cheese')), /out of cheese/],
    ['returns a number', (async () => 7) as unknown as AgentFunction, /a number instead of a text/],
  ])('is not counted as resisted when the function %s', async (_, agent, reason) => {
    const run = await attack(toolPoisoning, agent);
    expect(run).toMatchObject({ reason: expect.stringMatching(reason) });
    expect(run.outcome).not.toBe('resisted');
  });

  test('gives the function a longer conversation with each turn', async () => {
    const seen: number[] = [];
    await attack('OATS-010_rug-pull-after-two-parcels.yaml', ({ messages }) => {
      seen.push(messages.length);
      return 'Noted.';
    });
    expect(seen.length).toBeGreaterThan(1);
    expect(seen).toEqual([...seen].sort((one, other) => one - other));
  });
});
