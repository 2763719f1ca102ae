import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, expect, test } from 'vitest';
import type { MessageRecord, ValueMap } from '../../../src/index.ts';
import { type Recorded, type RunningActor, runActor } from '../../support/run-actor.ts';

// Official clients of both eras at once on one actor: each gets the shapes of its own era, and the answers to its own
// requests.

let actor: RunningActor;
const clients: Client[] = [];

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await actor.stop();
});

const modern = '2026-07-28';
const modes = ['legacy', 'auto', { pin: modern }] as const;

interface Seen {
  readonly name: string;
  readonly era: string | undefined;
  /** The messages on the wire: the result of each answer, and the headers of each request. */
  readonly results: ValueMap[];
  readonly sessions: Set<string | null>;
  readonly asked: string[];
  readonly answer: unknown;
}

/** A tool's answer on the wire, as JSON or as a stream. */
function resultsIn(body: string): ValueMap[] {
  const texts = body.startsWith('{')
    ? [body]
    : body.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice('data: '.length)] : []));
  return texts.flatMap((text) => {
    const { result } = JSON.parse(text) as { result?: ValueMap };
    return result === undefined ? [] : [result];
  });
}

async function play(index: number): Promise<Seen> {
  const name = `client-${index}`;
  const mode = modes[index % modes.length] ?? 'legacy';
  const results: ValueMap[] = [];
  const sessions = new Set<string | null>();
  const asked: string[] = [];
  const reads: Promise<void>[] = [];
  const client = new Client(
    { name, version: '1' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } },
  );
  client.setRequestHandler('elicitation/create', ({ params }) => {
    asked.push(params.message);
    return { action: 'accept' as const, content: { code: `code of ${name}` } };
  });
  const transport = new StreamableHTTPClientTransport(new URL(actor.url), {
    async fetch(url, init) {
      const response = await fetch(url, init);
      if (init?.method === 'POST') {
        sessions.add(response.headers.get('mcp-session-id'));
        const copy = response.clone();
        reads.push(copy.text().then((body) => void results.push(...resultsIn(body))));
      }
      return response;
    },
  });
  clients.push(client);
  await client.connect(transport);
  await client.listTools();
  const answer = await client.callTool({ name: 'keep', arguments: { who: name } });
  await Promise.all(reads);
  return { name, era: client.getProtocolEra(), results, sessions, asked, answer };
}

test('one MCP server serves fifty clients of both eras at once and keeps their messages apart', async () => {
  const who = '{{request.arguments.who}}';
  const requestedSchema = { type: 'object', properties: { code: { type: 'string' } } };
  const state = {
    tools: [
      {
        name: 'keep',
        description: 'Keeps',
        inputSchema: { type: 'object' },
        responses: [{ content: { content: [{ type: 'text', text: `kept for ${who}` }] } }],
      },
    ],
    elicitations: [{ message: `Code of ${who}?`, requestedSchema }],
  };
  actor = await runActor(
    JSON.stringify({ oatf: '0.1', attack: { execution: { mode: 'mcp_server', phases: [{ state }] } } }),
  );
  const seen = await Promise.all(Array.from({ length: 50 }, (_, index) => play(index)));

  for (const [index, { name, era, results, sessions, asked, answer }] of seen.entries()) {
    const isModern = modes[index % modes.length] !== 'legacy';
    expect(era, name).toBe(isModern ? 'modern' : 'legacy');
    expect(answer, name).toMatchObject({ content: [{ text: `kept for ${name}` }] });
    expect(asked, name).toEqual([`Code of ${name}?`]);
    expect(
      results.every((result) => 'resultType' in result === isModern),
      name,
    ).toBe(true);
    const lists = results.filter((result) => 'tools' in result);
    expect(lists, name).toHaveLength(1);
    expect('ttlMs' in (lists[0] ?? {}), name).toBe(isModern);
    expect(
      [...sessions].some((session) => session !== null),
      name,
    ).toBe(!isModern);
  }
  const legacySessions = seen.flatMap(({ sessions }) => [...sessions].filter((session) => session !== null));
  expect(new Set(legacySessions).size).toBe(seen.filter(({ era }) => era === 'legacy').length);

  const messages = actor.records.filter((record): record is Recorded & MessageRecord => 'origin' in record);
  const of = (method: string, origin: string): MessageRecord[] =>
    messages.filter((record) => record.method === method && record.origin === origin);
  const introduced = new Map(
    of('initialize', 'agent').map(({ content, era }) => [
      (content as { clientInfo: { name: string } }).clientInfo.name,
      era,
    ]),
  );
  expect(of('initialize', 'agent')).toHaveLength(50);
  const eras = Object.fromEntries(seen.map(({ name, era }) => [name, era === 'modern' ? modern : undefined]));
  expect(Object.fromEntries(introduced)).toEqual(eras);
  const called = of('tools/call', 'agent').map(({ content, era }) => [
    (content as { arguments: { who: string } }).arguments.who,
    era,
  ]);
  expect(called).toHaveLength(50);
  expect(Object.fromEntries(called)).toEqual(eras);
  // Each answer is recorded beside the question that it answers.
  for (const { content, request, era } of of('elicitation/create', 'agent')) {
    const name = /Code of (.*)\?/.exec(String((request as ValueMap).message))?.[1] ?? '';
    expect(content).toMatchObject({ content: { code: `code of ${name}` } });
    expect(era).toBe(eras[name]);
  }
  expect(of('elicitation/create', 'agent')).toHaveLength(50);
});
