import { readFileSync } from 'node:fs';
import { HttpAgent as OfficialClient } from '@ag-ui/client';
import { RunAgentInputSchema } from '@ag-ui/core/schemas';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/attack/transport/clock.ts';
import type { NormalizedDocument } from '../../../src/format/model/normalized.ts';
import type { TraceRecord, Value, ValueMap } from '../../../src/index.ts';
import { type PlayResult, playDocument } from '../../../src/suite/play/play-run.ts';
import { asRunOf, finished, run, started, text, toolCall, toolResult } from '../../support/ag-ui-events.ts';
import { type Answerer, eventStream, frame, type HttpAgent, openAgent } from '../../support/http-agent.ts';
import { publicFixture } from '../../support/public-fixtures.ts';
import { documentWith } from '../../support/records.ts';

// Our messages, compared with those of the official client of AG-UI 1.0 to the same agent.

let agent: HttpAgent | undefined;
afterEach(async () => {
  await agent?.close();
  agent = undefined;
});

const tools = [{ name: 'confirm', description: 'ask the user', parameters: { type: 'object' } }];
const hello = { id: 'u', role: 'user', content: 'hello' };

const answering =
  (...turns: readonly (readonly ValueMap[])[]): Answerer =>
  (response, input, count) => {
    const events = turns[Math.min(count, turns.length) - 1] ?? [];
    response.writeHead(200, eventStream).end(asRunOf(input, events).map(frame).join(''));
  };

function attack(input: ValueMap, state: ValueMap = {}): NormalizedDocument {
  return documentWith({
    execution: { mode: 'ag_ui_client', state: { run_agent_input: input, ...state } },
    indicators: [{ protocol: 'ag_ui', target: 'delta', pattern: { contains: 'POISON' } }],
  });
}

interface Played extends PlayResult {
  readonly records: readonly TraceRecord[];
}

async function play(document: NormalizedDocument, answer: Answerer): Promise<Played> {
  agent = await openAgent(answer);
  const { url } = agent;
  const records: TraceRecord[] = [];
  const result = await playDocument(document, {
    modes: [],
    clock: systemClock,
    connect: () => url,
    record: (record) => records.push(record),
  });
  return { ...result, records };
}

const talkative = run(
  [
    { type: 'REASONING_START', messageId: 'r1' },
    { type: 'REASONING_MESSAGE_START', messageId: 'r1', role: 'reasoning' },
    { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r1', delta: 'hm' },
    { type: 'REASONING_MESSAGE_END', messageId: 'r1' },
    { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'r1', encryptedValue: 'opaque+/=' },
    { type: 'REASONING_END', messageId: 'r1' },
    { type: 'STATE_SNAPSHOT', snapshot: { cards: ['a'] } },
    { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/cards/-', value: 'b' }] },
  ],
  text('m', 'let me ', 'ask'),
  toolCall('own', 'search', '{}'),
  [toolResult('own', 'found')],
  toolCall('c', 'confirm', '{"a"', ':1}'),
  [{ type: 'REASONING_ENCRYPTED_VALUE', subtype: 'tool-call', entityId: 'c', encryptedValue: 'also' }],
);

const snapshots = run(
  text('m', 'so'),
  [
    {
      type: 'MESSAGES_SNAPSHOT',
      messages: [
        { id: 'm', role: 'assistant', content: 'so it is' },
        { id: 'n', role: 'system', content: 'new' },
      ],
    },
  ],
  toolCall('c', 'confirm', '{}'),
);

/** Each side makes up the ids of runs and of its own messages. */
function comparable({ runId: _, messages, ...rest }: ValueMap): ValueMap {
  const own = (message: ValueMap): ValueMap =>
    message.role === 'tool' && message.toolCallId === 'c' ? { ...message, id: 'ours' } : message;
  return { ...rest, messages: (messages as ValueMap[]).map(own) };
}

describe('AG-UI follow-up input', () => {
  test.each([
    ['reasoning, state, texts and tool calls', talkative],
    ['snapshots', snapshots],
  ])('equals that of the official client after %s', async (_, events) => {
    const answer = answering(events, run(text('z', 'done')));
    const other = await openAgent(answer);
    const client = new OfficialClient({ url: other.url, threadId: 't', initialMessages: [hello as never] });
    await client.runAgent({ runId: 'r', tools: tools as never });
    client.addMessage({ id: 'ours', role: 'tool', toolCallId: 'c', content: 'yes' });
    await client.runAgent({ tools: tools as never });
    await other.close();
    await play(
      attack({ threadId: 't', runId: 'r', messages: [hello], tools }, { tool_responses: [{ content: 'yes' }] }),
      answer,
    );
    expect(agent?.inputs.map(comparable)).toEqual(other.inputs.map(comparable));
    expect(agent?.requests.map(({ headers }) => [headers.accept, headers['content-type']])).toEqual(
      other.requests.map(({ headers }) => [headers.accept, headers['content-type']]),
    );
  });
});

const schemaFile = publicFixture('schemas/ag-ui-1.0.0.from-npm.schema.json');

describe('AG-UI run input', () => {
  const approval = { id: 'i1', reason: 'tool_call', message: 'Pay?' };
  const documents: [string, NormalizedDocument, (readonly ValueMap[])[]][] = [
    ['a document with messages only', attack({ messages: [hello] }), [run(text('m', 'hi'))]],
    [
      'results of frontend tools',
      attack({ messages: [hello], tools }, { tool_responses: [{ content: 'yes' }] }),
      [talkative, run(text('z', 'hi'))],
    ],
    [
      'tool results made of parts',
      attack({ messages: [hello], tools }, { tool_responses: [{ content: [{ type: 'text', text: 'yes' }] }] }),
      [talkative, run(text('z', 'hi'))],
    ],
    [
      'answers to interrupts',
      attack({ messages: [hello] }, { interrupt_responses: [{ payload: { approved: true } }] }),
      [[started, { ...finished, outcome: { type: 'interrupt', interrupts: [approval] } }], run(text('z', 'hi'))],
    ],
  ];
  test.each(documents)('is valid AG-UI 1.0 for %s', async (_, document, turns) => {
    await play(document, answering(...turns));
    expect(agent?.inputs).toHaveLength(turns.length);
    for (const input of agent?.inputs ?? []) expect(RunAgentInputSchema.safeParse(input).error).toBeUndefined();
    if (schemaFile === undefined) return;
    const schema = JSON.parse(readFileSync(schemaFile, 'utf8')) as { definitions: ValueMap };
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
      schema.definitions.RunAgentInput as object,
    );
    for (const input of agent?.inputs ?? []) expect([validate(input), validate.errors]).toEqual([true, null]);
  });

  const invalid: [string, ValueMap][] = [
    ['messages that are a string', { messages: 'none' }],
    ['an unknown protocol version', { messages: [], protocolVersion: 99 }],
    ['a resumption without an id', { messages: [], resume: [{ status: 'sure' }] }],
    ['properties that are null', { messages: [], forwardedProps: null }],
  ];
  test.each(invalid)('is sent uncorrected for a document with %s', async (_, input) => {
    await play(attack(input), answering(run(text('m', 'hi'))));
    expect(agent?.inputs[0]).toMatchObject(input);
    expect(RunAgentInputSchema.safeParse(agent?.inputs[0]).success).toBe(false);
  });
});

describe('AG-UI client and an agent of before 1.0 that refuses unknown fields', () => {
  const strict: Answerer = (response, input, count) => {
    if (Object.hasOwn(input, 'protocolVersion')) response.writeHead(422).end('extra inputs are not permitted');
    else answering(run(text('m', 'hi')))(response, input, count);
  };
  const versions = (): Value[] => (agent?.inputs ?? []).map(({ protocolVersion = null }) => protocolVersion);

  test('repeats the request without the version, and logs the refusal', async () => {
    const { outcome, records } = await play(attack({ messages: [hello] }), strict);
    expect([outcome, versions()]).toEqual(['resisted', ['1.0', null]]);
    expect(records.filter(({ kind }) => kind === 'log')).toMatchObject([{ message: expect.stringContaining('422') }]);
  });
  test('leaves the version out of every later run', async () => {
    const document = attack({ messages: [hello], tools }, { tool_responses: [{ content: 'yes' }] });
    await play(document, (response, input, count) => {
      if (Object.hasOwn(input, 'protocolVersion')) response.writeHead(422).end();
      else answering(run(), run(toolCall('c', 'confirm')), run(text('m', 'hi')))(response, input, count);
    });
    expect(versions()).toEqual(['1.0', null, null]);
  });
  test('keeps a version that the document wrote, so the outcome is inconclusive', async () => {
    const run = await play(attack({ messages: [hello], protocolVersion: '1.0' }), strict);
    expect([run, versions()]).toMatchObject([{ outcome: 'inconclusive', cause: 'trouble' }, ['1.0']]);
  });
  test('reports trouble when the agent refuses the request without the version, too', async () => {
    const run = await play(attack({ messages: [hello] }), (response) => response.writeHead(422).end('no'));
    expect([run, versions()]).toMatchObject([{ outcome: 'inconclusive', cause: 'trouble' }, ['1.0', null]]);
  });
});

describe('token usage of an AG-UI run', () => {
  const counting = (...usage: Value[]): ValueMap => ({ ...finished, usage });
  const rows: [string, ValueMap, unknown][] = [
    [
      'adds up the tokens of several models',
      counting({ inputTokens: 3, outputTokens: 4 }, { inputTokens: 5 }),
      { inputTokens: 8, outputTokens: 4 },
    ],
    [
      'counts invalid numbers as zero tokens',
      counting({ inputTokens: -3, outputTokens: 'many' }, 5),
      { inputTokens: 0, outputTokens: 0 },
    ],
    ['is undefined when the agent does not report it', finished, undefined],
  ];
  test.each(rows)('%s', async (_, end, usage) => {
    const played = await play(attack({ messages: [hello] }), answering([started, ...text('m', 'hi'), end]));
    expect(played.usage).toEqual(usage);
  });
});
