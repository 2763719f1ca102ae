import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { AgentUnderTest } from '../../../src/agent/agent.ts';
import { httpAgent } from '../../../src/agent/http-agent.ts';
import type { Start } from '../../../src/agent/targets.ts';
import { readProcess } from '../../../src/transport/program/processes.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { eventually } from '../../support/http-peer.ts';
import { afterwards, attack, freePort, nobody, saying, spoken } from './support.ts';

// Servers that are started for the runs, with programs that misbehave.

const fixture = fileURLToPath(new URL('fixtures/server.mjs', import.meta.url));
const hello = spoken([saying('hello')]);
const environment = { TOKEN: 'planted-token-2718' };

interface Started {
  readonly agent: AgentUnderTest;
  readonly port: number;
  /** The ids of all processes that ever ran. */
  pids(): readonly number[];
}

async function serverOf(mode = '', more: Partial<Start> = {}): Promise<Started> {
  const port = await freePort();
  const folder = freshFolder();
  const file = join(folder, 'pids');
  const env = { PORT: String(port), PIDS: file, MODE: mode, TOKEN: '{{env.TOKEN}}' };
  const agent = httpAgent(
    'mine',
    {
      http: `http://127.0.0.1:${port}/ask`,
      answer: '$.answer',
      start: { command: [process.execPath, fixture], env, ...more },
    },
    { environment, folder },
  );
  afterwards(() => agent.close?.() ?? Promise.resolve());
  const pids = (): readonly number[] => {
    try {
      return readFileSync(file, 'utf8').trim().split('\n').map(Number);
    } catch {
      return [];
    }
  };
  return { agent, port, pids };
}

/** A process that has ended and waits for its parent is not alive. */
const isAlive = (pid: number): boolean => readProcess(pid) !== undefined;

/** Whether this process has noticed its end. Until then, its remaining threads may still hold its port. */
function isNoticed(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

describe('a server that is started', () => {
  test('is there for the first run, shared by those at the same time, kept for the next, and ended at the end', async () => {
    const { agent, pids } = await serverOf();
    expect(pids()).toEqual([]);
    const together = await Promise.all([attack(hello, agent), attack(hello, agent), attack(hello, agent)]);
    const later = await attack(hello, agent);
    for (const { outcome, written, program } of [...together, later]) {
      expect([outcome, program]).toEqual([{ outcome: 'resisted' }, undefined]);
      expect(written).toContain(`${pids()[0]} heard hello`);
    }
    expect(pids()).toHaveLength(1);
    await agent.close?.();
    expect(pids().filter(isAlive)).toEqual([]);
    await expect(agent.launch(nobody)).rejects.toThrow('there are no more runs');
  });

  test('is waited for until it says that it is well', async () => {
    const port = await freePort();
    const health = `http://127.0.0.1:${port}/health`;
    const { agent } = await serverOf('slow', {
      health,
      env: { PORT: String(port), PIDS: join(freshFolder(), 'pids'), MODE: 'slow' },
    });
    // The port differs from the target's, so that only the answer of /health can have shown that the server is ready.
    await agent.launch(nobody);
    expect((await fetch(health)).status).toBe(204);
  });

  test.each([
    [
      'that ends at once',
      'broken',
      {},
      /did not come up: the program ended with exit code 3: there is no model$/,
    ],
    [
      'that listens nowhere',
      'mute',
      { timeout: '1s' },
      /did not come up: it was not ready after 1 s: nothing listens at 127\.0\.0\.1:\d+$/,
    ],
    [
      'that is no program',
      '',
      { command: './nothing' },
      /did not come up: there is no program "\.\/nothing"$/,
    ],
    ['that has no folder', '', { cwd: 'nowhere' }, /did not come up: there is no folder ".*nowhere"/],
    [
      'that lacks a variable',
      '',
      { env: { A: '{{env.NOT_THERE}}' } },
      /start\.env\.A: \{\{env\.NOT_THERE\}\} has no value here: the variable NOT_THERE is not set$/,
    ],
  ])('%s is reported as such, and no process is left behind', async (_, mode, more, reason) => {
    const { agent, pids } = await serverOf(mode, more);
    const { outcome } = await attack(hello, agent);
    expect(outcome).toMatchObject({
      outcome: 'inconclusive',
      cause: 'trouble',
      reason: expect.stringMatching(reason),
    });
    expect(pids().filter(isAlive)).toEqual([]);
  });

  test('that never comes up is tried twice, not once for each run', async () => {
    const { agent, pids } = await serverOf('broken');
    for (let run = 0; run < 4; run++) await expect(agent.launch(nobody)).rejects.toThrow('there is no model');
    expect(pids()).toHaveLength(2);
  });

  test('that is in the way of another is not attacked in its place', async () => {
    const { agent, port, pids } = await serverOf();
    const other = createServer(() => {});
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    afterwards(() => new Promise((resolve) => other.close(resolve)));
    await expect(agent.launch(nobody)).rejects.toThrow(/another program already listens at 127\.0\.0\.1:\d+/);
    expect(pids()).toEqual([]);
  });

  test('that dies in a run is reported with its last words, and started again for the next run', async () => {
    const { agent, pids } = await serverOf();
    const died = await attack(spoken([saying('please die')]), agent);
    expect(died.outcome).toMatchObject({
      outcome: 'inconclusive',
      reason: expect.stringMatching(
        /; the server is gone, the program ended with exit code 7: out of cheese, said \*{6}$/,
      ),
    });
    expect(died.program).toEqual({ exitCode: 7, stderr: 'out of cheese, said ******\n' });
    const { outcome, program } = await attack(hello, agent);
    expect([outcome, program, pids().length]).toEqual([{ outcome: 'resisted' }, undefined, 2]);
  });

  test('that dies between runs is started again, and the next run says so', async () => {
    const { agent, pids } = await serverOf();
    await attack(hello, agent);
    const [pid = 0] = pids();
    process.kill(pid, 'SIGKILL');
    await eventually(() => isNoticed(pid)).toBe(true);
    const { outcome, program } = await attack(hello, agent);
    expect([outcome, program]).toEqual([{ outcome: 'resisted' }, { signal: 'SIGKILL', stderr: '' }]);
    expect((await attack(hello, agent)).program).toBeUndefined();
  });

  test('that cannot be started again is reported with both of its ends', async () => {
    const { agent } = await serverOf('broken later');
    await attack(spoken([saying('please die')]), agent);
    await expect(agent.launch(nobody)).rejects.toThrow(
      /^the server is gone, the program ended with exit code 7: .*; started again, the server did not come up: the program ended with exit code 3: there is no model$/,
    );
  });

  test('that ignores signals and starts others is ended with all of them', async () => {
    const { agent, pids } = await serverOf('stubborn');
    await attack(hello, agent);
    expect(pids().filter(isAlive)).toHaveLength(2);
    await agent.close?.();
    expect(pids().filter(isAlive)).toEqual([]);
  });

  test('is ended while it starts if the run was cancelled', async () => {
    const { agent, pids } = await serverOf('mute');
    const launching = agent.launch(nobody).catch((error: Error) => error.message);
    await eventually(() => pids().length).toBe(1);
    await agent.close?.();
    expect(await launching).toMatch(/^the server did not come up/);
    expect(pids().filter(isAlive)).toEqual([]);
  });

  test('that writes without end does not hold anything up', async () => {
    const { agent } = await serverOf('noisy');
    for (let run = 0; run < 5; run++)
      expect((await attack(hello, agent)).outcome).toEqual({ outcome: 'resisted' });
  });
});
