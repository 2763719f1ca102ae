import { afterEach, describe, expect, test } from 'vitest';
import type { AgentUnderTest, Briefing } from '../../src/agent/agent.ts';
import { evaluateTrace, type NormalizedDocument, type TraceRecord, type ValueMap } from '../../src/index.ts';
import { mcpServerMode } from '../../src/suite/modes.ts';
import { type PlayOptions, playDocument } from '../../src/suite/play.ts';
import { defaultPrompt } from '../../src/suite/user.ts';
import { systemClock } from '../../src/transport/clock.ts';
import { asRunOf, finished, run, started, text } from '../support/ag-ui-events.ts';
import { type Answerer, eventStream, frame, type HttpAgent, openAgent } from '../support/http-agent.ts';
import { call, eventually, initialize, isFree, post } from '../support/http-peer.ts';
import { documentWith } from '../support/records.ts';

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
      doors: { ag_ui: this.door.url },
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

const said = () =>
  agent.door?.inputs.map(({ messages }) => (messages as ValueMap[]).map(({ content }) => content));

describe('who speaks for the user', () => {
  const greeting = answering(...run(text('m', 'hi')));

  const rows: [string, NormalizedDocument, Partial<PlayOptions>, string[]][] = [
    ['the default prompt, where the document has nobody', server, {}, [defaultPrompt]],
    ['the prompt of the caller', server, { prompt: 'do it' }, ['do it']],
    ['… in which nothing is a template', server, { prompt: '{{a}} \\{{b}}' }, ['{{a}} \\{{b}}']],
    ['the document, where it does', spoken, { prompt: 'not said' }, ['as written']],
  ];
  test.each(rows)('%s', async (_, document, options, expected) => {
    await play(document, greeting, options);
    expect(said()).toEqual([expected]);
  });

  test('goes to the peer of --connect, and not to the agent', async () => {
    const other = await openAgent(greeting);
    const { outcome } = await play(spoken, greeting, { connect: () => other.url });
    await other.close();
    expect([other.inputs.length, said(), outcome]).toEqual([1, [], { outcome: 'resisted' }]);
  });
  test('has no peer: the actor is left out (O-104)', async () => {
    agent = new FakeAgent(greeting);
    const { end, outcome } = await playDocument(spoken, { modes: [], clock: systemClock });
    expect([end.skipped, end.diagnostics.map(({ code }) => code)]).toEqual([['default'], ['O-104']]);
    expect(outcome.outcome).toBe('inconclusive');
  });
});

describe('the agent', () => {
  test('is told of the servers, and stopped once after the run', async () => {
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
  test('that cannot be launched is in trouble, and leaves no server behind', async () => {
    const unwilling = new FakeAgent(answering());
    unwilling.launch = async (briefing) => {
      unwilling.briefings.push(briefing);
      throw new Error('no such model');
    };
    const { outcome } = await play(server, answering(), { agent: unwilling });
    expect(outcome).toMatchObject({
      outcome: 'inconclusive',
      cause: 'trouble',
      reason: expect.stringContaining('no such model'),
    });
    expect(await isFree(Number(new URL(unwilling.serverUrl()).port))).toBe(true);
  });
  test('is stopped when the caller has enough', async () => {
    const enough = new AbortController();
    const { end } = await play(server, () => enough.abort(), { signal: enough.signal });
    expect([end.reason, agent.stops]).toEqual(['stopped', 1]);
  });
});

describe('an agent that fetches the tools, and then', () => {
  /** Lists the tools as any MCP client does. */
  const fetching =
    (answer: Answerer): Answerer =>
    async (...args) => {
      const url = agent.serverUrl();
      await (await post(url, call('tools/list'), await initialize(url))).text();
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
  test.each(rows)('%s, judged in the run and from its trace', async (_, answer, expected) => {
    const { outcome } = await play(server, fetching(answer), { limits: { sessionMs: 1_000, graceMs: 0 } });
    const again = evaluateTrace(server, records);
    expect([outcome.outcome, again.outcome.outcome]).toEqual([expected, expected]);
  });
});
