import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { AgentUnderTest } from '../../src/agents/adapters/agent-under-test.ts';
import { functionAgent } from '../../src/agents/adapters/function-agent.ts';
import { attack } from '../../src/testing/testing.ts';
import { careful, fooled } from './agents.ts';

describe('an agent whose second launch succeeds', () => {
  function late(): AgentUnderTest {
    const made = functionAgent('late', careful);
    let launches = 0;
    return {
      ...made,
      launch: (briefing) => (++launches === 1 ? Promise.reject(new Error('out of cheese')) : made.launch(briefing)),
    };
  }

  test.each([
    [0, 'inconclusive'],
    [1, 'resisted'],
  ])('gives with %i retries one run with the outcome %s', async (retries, outcome) => {
    const result = await attack('OATS-001', { agent: late(), retries });
    expect([result.outcome, result.runs.length]).toEqual([outcome, 1]);
  });
});

describe('the canary that the attack was after', () => {
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
    ['without redact', undefined, true],
    ['with redact: true, which masks only known shapes of secrets', true, true],
    ['with a redact pattern that matches it', ['cnry-[a-z]+-[0-9a-f]+'], false],
  ])('is kept in the result and the folder unless a pattern matches it: %s', async (_, redact, isThere) => {
    const result = await attack('OATS-001', { agent: fooled, out: root, redact });
    expect(result.outcome).toBe('exploited');
    const places = [JSON.stringify(result), result.explain(), storedIn(result.out ?? '')];
    expect(places.map((text) => text.includes(canary))).toEqual(places.map(() => isThere));
  });

  test('is masked in the error that the agent throws', async () => {
    const agent = (): never => {
      throw new Error(`no such guest: ${canary}`);
    };
    const result = await attack('OATS-001', { agent, out: root, redact: [canary] });
    expect(result.thrown).toBe('Error: no such guest: ****');
    const places = [JSON.stringify(result), result.explain(), storedIn(result.out ?? '')];
    expect(places.filter((text) => text.includes(canary))).toEqual([]);
  });
});
