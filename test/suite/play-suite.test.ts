import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { load } from '../../src/index.ts';
import {
  type AgentUnderTest,
  builtInAgent,
  createFolderSink,
  createRedactor,
  functionAgent,
  KnownSecrets,
  mcpServerMode,
  openLibrary,
  type PlayableDocument,
  planSuite,
  playSuite,
  type Redactor,
  type Suite,
  type SuiteEnd,
} from '../../src/runtime.ts';
import { textOf } from './plan/planned.ts';

// A whole suite from code, only through the public names.

const root = mkdtempSync(join(tmpdir(), 'oatf-play-suite-'));
let folders = 0;
afterAll(() => rmSync(root, { recursive: true, force: true }));
const freshPath = (): string => join(root, String(++folders));

function playable(file: string, text: string): PlayableDocument {
  const loaded = load(text);
  if (!loaded.ok) throw new Error(loaded.errors.map(({ message }) => message).join('; '));
  return { ...loaded, file, text };
}

function shipped(...ids: readonly string[]): readonly PlayableDocument[] {
  const library = openLibrary();
  if (!library.ok) throw new Error(library.reason);
  return library.documents
    .filter(({ id }) => ids.includes(id))
    .map(({ id, path }) => playable(id, readFileSync(path, 'utf8')));
}

const small = ['A-001', 'B-001', 'C-001'].map((id) => playable(`${id}.yaml`, textOf(id)));
const polite = functionAgent('polite', () => 'No.');

function play(agents: readonly AgentUnderTest[], more: Partial<Suite> = {}): Promise<SuiteEnd> {
  const { documents = small } = more;
  const entries = agents.length === 0 ? [{ name: 'external', kind: 'external' }] : agents;
  return playSuite({ plan: planSuite({ documents, agents: entries }), documents, agents, ...more });
}

function textsIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

describe('a run of playSuite that only waits whether its agent does anything more', () => {
  /** It cannot be known whether this agent is done. */
  function unsettled(isTold: boolean): AgentUnderTest {
    return {
      ...polite,
      isTold,
      async launch(briefing) {
        const { isSettled: _, ...running } = await polite.launch(briefing);
        return running;
      },
    };
  }

  test.each([
    ['lets the next run begin', true, ['A', 'B', 'C', 'done']],
    ['keeps its place if the agent was started by others', false, ['A', 'B', 'done', 'C']],
  ])('%s', async (_, isTold, first) => {
    const events: string[] = [];
    await play([unsettled(isTold)], {
      pace: { concurrency: 2 },
      settings: { limits: { graceMs: 400 } },
      watch: () => ({
        begin(task) {
          events.push(task.attack.document.key.slice(0, 1));
          return {};
        },
        finished() {
          events.push('done');
        },
      }),
    });
    expect(events.slice(0, 4)).toEqual(first);
  });
});

describe('playSuite with documents of the library and built-in agents', () => {
  const documents = shipped('OATS-001', 'OATS-002');
  const agents = [builtInAgent('gullible'), builtInAgent('guarded')];
  const plan = planSuite({ documents, agents, repeat: 2 });

  test('gives results in memory without a folder', async () => {
    const { results, stopped } = await playSuite({ plan, documents, agents, pace: { concurrency: 2 } });
    expect(stopped).toBeUndefined();
    expect(
      results?.statistics.attacks.map(({ document, agent, status, runs }) => [document, agent, status, runs]),
    ).toEqual([
      ['OATS-001', 'gullible', 'exploited', 2],
      ['OATS-001', 'guarded', 'resisted', 2],
      ['OATS-002', 'gullible', 'exploited', 2],
      ['OATS-002', 'guarded', 'resisted', 2],
    ]);
  });

  test('stores results and traces in a folder', async () => {
    const path = freshPath();
    const { results } = await playSuite({ plan, documents, agents, sink: createFolderSink(path) });
    expect(JSON.parse(readFileSync(join(path, 'results.json'), 'utf8'))).toEqual(results);
    expect(results?.runs.map(({ trace }) => existsSync(join(path, trace)))).toEqual(Array(8).fill(true));
  });

  test('is shown in docs/guides/suites.md by an example that runs and prints what the page says', () => {
    const file = fileURLToPath(new URL('../../examples/suite.mjs', import.meta.url));
    const page = readFileSync(new URL('../../docs/guides/suites.md', import.meta.url), 'utf8');
    expect(page).toContain(`\`\`\`js\n${readFileSync(file, 'utf8')}\`\`\`\n`);
    const [, printed] = /^```text\n(OATS-001 .*?)^```$/ms.exec(page) ?? [];
    expect(execFileSync(process.execPath, [file], { encoding: 'utf8' })).toBe(printed);
  });
});

describe('a redactor in playSuite', () => {
  const secret = 'planted-8128';
  const given = new KnownSecrets();
  given.add(secret);
  const real = createRedactor({ given });
  const redactor: Redactor = { ...real, entry: (entry) => real.entry({ ...entry, reason: secret }) };
  const agents = [functionAgent('telling', () => `No, ${secret}.`)];

  test('removes secrets from runs and traces before they are stored or shown', async () => {
    const path = freshPath();
    const reported: string[] = [];
    await play(agents, {
      sink: createFolderSink(path),
      redactor,
      watch: () => ({ finished: (_, { entry }) => void reported.push(entry.reason ?? '') }),
    });
    const stored = readFileSync(join(path, 'runs.jsonl'), 'utf8').trim().split('\n');
    expect(reported).toEqual(stored.map((line) => JSON.parse(line).reason));
    expect(readdirSync(join(path, 'traces')).length).toBe(3);
    expect([...reported, textsIn(path)].filter((text) => text.includes(secret))).toEqual([]);
  });

  test('that fails removes the trace, and the observer is told why', async () => {
    const path = freshPath();
    const reported: string[] = [];
    const line = (): never => {
      throw new Error('out of ink');
    };
    const failing = { ...redactor, line };
    const { results } = await play(agents, {
      sink: createFolderSink(path),
      redactor: failing,
      watch: () => ({ traceRemoved: (_, reason) => void reported.push(reason) }),
    });
    expect([reported, results?.runs.length]).toEqual([Array(3).fill('out of ink'), 3]);
    expect(readdirSync(join(path, 'traces'))).toEqual([]);
  });

  test('is needed, for without one secrets are stored', async () => {
    const path = freshPath();
    await play(agents, { sink: createFolderSink(path) });
    expect(textsIn(join(path, 'traces'))).toContain(`No, ${secret}.`);
  });
});

describe('a signal in playSuite', () => {
  test('ends the running run as inconclusive, and begins no other', async () => {
    const over = new AbortController();
    const stuck = functionAgent('stuck', () => {
      over.abort(new Error('enough'));
      return new Promise<string>(() => {});
    });
    const { results, stopped } = await play([stuck], { pace: { signal: over.signal } });
    expect(stopped).toBe('interrupted');
    expect(results?.runs).toMatchObject([
      { outcome: 'inconclusive', reason: 'the attack was cancelled: enough', end: 'stopped' },
    ]);
    expect(results?.not_run?.map(({ document }) => document)).toEqual(['B-001', 'C-001']);
  });

  test('before the first run leaves neither results nor a folder', async () => {
    const path = freshPath();
    const end = await play([polite], { sink: createFolderSink(path), pace: { signal: AbortSignal.abort() } });
    expect([end, existsSync(path)]).toEqual([{ stopped: 'interrupted' }, false]);
  });

  test('cuts off a run that waits for a client, which is still judged', async () => {
    const over = new AbortController();
    const { results } = await play([], {
      pace: { signal: over.signal },
      watch: () => ({ begin: () => ({ ready: () => over.abort() }) }),
    });
    expect(results?.runs).toMatchObject([
      { agent: 'external', outcome: 'inconclusive', cause: 'cut_off', end: 'stopped' },
    ]);
  });

  test('of one run ends that run only', async () => {
    const { results, stopped } = await play([], {
      watch: () => ({
        begin: () => {
          const own = new AbortController();
          return { signal: own.signal, ready: () => own.abort() };
        },
      }),
    });
    expect([results?.runs.map(({ end }) => end), stopped]).toEqual([Array(3).fill('stopped'), undefined]);
  });
});

describe('servers in playSuite that cannot be opened', () => {
  async function withPortTaken<T>(use: (port: number) => Promise<T>): Promise<T> {
    const server = createServer();
    const port = await new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
    );
    try {
      return await use(port);
    } finally {
      server.close();
    }
  }

  test.each([
    [true, 0, 'unavailable'],
    [false, 3, undefined],
  ])('end the suite only if asked to (%s)', async (endsUnopened, runs, stopped) => {
    const end = await withPortTaken((port) =>
      play([polite], { pace: { endsUnopened }, settings: { modes: [mcpServerMode(() => ({ port }))] } }),
    );
    expect([end.results?.runs.length ?? 0, end.stopped]).toEqual([runs, stopped]);
    expect(end.unavailable ?? end.results?.runs[0]?.reason).toMatch(/EADDRINUSE|in use/);
  });
});
