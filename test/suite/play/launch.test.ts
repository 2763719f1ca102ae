import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import type { AgentUnderTest, RunningAgent } from '../../../src/agents/adapters/agent-under-test.ts';
import { launchAgent } from '../../../src/suite/play/launch.ts';
import { VirtualClock } from '../../support/virtual-run.ts';

const briefing = { mcpConfig: { mcpServers: {} }, a2aCards: [], endpoints: {} };

/** An agent that comes up when the test says so. */
function slowAgent() {
  let stopped = 0;
  let arrive = (_: RunningAgent): void => {};
  const running: RunningAgent = {
    addresses: {},
    stop: async () => {
      stopped += 1;
    },
  };
  const agent = {
    name: 'slow',
    kind: 'test',
    speaks: ['ag_ui'],
    isTold: true,
    launch: () =>
      new Promise<RunningAgent>((resolve) => {
        arrive = resolve;
      }),
  } satisfies AgentUnderTest;
  return { agent, running, arrive: () => arrive(running), stopped: () => stopped };
}

test('launchAgent gives an agent that is ready in time, and does not stop it', async () => {
  const { agent, running, arrive, stopped } = slowAgent();
  const clock = new VirtualClock();
  const { signal } = new AbortController();
  const launched = launchAgent(agent, briefing, { clock, withinMs: 1_000, signal });
  arrive();
  expect([await launched, stopped()]).toEqual([running, 0]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  clock.advance(1_000);
  expect(stopped()).toBe(0);
});

test('launchAgent gives up an agent that is late, and stops it when it is ready', async () => {
  const { agent, arrive, stopped } = slowAgent();
  const clock = new VirtualClock();
  const launched = launchAgent(agent, briefing, { clock, withinMs: 1_000, signal: undefined });
  clock.advance(1_000);
  await expect(launched).rejects.toThrow('it was not ready after 1 s');
  arrive();
  await Promise.resolve();
  await Promise.resolve();
  expect(stopped()).toBe(1);
});

test('launchAgent launches no agent after an interruption', async () => {
  const { agent } = slowAgent();
  const launch = () => Promise.reject(new Error('it was launched'));
  const bounds = { clock: new VirtualClock(), withinMs: 1_000, signal: AbortSignal.abort() };
  expect(await launchAgent({ ...agent, launch }, briefing, bounds)).toBeUndefined();
});

test('launchAgent stops waiting for an agent at an interruption', async () => {
  const { agent } = slowAgent();
  const interruption = new AbortController();
  const launched = launchAgent(agent, briefing, {
    clock: new VirtualClock(),
    withinMs: 1_000,
    signal: interruption.signal,
  });
  interruption.abort();
  expect(await launched).toBeUndefined();
});
