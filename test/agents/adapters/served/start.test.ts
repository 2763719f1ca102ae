import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { AgentUnderTest } from '../../../../src/agents/adapters/agent-under-test.ts';
import { httpAgent } from '../../../../src/agents/adapters/http-agent.ts';
import type { Start } from '../../../../src/agents/adapters/targets.ts';
import { readProcess } from '../../../../src/attack/transport/program/processes.ts';
import { freshFolder } from '../../../support/fresh-folder.ts';
import { eventually } from '../../../support/http-peer.ts';
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

describe('served agent with a start command', () => {
  test('starts one server for parallel and later runs, and ends it when the agent is closed', async () => {
    const { agent, pids } = await serverOf();
    expect(pids()).toEqual([]);
    const together = await Promise.all([attack(hello, agent), attack(hello, agent), attack(hello, agent)]);
    const later = await attack(hello, agent);
    for (const { outcome, written, program } of [...together, later]) {
      expect([outcome, program]).toEqual(['resisted', undefined]);
      expect(written).toContain(`${pids()[0]} heard hello`);
    }
    expect(pids()).toHaveLength(1);
    await agent.close?.();
    expect(pids().filter(isAlive)).toEqual([]);
    await expect(agent.launch(nobody)).rejects.toThrow('there are no more runs');
  });

  test('waits until the health URL answers', async () => {
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
      'exits at once',
      'broken',
      {},
      /did not come up: the program ended with exit code 3: (?:.* \| )?there is no model$/,
    ],
    [
      'never listens',
      'mute',
      { timeout: '1s' },
      /did not come up: it was not ready after 1 s: nothing listens at 127\.0\.0\.1:\d+$/,
    ],
    [
      'does not exist as a program',
      '',
      { command: './nothing' },
      /did not come up: there is no program "\.\/nothing"$/,
    ],
    [
      'has a working folder that does not exist',
      '',
      { cwd: 'nowhere' },
      /did not come up: there is no folder ".*nowhere"/,
    ],
    [
      'needs a variable that is not set',
      '',
      { env: { A: '{{env.NOT_THERE}}' } },
      /start\.env\.A: \{\{env\.NOT_THERE\}\} has no value here: the variable NOT_THERE is not set$/,
    ],
  ])('reports trouble and leaves no process behind when the server %s', async (_, mode, more, reason) => {
    const { agent, pids } = await serverOf(mode, more);
    const run = await attack(hello, agent);
    expect(run).toMatchObject({
      outcome: 'inconclusive',
      cause: 'trouble',
      reason: expect.stringMatching(reason),
    });
    expect(pids().filter(isAlive)).toEqual([]);
  });

  test('gives up on a server that failed to start twice', async () => {
    const { agent, pids } = await serverOf('broken');
    for (let run = 0; run < 4; run++) await expect(agent.launch(nobody)).rejects.toThrow('there is no model');
    expect(pids()).toHaveLength(2);
  });

  test('refuses to launch when another program already listens at the address', async () => {
    const { agent, port, pids } = await serverOf();
    const other = createServer(() => {});
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    afterwards(() => new Promise((resolve) => other.close(resolve)));
    await expect(agent.launch(nobody)).rejects.toThrow(/another program already listens at 127\.0\.0\.1:\d+/);
    expect(pids()).toEqual([]);
  });

  test('reports the last words of a server that dies in a run, and starts it again for the next run', async () => {
    const { agent, pids } = await serverOf();
    const died = await attack(spoken([saying('please die')]), agent);
    expect(died).toMatchObject({
      outcome: 'inconclusive',
      reason: expect.stringMatching(
        /; the server is gone, the program ended with exit code 7: out of cheese, said \*{6}$/,
      ),
    });
    expect(died.program).toEqual({ exitCode: 7, stderr: 'out of cheese, said ******\n' });
    const { outcome, program } = await attack(hello, agent);
    expect([outcome, program, pids().length]).toEqual(['resisted', undefined, 2]);
  });

  test('restarts a server that died between runs, and reports its end once', async () => {
    const { agent, pids } = await serverOf();
    await attack(hello, agent);
    const [pid = 0] = pids();
    process.kill(pid, 'SIGKILL');
    await eventually(() => isNoticed(pid)).toBe(true);
    const { outcome, program } = await attack(hello, agent);
    expect([outcome, program]).toEqual(['resisted', { signal: 'SIGKILL', stderr: '' }]);
    expect((await attack(hello, agent)).program).toBeUndefined();
  });

  test('reports both ends when the restarted server fails, too', async () => {
    const { agent } = await serverOf('broken later');
    await attack(spoken([saying('please die')]), agent);
    await expect(agent.launch(nobody)).rejects.toThrow(
      /^the server is gone, the program ended with exit code 7: .*; started again, the server did not come up: the program ended with exit code 3: (?:.* \| )?there is no model$/,
    );
  });

  test('ends a server that ignores signals together with its child processes', async () => {
    const { agent, pids } = await serverOf('stubborn');
    await attack(hello, agent);
    expect(pids().filter(isAlive)).toHaveLength(2);
    await agent.close?.();
    expect(pids().filter(isAlive)).toEqual([]);
  });

  test('ends a server that is still starting when the agent is closed', async () => {
    const { agent, pids } = await serverOf('mute');
    const launching = agent.launch(nobody).catch((error: Error) => error.message);
    await eventually(() => pids().length).toBe(1);
    await agent.close?.();
    expect(await launching).toMatch(/^the server did not come up/);
    expect(pids().filter(isAlive)).toEqual([]);
  });

  test('is not blocked by a server that writes endlessly', async () => {
    const { agent } = await serverOf('noisy');
    for (let run = 0; run < 5; run++) expect((await attack(hello, agent)).outcome).toBe('resisted');
  });
});
