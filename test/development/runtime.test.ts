import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { load, type Value } from '../../src/index.ts';
import type { Answer, BindingViews, Incoming, PlayableMode, ServerBinding, Transport } from '../../src/protocol.ts';
import * as protocol from '../../src/protocol.ts';
import * as runtime from '../../src/runtime.ts';
import { type PlayResult, playDocument, systemClock } from '../../src/runtime.ts';
import { publicNames } from './public-types/public-names-of.ts';

// A binding and a transport as another author would write them: only the names of `oatf`, `oatf/runtime` and
// `oatf/protocol` are used.

/** The menu is the content to deliver; the agent shows life by eating. */
const toyViews: BindingViews = {
  protocol: 'toy',
  pieces: () => [{ at: '/menu', kind: 'menu', label: 'the menu' }],
  activity: ({ method }) => (method === 'eat' ? { alive: true, use: true } : {}),
};

const toyServer: ServerBinding = {
  mode: 'toy_server',
  protocol: 'toy',
  views: toyViews,
  isNotification: (method) => method === 'bell',
  plan({ method }, state) {
    const menu = (state as { readonly menu?: Value } | undefined)?.menu ?? [];
    return method === 'menu'
      ? { steps: [], answer: () => ({ kind: 'result', result: { menu } }), pieces: ['/menu'] }
      : {
          steps: [],
          answer: (fill) => ({ kind: 'result', result: fill({ taste: 'like {{request.dish}}' }) }),
        };
  },
};

/** Both ends in one place: `ask` is the agent's side. */
class InMemory implements Transport {
  readonly #waiting = new Map<string, (answer: Answer) => void>();
  readonly bells: string[] = [];
  #receive: (message: Incoming) => void = () => {};
  #sessions = 0;
  #asked = 0;

  async open(receive: (message: Incoming) => void) {
    this.#receive = receive;
    return { url: 'memory:' };
  }

  answer(exchange: string, answer: Answer, sent: () => void): void {
    sent();
    this.#waiting.get(exchange)?.(answer);
  }

  notify(_target: unknown, method: string, _params: unknown, sent: (session: string) => void): void {
    this.bells.push(method);
    sent('table');
  }

  ask(): void {}
  openSessions = (): number => this.#sessions;
  isConnected = (): boolean => this.#sessions > 0;
  async close(): Promise<void> {}

  enter(): void {
    this.#sessions = 1;
    this.#receive({ kind: 'connection', session: 'table', event: 'opened' });
  }

  request(method: string, params?: Value): Promise<Answer> {
    this.#asked += 1;
    const exchange = `x${this.#asked}`;
    return new Promise((resolve) => {
      this.#waiting.set(exchange, resolve);
      this.#receive({ kind: 'request', session: 'table', exchange, method, id: this.#asked, params });
    });
  }

  leave(): void {
    this.#sessions = 0;
    this.#receive({ kind: 'connection', session: 'table', event: 'closed' });
  }
}

const loaded = load(`
oatf: "0.1"
attack:
  execution:
    mode: toy_server
    phases:
      - name: appetizer
        state: { menu: [soup] }
        trigger: { event: eat }
      - name: main
        state: { menu: [fugu] }
        on_enter: [{ send: { method: bell } }]
  indicators:
    - surface: eat
      target: dish
      pattern: { contains: fugu }
`);

async function dine(guest: (table: InMemory) => Promise<void>): Promise<PlayResult & { table: InMemory }> {
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors));
  const table = new InMemory();
  const toyMode: PlayableMode = { binding: toyServer, transport: () => table };
  let visit = Promise.resolve();
  const result = await playDocument(loaded.document, {
    modes: [toyMode],
    clock: systemClock,
    limits: { graceMs: 0 },
    ready() {
      table.enter();
      visit = guest(table).then(() => table.leave());
    },
  });
  await visit;
  return { ...result, table };
}

test('a binding from outside can play an attack that is exploited', async () => {
  const { verdict, delivery, table, ...run } = await dine(async (table) => {
    expect(await table.request('menu')).toEqual({ kind: 'result', result: { menu: ['soup'] } });
    await table.request('eat', { dish: 'soup' });
    expect(await table.request('menu')).toEqual({ kind: 'result', result: { menu: ['fugu'] } });
    expect(await table.request('eat', { dish: 'fugu' })).toEqual({
      kind: 'result',
      result: { taste: 'like fugu' },
    });
  });
  expect(run.outcome).toBe('exploited');
  expect(verdict.indicatorVerdicts[0]?.evidence).toBe('fugu');
  expect(delivery.default).toMatchObject({ engaged: true, phases_seen: ['appetizer', 'main'] });
  expect(table.bells).toEqual(['bell']);
});

test('a binding from outside can play an attack that is resisted', async () => {
  const run = await dine(async (table) => {
    await table.request('menu');
    await table.request('eat', { dish: 'soup' });
    await table.request('menu');
    await table.request('eat', { dish: 'soup' });
  });
  expect(run.outcome).toBe('resisted');
});

test('a binding from outside can name in its own words what was not delivered', async () => {
  const run = await dine(async (table) => {
    await table.request('eat', { dish: 'soup' });
  });
  expect(run).toMatchObject({
    outcome: 'inconclusive',
    cause: 'not_delivered',
    reason: 'the menu was never sent',
  });
});

test('oatf/runtime exports exactly the listed values', () => {
  expect(Object.keys(runtime).sort()).toEqual([
    'KnownSecrets',
    'a2aAgent',
    'a2aClientMode',
    'a2aServerMode',
    'agUiAgent',
    'agUiClientMode',
    'builtInAgent',
    'builtInAgentNames',
    'checkA2aTarget',
    'checkAgUiTarget',
    'checkHttpTarget',
    'createExaminedJudge',
    'createFolderSink',
    'createMemorySink',
    'createRedactor',
    'findDisguised',
    'functionAgent',
    'httpAgent',
    'llmAgent',
    'llmJudge',
    'mcpClientMode',
    'mcpServerMode',
    'openLibrary',
    'planSuite',
    'playDocument',
    'playSuite',
    'readLlmSettings',
    'systemClock',
    'trackDisclosure',
  ]);
});

test('oatf/runtime has at most 70 names, members of namespaces included', () => {
  const entry = 'src/runtime.ts';
  const count = publicNames({ [entry]: [] }).get(entry)?.length;
  expect(count).toBeGreaterThan(50);
  expect(count).toBeLessThanOrEqual(70);
  expect(readFileSync(new URL(`../../${entry}`, import.meta.url), 'utf8')).not.toMatch(/export (type )?\* as /);
});

test('oatf/protocol exports exactly the listed values', () => {
  expect(Object.keys(protocol).sort()).toEqual([
    'a2aClient',
    'a2aServer',
    'agUiClient',
    'createA2aClient',
    'createA2aServer',
    'createAgUiClient',
    'createMcpClient',
    'createMcpServer',
    'mcpClient',
    'mcpServer',
  ]);
});

test('package.json exports files that are built, with the same names as the source', async () => {
  const { exports } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const files = Object.values(exports).flatMap((entry) =>
    typeof entry === 'string' ? [entry] : Object.values(entry as object),
  );
  expect(files.filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url)))).toEqual([]);
  for (const [name, source] of Object.entries({ runtime, protocol })) {
    const built = await import(new URL(`../../dist/${name}.js`, import.meta.url).href);
    expect(Object.keys(built).sort()).toEqual(Object.keys(source).sort());
  }
});
