import { describe, expect, test } from 'vitest';
import { includedViews } from '../../src/bindings/included.ts';
import type { RunEnd } from '../../src/engine/run-end.ts';
import type { Observation } from '../../src/model/observation.ts';
import type { MessageRecord, TraceRecord } from '../../src/model/trace.ts';
import type { BindingViews } from '../../src/model/views.ts';
import { observeAgent, type SeenOfAgent } from '../../src/suite/observe.ts';

// The end of an agent is reported only if it could be observed.

const asked: MessageRecord = {
  seq: 0,
  timestamp: '',
  actor: 'user',
  protocol: 'ag_ui',
  mode: 'ag_ui_client',
  kind: 'request',
  origin: 'attacker',
  method: 'run_agent_input',
  content: {},
  session: 's',
};

const called: MessageRecord = {
  ...asked,
  actor: 'server',
  protocol: 'mcp',
  mode: 'mcp_server',
  origin: 'agent',
  method: 'tools/call',
};
const views = [{ protocol: 'mcp', signs: () => ({ use: true }) }] as unknown as readonly BindingViews[];

test.each([
  ['that nobody asked, and that stays connected', [], 'session_limit', undefined],
  ['that nobody asked, and that leaves', [], 'idle', undefined],
  [
    'that nobody asked, made the same call often and stays',
    Array(12).fill(called),
    'session_limit',
    undefined,
  ],
  ['that nobody asked, and that floods us', [], 'flood', 'looped'],
  ['that owes an answer when the time is over', [asked], 'session_limit', 'hung'],
  ['that was asked, and said nothing', [asked], 'idle', 'silent'],
])('an agent %s', (_, records, reason, ended) => {
  const observer = observeAgent(views, () => 0);
  for (const record of records) observer.add(record);
  expect(observer.conclude({ reason } as RunEnd, {}).ended).toBe(ended);
});

describe('what was seen of an agent', () => {
  /** Each record, and the milliseconds that pass before it. */
  type Told = readonly [after: number, record: object];

  function seen(told: readonly Told[], reason = 'finished', facts: SeenOfAgent = {}): Observation {
    let now = 100;
    const observer = observeAgent(includedViews, () => now);
    for (const [after, record] of told) {
      now += after;
      observer.add(record as TraceRecord);
    }
    now += 1_000;
    return observer.conclude({ reason } as RunEnd, facts);
  }

  const user = { actor: 'user', protocol: 'ag_ui', mode: 'ag_ui_client', session: 's' };
  const ask = { ...user, kind: 'request', origin: 'attacker', method: 'run_agent_input', content: {} };
  const say = (method: string, content: object): object => ({
    ...user,
    kind: 'event',
    origin: 'agent',
    method,
    content,
  });
  const words = say('text_message_content', { delta: 'hello' });
  const done = { ...say('run_finished', {}), kind: 'response' };
  const failed = say('run_error', { message: 'no' });
  const call = (content: object = { name: 't' }): object => ({ ...called, content, session: 'x' });
  const left = (fields: object = {}): object => ({
    kind: 'connection',
    event: 'closed',
    actor: 'user',
    session: 's',
    ...fields,
  });
  const times = (count: number, ...told: readonly Told[]): Told[] =>
    Array.from({ length: count }, () => told).flat();
  const quiet = { duration_ms: 1_000, owed: 0, calls: 0, repeats: 0 };

  test.each<[string, readonly Told[], string, SeenOfAgent, object]>([
    ['nothing', [], 'finished', {}, quiet],
    [
      'an answer',
      [
        [0, ask],
        [20, words],
        [30, done],
      ],
      'finished',
      {},
      { ...quiet, ended: 'answered', duration_ms: 1_050, answer_ms: 50 },
    ],
    [
      'the longest of two answers',
      [
        [0, ask],
        [50, done],
        [0, ask],
        [20, words],
        [0, done],
      ],
      'finished',
      {},
      { ...quiet, ended: 'answered', duration_ms: 1_070, answer_ms: 50 },
    ],
    [
      'an answer that never ended',
      [
        [0, ask],
        [20, words],
      ],
      'finished',
      {},
      { ...quiet, ended: 'answered', duration_ms: 1_020, answer_ms: 20, owed: 0 },
    ],
    [
      'an answer that never ended, when the time is over',
      [
        [0, ask],
        [20, words],
      ],
      'session_limit',
      {},
      {
        ...quiet,
        ended: 'hung',
        reason: 'the run’s time was over before it was done',
        duration_ms: 1_020,
        answer_ms: 20,
      },
    ],
    [
      'no answer, when the time of the last phases is over',
      [[0, ask]],
      'terminal_limit',
      {},
      {
        ...quiet,
        ended: 'hung',
        reason: 'the time for the last phases was over before it was done',
        owed: 1,
      },
    ],
    [
      'no answer',
      [[0, ask]],
      'idle',
      {},
      { ...quiet, ended: 'silent', reason: 'it said and did nothing', owed: 1 },
    ],
    [
      'a connection that ends the answer',
      [
        [0, ask],
        [20, words],
        [5, left()],
      ],
      'idle',
      {},
      { ...quiet, ended: 'answered', duration_ms: 1_025, answer_ms: 20 },
    ],
    [
      'a connection that fails',
      [
        [0, ask],
        [0, left({ reason: 'HTTP 500' })],
      ],
      'idle',
      {},
      { ...quiet, ended: 'gave_up', reason: 'HTTP 500', answer_ms: 0 },
    ],
    [
      'a connection that fails and stays',
      [
        [0, ask],
        [0, left({ event: 'failed', reason: 'HTTP 500' })],
      ],
      'idle',
      {},
      { ...quiet, ended: 'gave_up', reason: 'HTTP 500', owed: 1 },
    ],
    [
      'nobody there before any answer',
      [
        [0, ask],
        [0, left({ reason: 'refused', absent: true })],
      ],
      'idle',
      {},
      { ...quiet, ended: 'gave_up', reason: 'refused', answer_ms: 0 },
    ],
    [
      'nobody there after an answer',
      [
        [0, ask],
        [0, words],
        [0, done],
        [0, left({ reason: 'refused', absent: true })],
      ],
      'idle',
      {},
      { ...quiet, ended: 'crashed', reason: 'refused', answer_ms: 0 },
    ],
    [
      'an error',
      [
        [0, ask],
        [0, failed],
      ],
      'idle',
      {},
      { ...quiet, ended: 'gave_up', reason: 'its run ended in an error: no', owed: 1 },
    ],
    [
      'the first of two errors',
      [
        [0, ask],
        [0, failed],
        [0, left({ reason: 'HTTP 500' })],
      ],
      'idle',
      {},
      { ...quiet, ended: 'gave_up', reason: 'its run ended in an error: no', answer_ms: 0 },
    ],
    ['a call', [[0, call()]], 'idle', {}, { ...quiet, calls: 1, repeats: 1 }],
    [
      'calls that differ, and some that do so in `_meta` alone',
      [
        [0, call({ a: 1 })],
        [0, call({ b: 1 })],
        [0, call({ _meta: 1, a: 1 })],
        [0, call({ _meta: 2, a: 1 })],
      ],
      'idle',
      {},
      { ...quiet, calls: 4, repeats: 3 },
    ],
    [
      'calls that the user is told of, too',
      [
        [0, ask],
        [0, call()],
        [0, say('tool_call_start', {})],
        [0, say('tool_call_start', {})],
        [0, done],
      ],
      'idle',
      {},
      { ...quiet, ended: 'answered', calls: 2, repeats: 1, answer_ms: 0 },
    ],
    [
      'the same call with its keys in another order',
      [
        [0, call({ a: 1, b: 2 })],
        [0, call({ b: 2, a: 1 })],
      ],
      'idle',
      {},
      { ...quiet, calls: 2, repeats: 2 },
    ],
    [
      'parts with ids of their own',
      [
        [0, ask],
        [20, { ...words, id: 'e' }],
      ],
      'idle',
      {},
      { ...quiet, ended: 'answered', duration_ms: 1_020, answer_ms: 20 },
    ],
    [
      'a list that was read, and no answer',
      [
        [0, ask],
        [0, { ...called, method: 'tools/list' }],
      ],
      'idle',
      {},
      { ...quiet, ended: 'silent', reason: 'it said and did nothing', owed: 1 },
    ],
    ['what is no use', [[0, { ...called, method: 'tools/list' }]], 'idle', {}, quiet],
    ['our own messages as a server', [[0, { ...called, origin: 'attacker' }]], 'idle', {}, quiet],
    ['our own notifications', [[0, { ...ask, kind: 'notification' }]], 'idle', {}, quiet],
    ['a marker that is of no connection', [[0, left({ kind: 'log', reason: 'x' })]], 'idle', {}, quiet],
    [
      'ten equal calls and an error',
      [[0, ask], ...times(10, [0, call()]), [0, failed]],
      'idle',
      {},
      {
        ...quiet,
        ended: 'looped',
        reason: 'it made the same call 10 times: its run ended in an error: no',
        owed: 1,
        calls: 10,
        repeats: 10,
      },
    ],
    [
      'nine equal calls and an error',
      [[0, ask], ...times(9, [0, call()]), [0, failed]],
      'idle',
      {},
      { ...quiet, ended: 'gave_up', reason: 'its run ended in an error: no', owed: 1, calls: 9, repeats: 9 },
    ],
    [
      'ten equal calls and an answer',
      [[0, ask], ...times(10, [0, call()]), [0, words], [0, done]],
      'idle',
      {},
      { ...quiet, ended: 'answered', calls: 10, repeats: 10, answer_ms: 0 },
    ],
    [
      'ten equal calls, an error and a crash',
      [[0, ask], ...times(10, [0, call()]), [0, failed]],
      'idle',
      { program: { exitCode: 3, stderr: '' } },
      {
        ...quiet,
        ended: 'crashed',
        reason: 'its program ended with code 3',
        owed: 1,
        calls: 10,
        repeats: 10,
        exit_code: 3,
        signal: null,
      },
    ],
    [
      'a flood',
      [],
      'flood',
      {},
      { ...quiet, ended: 'looped', reason: 'it sent more messages than a run may have' },
    ],
    [
      'a signal',
      [[0, ask]],
      'idle',
      { program: { signal: 'SIGSEGV', stderr: '' } },
      {
        ...quiet,
        ended: 'crashed',
        reason: 'its program was ended by SIGSEGV',
        owed: 1,
        exit_code: null,
        signal: 'SIGSEGV',
      },
    ],
    [
      'an end as it should be',
      [
        [0, ask],
        [0, words],
        [0, done],
      ],
      'finished',
      { program: { exitCode: 0, stderr: '' }, health: { memoryBytes: 7 } },
      { ...quiet, ended: 'answered', answer_ms: 0, exit_code: 0, signal: null, memory_bytes: 7 },
    ],
    ...(['memory', 'output'] as const).map((cut): [string, Told[], string, SeenOfAgent, object] => [
      `too much ${cut}`,
      [[0, ask]],
      'idle',
      { program: { signal: 'SIGKILL', stderr: '' }, health: { cut, why: 'too much' } },
      { ...quiet, ended: 'exhausted', reason: 'too much', owed: 1, exit_code: null, signal: 'SIGKILL' },
    ]),
    [
      'too long',
      [[0, ask]],
      'idle',
      { program: { signal: 'SIGKILL', stderr: '' }, health: { cut: 'time', why: 'too long' } },
      { ...quiet, ended: 'hung', reason: 'too long', owed: 1, exit_code: null, signal: 'SIGKILL' },
    ],
    [
      'tokens, and what they cost',
      [],
      'idle',
      { usage: { inputTokens: 3, outputTokens: 4, cost: 5 } as SeenOfAgent['usage'] & {} },
      { ...quiet, input_tokens: 3, output_tokens: 4, cost: 5 },
    ],
    [
      'tokens alone',
      [],
      'idle',
      { usage: { inputTokens: 3, outputTokens: 4 } as SeenOfAgent['usage'] & {} },
      { ...quiet, input_tokens: 3, output_tokens: 4 },
    ],
  ])('%s', (_, told, reason, facts, expected) => {
    expect(seen(told, reason, facts)).toEqual(expected);
  });

  const client = {
    actor: 'c',
    protocol: 'mcp',
    mode: 'mcp_client',
    method: 'tools/list',
    id: 'q',
    session: 's',
  };
  const broken = (harm?: string): object => ({
    ...{ ...client, kind: 'request', origin: 'attacker', content: {} },
    sent: { rule: '/r', did: ['bytes'], ...(harm !== undefined && { harm }) },
  });
  const answered = (fields: object): object => ({ ...client, kind: 'response', origin: 'agent', ...fields });
  const refusal = answered({ failed: true, content: { code: -32700, message: 'no' } });
  const closed = (fields: object): object => ({
    kind: 'connection',
    event: 'closed',
    actor: 'c',
    id: 'q',
    reason: 'HTTP',
    ...fields,
  });

  test.each<[string, readonly Told[], string | undefined]>([
    ['a request that was broken needs no answer', [[0, broken('cut')]], undefined],
    [
      'its refusal is an answer',
      [
        [0, broken('cut')],
        [0, refusal],
      ],
      'answered',
    ],
    [
      'and so is an answer',
      [
        [0, broken('cut')],
        [0, answered({ content: { tools: [] } })],
      ],
      'answered',
    ],
    [
      'a failure is none',
      [
        [0, broken('cut')],
        [0, answered({ failed: true, content: { code: -32000 } })],
      ],
      'gave_up',
    ],
    [
      'a status that refuses it is one',
      [
        [0, broken('cut')],
        [0, closed({ status: 400 })],
      ],
      'answered',
    ],
    [
      'a crash of the server is none',
      [
        [0, broken('cut')],
        [0, closed({ status: 500 })],
      ],
      'gave_up',
    ],
    [
      'a connection that is cut says nothing',
      [
        [0, broken('cut')],
        [0, closed({})],
      ],
      undefined,
    ],
    [
      'an answer to what went out whole',
      [
        [0, broken()],
        [0, answered({ content: { tools: [] } })],
      ],
      'answered',
    ],
    [
      'nothing said in answer to what went out whole',
      [
        [0, broken()],
        [0, answered({ content: {} })],
      ],
      'gave_up',
    ],
    [
      'an answer that shows nothing, to what did not go out whole',
      [
        [0, { ...broken('cut'), method: 'ping' }],
        [0, answered({ method: 'ping', content: {} })],
      ],
      'answered',
    ],
    [
      'an answer that shows nothing, to what went out whole',
      [
        [0, { ...broken(), method: 'ping' }],
        [0, answered({ method: 'ping', content: {} })],
      ],
      'silent',
    ],
    [
      'a connection that ends without a reason says nothing',
      [
        [0, broken('cut')],
        [0, closed({ status: 400, reason: undefined })],
      ],
      undefined,
    ],
    [
      'a refusal of what went out whole',
      [
        [0, broken()],
        [0, refusal],
      ],
      'answered',
    ],
  ])('%s', (_, told, ended) => {
    expect(seen(told).ended).toBe(ended);
  });
});
