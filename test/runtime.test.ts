import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { load } from '../src/index.ts';
import * as runtime from '../src/runtime.ts';
import {
  type Answer,
  type BindingViews,
  type Incoming,
  type PlayableMode,
  type PlayResult,
  playDocument,
  type ServerBinding,
  systemClock,
  type Transport,
  type Value,
} from '../src/runtime.ts';

// A binding and a transport as another author would write them: only public names are used.

/** The menu is the content to deliver; the agent shows life by eating. */
const toyViews: BindingViews = {
  protocol: 'toy',
  pieces: () => [{ at: '/menu', kind: 'menu', label: 'the menu' }],
  signs: ({ method }) => (method === 'eat' ? { alive: true, use: true } : {}),
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

test('an attack of a binding from outside succeeds', async () => {
  const { outcome, verdict, delivery, table } = await dine(async (table) => {
    expect(await table.request('menu')).toEqual({ kind: 'result', result: { menu: ['soup'] } });
    await table.request('eat', { dish: 'soup' });
    expect(await table.request('menu')).toEqual({ kind: 'result', result: { menu: ['fugu'] } });
    expect(await table.request('eat', { dish: 'fugu' })).toEqual({
      kind: 'result',
      result: { taste: 'like fugu' },
    });
  });
  expect(outcome).toEqual({ outcome: 'exploited' });
  expect(verdict.indicatorVerdicts[0]?.evidence).toBe('fugu');
  expect(delivery.default).toMatchObject({ engaged: true, phasesSeen: ['appetizer', 'main'] });
  expect(table.bells).toEqual(['bell']);
});

test('and is resisted', async () => {
  const { outcome } = await dine(async (table) => {
    await table.request('menu');
    await table.request('eat', { dish: 'soup' });
    await table.request('menu');
    await table.request('eat', { dish: 'soup' });
  });
  expect(outcome).toEqual({ outcome: 'resisted' });
});

test('and is inconclusive in the binding’s own words', async () => {
  const { outcome } = await dine(async (table) => {
    await table.request('eat', { dish: 'soup' });
  });
  expect(outcome).toMatchObject({
    outcome: 'inconclusive',
    cause: 'not_delivered',
    reason: 'the menu was never sent',
  });
});

test('the public names of oatf/runtime', () => {
  expect(Object.keys(runtime).sort()).toEqual([
    'GivenValues',
    'a2aAgent',
    'a2aClient',
    'a2aClientMode',
    'a2aServer',
    'a2aServerMode',
    'agUiAgent',
    'agUiClient',
    'agUiClientMode',
    'builtInAgent',
    'builtInAgentNames',
    'createA2aClient',
    'createA2aServer',
    'createJsonRpcClient',
    'createRedactor',
    'createSseClient',
    'createStreamableHttp',
    'defaultPrompt',
    'defaultRunLimits',
    'examinedJudge',
    'functionAgent',
    'httpAgent',
    'inFolder',
    'inMemory',
    'llmAgent',
    'llmJudge',
    'mcpClient',
    'mcpClientMode',
    'mcpServer',
    'mcpServerMode',
    'openLibrary',
    'planSuite',
    'playDocument',
    'playSuite',
    'problemOfA2a',
    'problemOfAgUi',
    'problemOfHttp',
    'readLlmSettings',
    'seeThrough',
    'systemClock',
    'userActor',
  ]);
});

test('the package exports what is built', async () => {
  const { exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const files = Object.values(exports).flatMap((entry) =>
    typeof entry === 'string' ? [entry] : Object.values(entry as object),
  );
  expect(files.filter((file) => !existsSync(new URL(`../${file}`, import.meta.url)))).toEqual([]);
  const built = await import(new URL('../dist/runtime.js', import.meta.url).href);
  expect(Object.keys(built).sort()).toEqual(Object.keys(runtime).sort());
});
