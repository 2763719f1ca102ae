import { type BaseEvent, EventType } from '@ag-ui/core';
import { EventEncoder } from '@ag-ui/encoder';
import { afterEach, describe, expect, test } from 'vitest';
import type { RunLimits } from '../../../src/attack/engine/run-end.ts';
import { systemClock } from '../../../src/attack/transport/clock.ts';
import type { NormalizedDocument } from '../../../src/format/model/normalized.ts';
import type { TraceRecord, ValueMap } from '../../../src/index.ts';
import { type PlayOptions, type PlayResult, playDocument } from '../../../src/suite/play/play-run.ts';
import { mcpServerMode } from '../../../src/suite/play/playable-modes.ts';
import {
  type Answerer,
  eventStream,
  frame,
  type HttpAgent,
  openAgent,
  openSocketAgent,
} from '../../support/http-agent.ts';
import { eventually, isFree } from '../../support/http-peer.ts';
import { documentWith } from '../../support/records.ts';

let agent: HttpAgent | undefined;

afterEach(async () => {
  // Whatever the agent did, a finished run holds no connection to it.
  await eventually(() => agent?.connections() ?? 0).toBe(0);
  await agent?.close();
  agent = undefined;
});

type Send = (...events: (BaseEvent & { readonly [field: string]: unknown })[]) => void;

/** An agent as the AG-UI documentation writes one: events of its enumeration, framed by its encoder. */
function speaking(script: (send: Send, input: ValueMap, count: number) => void): Answerer {
  return (response, input, count) => {
    const encoder = new EventEncoder();
    response.writeHead(200, { 'content-type': encoder.getContentType() });
    const { threadId, runId } = input;
    const send: Send = (...events) => {
      for (const event of events) response.write(encoder.encode(event));
    };
    send({ type: EventType.RUN_STARTED, threadId, runId });
    script(send, input, count);
    send({ type: EventType.RUN_FINISHED, threadId, runId });
    response.end();
  };
}

function says(delta: string, messageId = 'm') {
  return [
    { type: EventType.TEXT_MESSAGE_START, messageId, role: 'assistant' },
    { type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta },
    { type: EventType.TEXT_MESSAGE_END, messageId },
  ];
}

function calls(toolCallName: string, toolCallId = 'c', delta = '{}') {
  return [
    { type: EventType.TOOL_CALL_START, toolCallId, toolCallName },
    { type: EventType.TOOL_CALL_ARGS, toolCallId, delta },
    { type: EventType.TOOL_CALL_END, toolCallId },
  ];
}

const messagesOf = (input: ValueMap): ValueMap[] => input.messages as ValueMap[];
const lastOf = (input: ValueMap): string => String(messagesOf(input).at(-1)?.content);

const input = (content: string, more: object = {}) => ({
  run_agent_input: { messages: [{ id: content, role: 'user', content }], ...more },
});
const tools = [{ name: 'confirm', description: 'ask the user', parameters: {} }];
const poison = { id: 'text', protocol: 'ag_ui', target: 'response.content', pattern: { contains: 'POISON' } };

function attack(phases: object[], more: object = {}): NormalizedDocument {
  return documentWith({
    execution: { actors: [{ name: 'user', mode: 'ag_ui_client', phases }] },
    indicators: [poison],
    ...more,
  });
}

const plain = attack([{ name: 'only', state: input('hello') }]);

interface Played extends PlayResult {
  readonly records: readonly TraceRecord[];
  /** The methods of messages and the kinds of other records, without the phases. */
  readonly kinds: readonly string[];
}

async function play(
  document: NormalizedDocument,
  limits: Partial<RunLimits> = {},
  more: Partial<PlayOptions> = {},
): Promise<Played> {
  const records: TraceRecord[] = [];
  const result = await playDocument(document, {
    modes: [],
    clock: systemClock,
    limits: { sessionMs: 20_000, ...limits },
    connect: () => agent?.url ?? 'http://127.0.0.1:1/',
    record: (record) => records.push(record),
    ...more,
  });
  const kinds = records.flatMap((record) =>
    record.kind === 'phase' || record.kind === 'end' ? [] : 'origin' in record ? String(record.method) : record.kind,
  );
  return { ...result, records, kinds };
}

async function facing(answer: Answerer, document = plain, limits?: Partial<RunLimits>): Promise<Played> {
  agent = await openAgent(answer);
  return play(document, limits);
}

describe('AG-UI client and an agent that answers', () => {
  const messageKinds = ['text_message_start', 'text_message_content', 'text_message_end'];
  const callKinds = ['tool_call_start', 'tool_call_args', 'tool_call_end'];

  const rows: [string, Answerer, NormalizedDocument, string, string[]][] = [
    [
      'without tools',
      speaking((send) => send(...says('no, thank you'))),
      plain,
      'resisted',
      ['run_agent_input', 'run_started', ...messageKinds, 'run_finished', 'connection'],
    ],
    [
      'with an empty run',
      speaking(() => {}),
      plain,
      'inconclusive',
      ['run_agent_input', 'run_started', 'run_finished', 'connection'],
    ],
    [
      'in chunks',
      speaking((send) =>
        send(
          { type: EventType.TEXT_MESSAGE_CHUNK, messageId: 'm', role: 'assistant', delta: 'POI' },
          { type: EventType.TEXT_MESSAGE_CHUNK, messageId: 'm', delta: 'SON' },
        ),
      ),
      plain,
      'exploited',
      ['run_agent_input', 'run_started', 'text_message_chunk', 'text_message_chunk', 'run_finished', 'connection'],
    ],
    [
      'with a call of its own tool, which the client must not answer',
      speaking((send) =>
        send(...calls('search'), {
          type: EventType.TOOL_CALL_RESULT,
          messageId: 'r',
          toolCallId: 'c',
          content: 'found',
        }),
      ),
      plain,
      'resisted',
      ['run_agent_input', 'run_started', ...callKinds, 'tool_call_result', 'run_finished', 'connection'],
    ],
    [
      'with snapshots, steps, reasoning and more',
      speaking((send) =>
        send(
          { type: EventType.STEP_STARTED, stepName: 's' },
          { type: EventType.STATE_SNAPSHOT, snapshot: { a: 1 } },
          { type: EventType.STATE_DELTA, delta: [{ op: 'replace', path: '/a', value: 2 }] },
          { type: EventType.MESSAGES_SNAPSHOT, messages: [{ id: '1', role: 'user', content: 'hello' }] },
          { type: EventType.REASONING_START, messageId: 'r' },
          { type: EventType.REASONING_MESSAGE_START, messageId: 'r', role: 'reasoning' },
          { type: EventType.REASONING_MESSAGE_CONTENT, messageId: 'r', delta: 'POISON?' },
          { type: EventType.REASONING_MESSAGE_END, messageId: 'r' },
          { type: EventType.REASONING_END, messageId: 'r' },
          { type: EventType.CUSTOM, name: 'x', value: {} },
          { type: EventType.RAW, event: {} },
          { type: EventType.STEP_FINISHED, stepName: 's' },
        ),
      ),
      plain,
      // The agent streams much but says nothing.
      'inconclusive',
      [
        'run_agent_input',
        'run_started',
        'step_started',
        'state_snapshot',
        'state_delta',
        'messages_snapshot',
        'reasoning_start',
        'reasoning_message_start',
        'reasoning_message_content',
        'reasoning_message_end',
        'reasoning_end',
        'custom',
        'raw',
        'step_finished',
        'run_finished',
        'connection',
      ],
    ],
    [
      'by repeating the poisoned result of a frontend tool',
      speaking((send, given, count) =>
        count === 1 ? send(...calls('confirm')) : send(...says(`the user said ${lastOf(given)}`)),
      ),
      attack([
        {
          state: {
            ...input('hello', { tools }),
            tool_responses: [{ when: { toolCallName: 'confirm' }, content: 'POISON' }],
          },
        },
      ]),
      'exploited',
      [
        'run_agent_input',
        'run_started',
        ...callKinds,
        'run_finished',
        'tool_call_result',
        'connection',
        'run_agent_input',
        'run_started',
        ...messageKinds,
        'run_finished',
        'connection',
      ],
    ],
    [
      'by calling a frontend tool in chunks',
      speaking((send, given, count) =>
        count === 1
          ? send(
              { type: EventType.TOOL_CALL_CHUNK, toolCallId: 'c', toolCallName: 'confirm', delta: '{' },
              { type: EventType.TOOL_CALL_CHUNK, toolCallId: 'c', delta: '}' },
            )
          : send(...says(lastOf(given))),
      ),
      attack([{ state: { ...input('hello', { tools }), tool_responses: [{ content: 'POISON' }] } }]),
      'exploited',
      [
        'run_agent_input',
        'run_started',
        'tool_call_chunk',
        'tool_call_chunk',
        'run_finished',
        'tool_call_result',
        'connection',
        'run_agent_input',
        'run_started',
        ...messageKinds,
        'run_finished',
        'connection',
      ],
    ],
  ];
  test.each(rows)(
    'records the outcome and every event of an answer %s',
    async (_, answer, document, outcome, kinds) => {
      const played = await facing(answer, document);
      expect([played.outcome, played.end.reason]).toEqual([outcome, 'finished']);
      // The network decides whether a stream is closed before the follow-up is written.
      expect([...played.kinds].sort()).toEqual([...kinds].sort());
    },
  );

  test('plays several phases as one conversation on one thread', async () => {
    const turn = { event: 'run_finished' };
    const played = await facing(
      speaking((send, given) => send(...says(lastOf(given) === 'two' ? 'POISON' : 'fine'))),
      attack([
        { name: 'first', state: input('one'), trigger: turn },
        { name: 'second', state: input('two'), trigger: turn },
        { name: 'third', state: input('three') },
      ]),
    );
    expect(played.outcome).toBe('exploited');
    expect(agent?.inputs.map(lastOf)).toEqual(['one', 'two', 'three']);
    expect(new Set(agent?.inputs.map(({ threadId }) => threadId)).size).toBe(1);
    expect(new Set(agent?.inputs.map(({ runId }) => runId)).size).toBe(3);
    expect(played.delivery.user?.phases_seen).toEqual(['first', 'second', 'third']);
  });
  test('starts the attack’s server before the agent is called, and closes it after the run', async () => {
    let url = '';
    let answeredWith = 0;
    agent = await openAgent(async (...args) => {
      answeredWith = (await fetch(url, { method: 'POST', body: '{}' })).status;
      return speaking((send) => send(...says('hi')))(...args);
    });
    const document = documentWith({
      execution: {
        actors: [
          { name: 'user', mode: 'ag_ui_client', phases: [{ state: input('hello') }] },
          { name: 'tools', mode: 'mcp_server', phases: [{ state: { tools: [] } }] },
        ],
      },
      indicators: [poison],
    });
    const played = await play(
      document,
      {},
      {
        modes: [mcpServerMode()],
        ready(endpoints) {
          url = endpoints.get('tools')?.url ?? '';
        },
      },
    );
    expect(answeredWith).toBeGreaterThanOrEqual(400);
    expect(played).toMatchObject({
      outcome: 'inconclusive',
      reason: expect.stringContaining('tools'),
    });
    expect(await isFree(Number(new URL(url).port))).toBe(true);
  });
});

/** Failures of an agent that has begun to answer. */
interface Trouble {
  readonly name: string;
  /** Called after the stream has begun. */
  happen(response: Parameters<Answerer>[0]): void;
  readonly cause: string;
  readonly reason: RegExp;
  readonly limits?: Partial<RunLimits>;
}

/** All reported reasons, whichever cause comes first. */
const reasonsOf = ({ causes = [] }: Pick<PlayResult, 'causes'>): string =>
  causes.map(({ reason }) => reason).join('\n');

const encode = (event: BaseEvent & { readonly [field: string]: unknown }): string => new EventEncoder().encode(event);

const troubles: readonly Trouble[] = [
  {
    name: 'says RUN_ERROR',
    happen: (response) => response.end(encode({ type: EventType.RUN_ERROR, message: 'out of credit' })),
    cause: 'trouble',
    reason: /out of credit/,
  },
  {
    name: 'ends its stream before its run',
    happen: (response) => response.end(),
    cause: 'cut_off',
    reason: /ended before the run did/,
  },
  {
    name: 'crashes',
    happen: (response) => response.write(': last words\n\n', () => response.socket?.destroy()),
    cause: 'cut_off',
    reason: /broke off|reset/,
  },
  {
    name: 'crashes within an event',
    happen: (response) => response.write('data: {"type":"TEXT_', () => response.socket?.resetAndDestroy()),
    cause: 'cut_off',
    reason: /broke off|reset/,
  },
  {
    name: 'hangs',
    happen: () => {},
    cause: 'cut_off',
    reason: /0\.5 s/,
    limits: { sessionMs: 500 },
  },
  {
    name: 'floods',
    happen(response) {
      const more = (): void => {
        while (!response.destroyed && response.write(encode({ type: EventType.CUSTOM, name: 'x', value: 1 })));
      };
      response.on('drain', more);
      more();
    },
    cause: 'cut_off',
    reason: /more than the 500 messages/,
    limits: { records: 500 },
  },
  {
    name: 'sends garbage and finishes',
    happen: (response) =>
      response.end(`data: <html>\n\n${encode({ type: EventType.RUN_FINISHED, threadId: 't', runId: 'r' })}`),
    cause: 'unread',
    reason: /cannot be read.*not valid JSON/,
  },
  {
    name: 'sends bytes that are not UTF-8',
    happen: (response) => response.end(Buffer.from('data: \x01\x02\xff\x03\n\n', 'latin1')),
    cause: 'unread',
    reason: /not valid UTF-8/,
  },
  {
    name: 'sends endlessly nested JSON',
    happen: (response) => response.end(`data: ${'['.repeat(100_000)}\n\n`),
    cause: 'unread',
    reason: /nested deeper/,
  },
];

describe('AG-UI client and an agent that goes wrong', () => {
  test.each(troubles)(
    'is inconclusive with the reason when the agent $name, and keeps all earlier records',
    async (trouble) => {
      const { kinds, ...run } = await facing(
        (response) => {
          response.writeHead(200, eventStream);
          response.write(encode({ type: EventType.RUN_STARTED, threadId: 't', runId: 'r' }));
          for (const event of says('hm')) response.write(encode(event));
          trouble.happen(response);
        },
        plain,
        trouble.limits,
      );
      expect(run).toMatchObject({ outcome: 'inconclusive', cause: trouble.cause });
      expect(reasonsOf(run)).toMatch(trouble.reason);
      expect(kinds.slice(0, 5)).toEqual([
        'run_agent_input',
        'run_started',
        'text_message_start',
        'text_message_content',
        'text_message_end',
      ]);
    },
  );

  test.each(troubles)('is exploited when the agent obeys and then $name', async ({ happen, limits }) => {
    const run = await facing(
      (response) => {
        response.writeHead(200, eventStream);
        response.write(encode({ type: EventType.TEXT_MESSAGE_CONTENT, messageId: 'm', delta: 'POI' }));
        response.write(encode({ type: EventType.TEXT_MESSAGE_CONTENT, messageId: 'm', delta: 'SON' }));
        happen(response);
      },
      plain,
      limits,
    );
    expect(run.outcome).toBe('exploited');
  });

  test('is inconclusive when the agent refuses the follow-up', async () => {
    const { kinds, ...run } = await facing(
      (response, given, count) => {
        if (count === 1) return speaking((send) => send(...calls('confirm')))(response, given, count);
        return response.writeHead(500).end('no more');
      },
      attack([{ state: input('hello', { tools }) }]),
    );
    expect(run).toMatchObject({ outcome: 'inconclusive', cause: 'trouble' });
    expect(reasonsOf(run)).toMatch(/HTTP 500.*no more/);
    expect(kinds).toContain('tool_call_result');
  });
  test('does not report trouble for events after the end of the run', async () => {
    const run = await facing((response, { threadId, runId }) => {
      response.writeHead(200, eventStream);
      response.write(encode({ type: EventType.RUN_STARTED, threadId, runId }));
      for (const event of says('hm')) response.write(encode(event));
      response.write(encode({ type: EventType.RUN_FINISHED, threadId, runId }));
      response.end('data: [DONE]\n\n');
    });
    expect(run.outcome).toBe('resisted');
  });
  test('finishes without waiting for an agent that keeps its stream open after its run', async () => {
    const played = await facing((response, { threadId, runId }) => {
      response.writeHead(200, eventStream);
      response.write(encode({ type: EventType.RUN_STARTED, threadId, runId }));
      for (const event of says('hm')) response.write(encode(event));
      response.write(encode({ type: EventType.RUN_FINISHED, threadId, runId }));
    });
    expect([played.outcome, played.end.reason]).toEqual(['resisted', 'finished']);
  });
});

describe('AG-UI client and an agent that never answers properly', () => {
  const ofAnswers = attack([{ state: input('hello') }], {
    indicators: [{ ...poison, direction: 'response' }],
  });
  const outcomes = async (limits?: Partial<RunLimits>) => [await play(plain, limits), await play(ofAnswers, limits)];
  const expectNone = (found: readonly PlayResult[], pattern: RegExp): void => {
    expect(found.map(({ outcome }) => outcome)).toEqual(['inconclusive', 'inconclusive']);
    for (const each of found) expect(reasonsOf(each)).toMatch(pattern);
  };

  const http: [string, Answerer, RegExp, Partial<RunLimits>?][] = [
    ['never answers', () => {}, /0\.5 s/, { sessionMs: 500 }],
    [
      'answers HTML',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      /text\/html/,
    ],
    ['refuses with HTTP 401', (response) => response.writeHead(401).end('who are you?'), /HTTP 401.*who are you/],
    ['redirects', (response) => response.writeHead(302, { location: '/' }).end(), /HTTP 302/],
    ['ends its stream at once', (response) => response.writeHead(200, eventStream).end(), /ended before the run did/],
    ['sends garbage', (response) => response.writeHead(200, eventStream).end('data: hi\n\n'), /not valid JSON/],
    [
      'speaks another protocol',
      (response) => response.writeHead(200, eventStream).end(`${frame({ choices: [] })}data: [DONE]\n\n`),
      /not an event of this protocol/,
    ],
    [
      'begins and hangs',
      (response) => response.writeHead(200, eventStream).flushHeaders(),
      /0\.5 s/,
      { sessionMs: 500 },
    ],
  ];
  test.each(http)('is inconclusive with the reason when the agent %s', async (_, answer, reason, limits) => {
    agent = await openAgent(answer);
    expectNone(await outcomes(limits), reason);
  });

  const sockets: [string, Parameters<typeof openSocketAgent>[0], RegExp][] = [
    ['closes the connection at once', (socket) => socket.destroy(), /socket hang up|closed|reset/],
    ['resets the connection', (socket) => socket.resetAndDestroy(), /reset/],
    ['does not speak HTTP', (socket) => socket.end('SSH-2.0-x\r\n'), /Parse Error/],
  ];
  test.each(sockets)('is inconclusive with the reason when the agent %s', async (_, answer, reason) => {
    agent = await openSocketAgent(answer);
    expectNone(await outcomes(), reason);
  });
  test('is inconclusive when nothing listens at the agent’s address', async () => {
    const { kinds, ...run } = await play(plain);
    expect(run).toMatchObject({
      outcome: 'inconclusive',
      cause: 'trouble',
      reason: expect.stringMatching(/nothing listens at 127\.0\.0\.1:1$/),
    });
    expect(kinds).toEqual(['connection']);
  });
  test('is an error when the agent’s address is not a URL', async () => {
    const run = await play(plain, {}, { connect: () => 'nowhere' });
    expect(run).toMatchObject({ outcome: 'error', reason: expect.stringContaining('user') });
  });
});
