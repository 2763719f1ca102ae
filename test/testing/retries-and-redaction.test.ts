import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { AgentUnderTest } from '../../src/agent/agent.ts';
import { functionAgent } from '../../src/agent/function-agent.ts';
import { attack } from '../../src/testing/testing.ts';
import { careful, fooled } from './agents.ts';

describe('an agent that comes up at its second try', () => {
  function late(): AgentUnderTest {
    const made = functionAgent('late', careful);
    let launches = 0;
    return {
      ...made,
      launch: (briefing) =>
        ++launches === 1 ? Promise.reject(new Error('out of cheese')) : made.launch(briefing),
    };
  }

  test.each([
    [0, 'inconclusive'],
    [1, 'resisted'],
  ])('with %i retries is a run with the outcome %s', async (retries, outcome) => {
    const result = await attack('OATS-001', { agent: late(), retries });
    expect([result.outcome, result.runs.length]).toEqual([outcome, 1]);
  });
});

describe('the secret that the attack was after', () => {
  const root = mkdtempSync(join(tmpdir(), 'oatf-redact-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const canary = 'cnry-guest-7f3a91';

  /** Everything that is kept of the runs; documents are stored unchanged. */
  function storedIn(out: string): string {
    const traces = readdirSync(join(out, 'traces')).map((name) => join(out, 'traces', name));
    return [...traces, join(out, 'runs.jsonl'), join(out, 'results.json')]
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n');
  }

  test.each([
    ['as it was', undefined, true],
    ['where only shapes are taken out', true, true],
    ['not where a pattern matches it', ['cnry-[a-z]+-[0-9a-f]+'], false],
  ])('is in the result and in the folder %s', async (_, redact, isThere) => {
    const result = await attack('OATS-001', { agent: fooled, out: root, redact });
    expect(result.outcome).toBe('exploited');
    const places = [JSON.stringify(result), result.explain(), storedIn(result.out ?? '')];
    expect(places.map((text) => text.includes(canary))).toEqual(places.map(() => isThere));
  });

  test('is not in what the agent has thrown', async () => {
    const agent = (): never => {
      throw new Error(`no such guest: ${canary}`);
    };
    const result = await attack('OATS-001', { agent, out: root, redact: [canary] });
    expect(result.thrown).toBe('Error: no such guest: ****');
    const places = [JSON.stringify(result), result.explain(), storedIn(result.out ?? '')];
    expect(places.filter((text) => text.includes(canary))).toEqual([]);
  });
});
