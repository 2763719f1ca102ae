import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import picocolors from 'picocolors';
import { describe, expect, test } from 'vitest';
import type { AgentUnderTest } from '../../../../src/agents/adapters/agent-under-test.ts';
import { functionAgent } from '../../../../src/agents/adapters/function-agent.ts';
import { httpAgent } from '../../../../src/agents/adapters/http-agent.ts';
import { readProcess } from '../../../../src/attack/transport/program/processes.ts';
import type { Sink } from '../../../../src/cli/io.ts';
import { prepareSuite } from '../../../../src/cli/run/play/prepare-suite.ts';
import type { CommandRunSettings } from '../../../../src/cli/run/play/run-settings.ts';
import { load } from '../../../../src/format/load.ts';
import { playSuite } from '../../../../src/suite/play-suite.ts';
import { createFolderSink } from '../../../../src/suite/store/results-folder.ts';
import { planFor, textOf } from '../../../suite/plan/planned.ts';
import { freshFolder } from '../../../support/fresh-folder.ts';
import { eventually } from '../../../support/http-peer.ts';
import { freePort } from './support.ts';

// At the end of a suite, programs that agents started for all runs are ended.

const ids = ['A-001', 'A-002', 'A-003'];

interface Played {
  readonly folder: string;
  readonly printed: string[];
  readonly ended: Promise<unknown>;
}

function playInBackground(agents: readonly AgentUnderTest[], more: Partial<CommandRunSettings> = {}): Played {
  const folder = join(freshFolder(), 'results');
  const plan = planFor({ ids, agents: agents.map(({ name }) => name) });
  const printed: string[] = [];
  const sink: Sink = {
    isTTY: false,
    columns: 80,
    colours: picocolors.createColors(false),
    write: async (text) => void printed.push(text),
    isOpen: () => true,
  };
  const settings = {
    values: {
      delivery: 'payload',
      projections: true,
      redact: false,
      quiet: false,
      verbose: true,
      showSecrets: true,
    },
    limits: {},
    addresses: () => undefined,
    targets: () => undefined,
    path: folder,
    sink: createFolderSink(folder),
    shown: 'results',
    signal: new AbortController().signal,
    screen: sink,
    notices: sink,
    ...more,
  } as unknown as CommandRunSettings;
  const documents = ids.map((id) => {
    const loaded = load(textOf(id));
    if (!loaded.ok) throw new Error(`${id} is not valid`);
    return { document: loaded.document, file: `${id}.yaml`, text: textOf(id), warnings: [] };
  });
  return {
    folder,
    printed,
    ended: playSuite(prepareSuite({ plan, documents, agents }, settings, { concurrency: 2 })),
  };
}

const closing = (agent: AgentUnderTest, closed: string[]): AgentUnderTest => ({
  ...agent,
  close: async () => void closed.push(agent.name),
});

describe('suite, closing of agents', () => {
  test('closes each agent once after the last run', async () => {
    const closed: string[] = [];
    let running = 0;
    const agent = (name: string) =>
      closing(
        functionAgent(name, () => {
          running += 1;
          expect(closed).toEqual([]);
          return 'No.';
        }),
        closed,
      );
    await playInBackground([agent('one'), agent('two'), functionAgent('three', () => 'No.')]).ended;
    expect([running, closed]).toEqual([6, ['one', 'two']]);
  });

  test('closes the agent when the suite is interrupted', async () => {
    const closed: string[] = [];
    const over = new AbortController();
    const agent = functionAgent('one', () => {
      over.abort();
      return new Promise<string>(() => {});
    });
    await playInBackground([closing(agent, closed)], { signal: over.signal }).ended;
    expect(closed).toEqual(['one']);
  });

  test('closes the agent when the suite fails', async () => {
    const closed: string[] = [];
    const stored = (): never => {
      throw new Error('the disk is full');
    };
    const { ended } = playInBackground(
      [
        closing(
          functionAgent('one', () => 'No.'),
          closed,
        ),
      ],
      { stored },
    );
    await expect(ended).rejects.toThrow('the disk is full');
    expect(closed).toEqual(['one']);
  });
});

describe('suite, a server started by an agent', () => {
  const fixture = fileURLToPath(new URL('fixtures/server.mjs', import.meta.url));
  const token = 'planted-token-8128';

  async function start(mode = ''): Promise<{ agent: AgentUnderTest; pids(): readonly number[] }> {
    const port = await freePort();
    const file = join(freshFolder(), 'pids');
    const agent = httpAgent(
      'mine',
      {
        http: `http://127.0.0.1:${port}/ask`,
        headers: { 'x-api-key': '{{env.TOKEN}}' },
        body: { prompt: '{{prompt}}', token: '{{env.TOKEN}}' },
        start: {
          command: [process.execPath, fixture],
          env: { PORT: String(port), PIDS: file, MODE: mode, TOKEN: '{{env.TOKEN}}' },
        },
        prompt: 'please die',
      },
      { environment: { TOKEN: token }, folder: '.' },
    );
    return {
      agent,
      pids: () => {
        try {
          return readFileSync(file, 'utf8').trim().split('\n').map(Number);
        } catch {
          return [];
        }
      },
    };
  }

  const isAlive = (pid: number): boolean => readProcess(pid) !== undefined;

  const textsIn = (folder: string): string =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .join('\n');

  test('ends the server that died in every run, and writes its secrets to no file', async () => {
    const { agent, pids } = await start();
    const { folder, printed, ended } = playInBackground([agent]);
    await ended;
    expect(pids().length).toBeGreaterThan(1);
    expect(pids().filter(isAlive)).toEqual([]);
    const written = textsIn(folder) + printed.join('');
    expect(written).toContain('out of cheese, said ******');
    expect(written).not.toContain(token);
  });

  test('ends the server that is still starting when the suite is interrupted', async () => {
    const { agent, pids } = await start('mute');
    const over = new AbortController();
    const { ended } = playInBackground([agent], { signal: over.signal });
    await eventually(() => pids().length).toBe(1);
    over.abort();
    await ended;
    expect(pids().filter(isAlive)).toEqual([]);
  });
});
