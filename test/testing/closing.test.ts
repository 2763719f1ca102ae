import { describe, expect, test } from 'vitest';
import type { AgentUnderTest, Briefing } from '../../src/agents/adapters/agent-under-test.ts';
import { functionAgent } from '../../src/agents/adapters/function-agent.ts';
import { attack, attackAll } from '../../src/testing/testing.ts';
import { careful, connecting, inMemory } from './agents.ts';

// An agent that was started for all runs of a call is ended when the call is over, however it ends.

interface Watched {
  readonly agent: AgentUnderTest;
  readonly seen: string[];
}

function watched(more: Partial<AgentUnderTest> = {}): Watched {
  const seen: string[] = [];
  const made = functionAgent('mine', careful);
  const agent = {
    ...made,
    launch(briefing: Briefing) {
      seen.push('launch');
      return made.launch(briefing);
    },
    async close() {
      seen.push('close');
    },
    ...more,
  };
  return { agent, seen };
}

test('an agent is closed once, after the last run', async () => {
  const { agent, seen } = watched();
  await attackAll(['OATS-001', 'OATS-002'], { agent, repeat: 2 });
  expect(seen).toEqual(['launch', 'launch', 'launch', 'launch', 'close']);
});

test('an agent is closed even if it cannot be launched', async () => {
  const { agent, seen } = watched({ launch: () => Promise.reject(new Error('out of cheese')) });
  await attack('OATS-001', { agent });
  expect(seen).toEqual(['close']);
});

test('an agent is closed even if nothing can be stored', async () => {
  const { agent, seen } = watched();
  await expect(attack('OATS-001', { agent, out: 'package.json' })).rejects.toThrow(/^out: /);
  expect(seen).toEqual(['close']);
});

describe('an agent in memory', () => {
  const connect = connecting['2.x'] ?? expect.fail();

  test('is launched one at a time and closed, like any other agent', async () => {
    let together = 0;
    let most = 0;
    const { agent, seen } = watched({ isOneAtATime: true });
    const made = functionAgent('mine', (request) => inMemory(connect)(request as never));
    const counting: AgentUnderTest = {
      ...agent,
      async launch(briefing) {
        most = Math.max(most, ++together);
        const running = await made.launch(briefing);
        return {
          ...running,
          stop: async () => {
            together -= 1;
            await running.stop();
          },
        };
      },
    };
    const all = await attackAll(['OATS-001', 'OATS-002', 'OATS-003'], {
      agent: counting,
      transport: 'memory',
      concurrency: 3,
    });
    expect(all.results.length).toBe(3);
    expect([most, seen]).toEqual([1, ['close']]);
  });

  test('may be a class with private fields', async () => {
    class Mine implements AgentUnderTest {
      readonly name = 'mine';
      readonly kind = 'own';
      readonly speaks = ['ag_ui'] as const;
      readonly isTold = true;
      #isClosed = false;
      launch(briefing: Briefing) {
        return functionAgent('mine', (request) => inMemory(connect)(request as never)).launch(briefing);
      }
      async close() {
        this.#isClosed = true;
      }
      get isClosed() {
        return this.#isClosed;
      }
    }
    const agent = new Mine();
    expect(await attack('OATS-001', { agent, transport: 'memory' })).toResist();
    expect(agent.isClosed).toBe(true);
  });
});

describe('the conversation of an agent', () => {
  test.each([
    [true, 3],
    [false, 1],
  ])('is one per repeat only if the agent remembers (%s)', async (remembers, count) => {
    const threads = new Set<unknown>();
    const agent = {
      ...functionAgent('mine', (request) => {
        threads.add(request.input.threadId);
        return careful(request);
      }),
      remembers,
    };
    await attack('OATS-001', { agent, repeat: 3 });
    expect(threads.size).toBe(count);
  });
});
