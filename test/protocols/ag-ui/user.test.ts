import { afterEach, describe, expect, test } from 'vitest';
import type { AgentUnderTest, Briefing } from '../../../src/agents/adapters/agent-under-test.ts';
import { systemClock } from '../../../src/attack/transport/clock.ts';
import type { NormalizedDocument } from '../../../src/format/model/normalized.ts';
import { evaluateTrace, type TraceRecord, type ValueMap } from '../../../src/index.ts';
import { type PlayOptions, playDocument } from '../../../src/suite/play/play-run.ts';
import { mcpServerMode } from '../../../src/suite/play/playable-modes.ts';
import { defaultPrompt } from '../../../src/suite/play/user-side.ts';
import { asRunOf, finished, run, started, text } from '../../support/ag-ui-events.ts';
import { type Answerer, eventStream, frame, type HttpAgent, openAgent } from '../../support/http-agent.ts';
import { call, eventually, initialize, isFree, post } from '../../support/http-peer.ts';
import { documentWith } from '../../support/records.ts';

/** An agent under test, which counts how often it is launched and stopped. */
class FakeAgent implements AgentUnderTest {
  readonly name = 'fake';
  readonly kind = 'test';
  readonly speaks = ['ag_ui'] as const;
  readonly isTold = true;
  readonly briefings: Briefing[] = [];
  stops = 0;
  door: HttpAgent | undefined;
  readonly #answer: Answerer;

  constructor(answer: Answerer) {
    this.#answer = answer;
  }

  async launch(briefing: Briefing) {
    this.briefings.push(briefing);
    this.door = await openAgent(this.#answer);
    return {
      addresses: { ag_ui: this.door.url },
      stop: async () => {
        this.stops += 1;
        await this.door?.close();
      },
    };
  }

  /** The address of the MCP server that it was given. */
  serverUrl(): string {
    return this.briefings[0]?.mcpConfig.mcpServers.default?.url ?? '';
  }
}

const server = documentWith({
  execution: { mode: 'mcp_server', state: { tools: [{ name: 'search', description: 'Search.' }] } },
  indicators: [{ surface: 'tools/call', target: 'arguments', pattern: { contains: 'x' } }],
});
const spoken = documentWith({
  execution: {
    mode: 'ag_ui_client',
    state: { run_agent_input: { messages: [{ role: 'user', content: 'as written' }] } },
  },
  indicators: [{ target: 'delta', pattern: { contains: 'POISON' } }],
});

const answering =
  (...events: readonly ValueMap[]): Answerer =>
  (response, input) =>
    response.writeHead(200, eventStream).end(asRunOf(input, events).map(frame).join(''));

let agent: FakeAgent;
let records: TraceRecord[];

async function play(document: NormalizedDocument, answer: Answerer, more: Partial<PlayOptions> = {}) {
  agent = new FakeAgent(answer);
  records = [];
  return playDocument(document, {
    modes: [mcpServerMode()],
    clock: systemClock,
    agent,
    record: (record) => records.push(record),
    ...more,
  });
}

afterEach(async () => {
  await eventually(() => agent.door?.connections() ?? 0).toBe(0);
});

const said = () => agent.door?.inputs.map(({ messages }) => (messages as ValueMap[]).map(({ content }) => content));

describe('playDocument, the user’s words', () => {
  const greeting = answering(...run(text('m', 'hi')));

  const rows: [string, NormalizedDocument, Partial<PlayOptions>, string[]][] = [
    ['says the default prompt when the document has no user', server, {}, [defaultPrompt]],
    ['says the prompt of the caller', server, { prompt: 'do it' }, ['do it']],
    ['expands no template in the prompt of the caller', server, { prompt: '{{a}} \\{{b}}' }, ['{{a}} \\{{b}}']],
    [
      'says the messages of the document instead of the caller’s prompt',
      spoken,
      { prompt: 'not said' },
      ['as written'],
    ],
  ];
  test.each(rows)('%s', async (_, document, options, expected) => {
    await play(document, greeting, options);
    expect(said()).toEqual([expected]);
  });

  test('sends them to the peer of --connect instead of the agent', async () => {
    const other = await openAgent(greeting);
    const { outcome } = await play(spoken, greeting, { connect: () => other.url });
    await other.close();
    expect([other.inputs.length, said(), outcome]).toEqual([1, [], 'resisted']);
  });
  test('skips a user actor that has no peer, and warns with O-104', async () => {
    agent = new FakeAgent(greeting);
    const { end, outcome } = await playDocument(spoken, { modes: [], clock: systemClock });
    expect([end.skipped, end.diagnostics.map(({ code }) => code)]).toEqual([['default'], ['O-104']]);
    expect(outcome).toBe('inconclusive');
  });
});

describe('playDocument, the agent', () => {
  test('gives the agent the endpoints and stops it once after the run', async () => {
    await play(server, answering(...run()));
    expect(agent.briefings).toEqual([
      {
        endpoints: { default: { url: expect.stringContaining('http://') } },
        mcpConfig: { mcpServers: { default: { type: 'http', url: expect.stringContaining('http://') } } },
        a2aCards: [],
        withinMs: 120_000,
      },
    ]);
    expect(agent.stops).toBe(1);
    expect(await isFree(Number(new URL(agent.serverUrl()).port))).toBe(true);
  });
  test('reports trouble when the agent cannot be launched, and closes the server', async () => {
    const unwilling = new FakeAgent(answering());
    unwilling.launch = async (briefing) => {
      unwilling.briefings.push(briefing);
      throw new Error('no such model');
    };
    const run = await play(server, answering(), { agent: unwilling });
    expect(run).toMatchObject({
      outcome: 'inconclusive',
      cause: 'trouble',
      reason: expect.stringContaining('no such model'),
    });
    expect(await isFree(Number(new URL(unwilling.serverUrl()).port))).toBe(true);
  });
  test('stops the agent when the caller aborts the run', async () => {
    const enough = new AbortController();
    const { end } = await play(server, () => enough.abort(), { signal: enough.signal });
    expect([end.reason, agent.stops]).toEqual(['stopped', 1]);
  });
});

describe('playDocument and evaluateTrace, an agent that fetches its tools', () => {
  /** Lists the tools and calls one: without marks, a server whose tools were only listed was not used. */
  const fetching =
    (answer: Answerer): Answerer =>
    async (...args) => {
      const url = agent.serverUrl();
      const session = await initialize(url);
      await (await post(url, call('tools/list'), session)).text();
      await (await post(url, call('tools/call', { name: 'search', arguments: {} }), session)).text();
      return answer(...args);
    };
  const rows: [string, Answerer, string][] = [
    ['answers', answering(...run(text('m', 'no'))), 'resisted'],
    ['has no credit', answering(started, { type: 'RUN_ERROR', message: 'no credit' }), 'inconclusive'],
    ['crashes', (response) => response.writeHead(500).end('oops'), 'inconclusive'],
    ['ends before its run does', answering(started), 'inconclusive'],
    ['hangs', () => {}, 'inconclusive'],
    [
      'sends garbage',
      (response) => response.writeHead(200, eventStream).end(`data: x\n\n${frame(finished)}`),
      'inconclusive',
    ],
  ];
  test.each(rows)('give the same outcome when it then %s', async (_, answer, expected) => {
    const { outcome } = await play(server, fetching(answer), { limits: { sessionMs: 1_000, graceMs: 0 } });
    const again = evaluateTrace(server, records);
    expect([outcome, again.outcome]).toEqual([expected, expected]);
  });
});
