import { describe, expect, test } from 'vitest';
import { includedViews } from '../../../src/attack/bindings/included-views.ts';
import type { RunEnd } from '../../../src/attack/engine/run-end.ts';
import type { BindingViews } from '../../../src/format/model/binding-views.ts';
import type { Observation } from '../../../src/format/model/observation.ts';
import type { MessageRecord, TraceRecord } from '../../../src/format/model/trace-record.ts';
import { type AgentObservations, observeAgent } from '../../../src/suite/play/observe.ts';

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
const views = [{ protocol: 'mcp', activity: () => ({ use: true }) }] as unknown as readonly BindingViews[];

test.each([
  ['reports no end of an agent that got no request and stays connected', [], 'session_limit', undefined],
  ['reports no end of an agent that got no request and leaves', [], 'idle', undefined],
  [
    'reports no end of an agent that got no request, repeats one call and stays connected',
    Array(12).fill(called),
    'session_limit',
    undefined,
  ],
  ['reports "looped" for an agent that got no request and floods us with messages', [], 'flood', 'looped'],
  ['reports "hung" for an agent that owes an answer when the time is over', [asked], 'session_limit', 'hung'],
  ['reports "silent" for an agent that was asked and said nothing', [asked], 'idle', 'silent'],
])('observeAgent: %s', (_, records, reason, ended) => {
  const observer = observeAgent(views, () => 0);
  for (const record of records) observer.add(record);
  expect(observer.conclude({ reason } as RunEnd, {}).ended).toBe(ended);
});

describe('observeAgent', () => {
  /** Each record, and the milliseconds that pass before it. */
  type TimedRecord = readonly [after: number, record: object];

  function seen(reported: readonly TimedRecord[], reason = 'finished', facts: AgentObservations = {}): Observation {
    let now = 100;
    const observer = observeAgent(includedViews, () => now);
    for (const [after, record] of reported) {
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
  const times = (count: number, ...reported: readonly TimedRecord[]): TimedRecord[] =>
    Array.from({ length: count }, () => reported).flat();
  const quiet = { duration_ms: 1_000, owed: 0, calls: 0, repeats: 0 };

  test.each<[string, readonly TimedRecord[], string, AgentObservations, object]>([
    ['reports no end without records', [], 'finished', {}, quiet],
    [
      'measures the time of an answer',
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
      'measures the longest of two answers',
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
      'reports "answered" for an answer that never ended',
      [
        [0, ask],
        [20, words],
      ],
      'finished',
      {},
      { ...quiet, ended: 'answered', duration_ms: 1_020, answer_ms: 20, owed: 0 },
    ],
    [
      'reports "hung" for an answer that never ended before the time was over',
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
      'reports "hung" without an answer when the time of the last phases is over',
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
      'reports "silent" without an answer',
      [[0, ask]],
      'idle',
      {},
      { ...quiet, ended: 'silent', reason: 'it said and did nothing', owed: 1 },
    ],
    [
      'reports "answered" when the connection closes after words',
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
      'reports "gave_up" when the connection fails',
      [
        [0, ask],
        [0, left({ reason: 'HTTP 500' })],
      ],
      'idle',
      {},
      { ...quiet, ended: 'gave_up', reason: 'HTTP 500', answer_ms: 0 },
    ],
    [
      'reports "gave_up" when the connection fails and stays open',
      [
        [0, ask],
        [0, left({ event: 'failed', reason: 'HTTP 500' })],
      ],
      'idle',
      {},
      { ...quiet, ended: 'gave_up', reason: 'HTTP 500', owed: 1 },
    ],
    [
      'reports "gave_up" when the agent is unreachable before any answer',
      [
        [0, ask],
        [0, left({ reason: 'refused', absent: true })],
      ],
      'idle',
      {},
      { ...quiet, ended: 'gave_up', reason: 'refused', answer_ms: 0 },
    ],
    [
      'reports "crashed" when the agent is unreachable after an answer',
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
      'reports "gave_up" when the agent’s run ends in an error',
      [
        [0, ask],
        [0, failed],
      ],
      'idle',
      {},
      { ...quiet, ended: 'gave_up', reason: 'its run ended in an error: no', owed: 1 },
    ],
    [
      'reports the first of two errors',
      [
        [0, ask],
        [0, failed],
        [0, left({ reason: 'HTTP 500' })],
      ],
      'idle',
      {},
      { ...quiet, ended: 'gave_up', reason: 'its run ended in an error: no', answer_ms: 0 },
    ],
    ['counts a call', [[0, call()]], 'idle', {}, { ...quiet, calls: 1, repeats: 1 }],
    [
      'counts calls as equal when they differ only in `_meta`',
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
      'counts calls that are also reported to the user once',
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
      'counts calls as equal when only the order of keys differs',
      [
        [0, call({ a: 1, b: 2 })],
        [0, call({ b: 2, a: 1 })],
      ],
      'idle',
      {},
      { ...quiet, calls: 2, repeats: 2 },
    ],
    [
      'measures an answer whose parts have ids of their own',
      [
        [0, ask],
        [20, { ...words, id: 'e' }],
      ],
      'idle',
      {},
      { ...quiet, ended: 'answered', duration_ms: 1_020, answer_ms: 20 },
    ],
    [
      'reports "silent" when the agent only listed the tools',
      [
        [0, ask],
        [0, { ...called, method: 'tools/list' }],
      ],
      'idle',
      {},
      { ...quiet, ended: 'silent', reason: 'it said and did nothing', owed: 1 },
    ],
    ['ignores the listing of tools', [[0, { ...called, method: 'tools/list' }]], 'idle', {}, quiet],
    ['ignores our own messages as a server', [[0, { ...called, origin: 'attacker' }]], 'idle', {}, quiet],
    ['ignores our own notifications', [[0, { ...ask, kind: 'notification' }]], 'idle', {}, quiet],
    ['ignores a record that is not about a connection', [[0, left({ kind: 'log', reason: 'x' })]], 'idle', {}, quiet],
    [
      'reports "looped" for ten equal calls and an error',
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
      'reports "gave_up" for nine equal calls and an error',
      [[0, ask], ...times(9, [0, call()]), [0, failed]],
      'idle',
      {},
      { ...quiet, ended: 'gave_up', reason: 'its run ended in an error: no', owed: 1, calls: 9, repeats: 9 },
    ],
    [
      'reports "answered" for ten equal calls and an answer',
      [[0, ask], ...times(10, [0, call()]), [0, words], [0, done]],
      'idle',
      {},
      { ...quiet, ended: 'answered', calls: 10, repeats: 10, answer_ms: 0 },
    ],
    [
      'reports "crashed" for ten equal calls, an error and an exit code',
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
      'reports "looped" for a flood of messages',
      [],
      'flood',
      {},
      { ...quiet, ended: 'looped', reason: 'it sent more messages than a run may have' },
    ],
    [
      'reports "crashed" for a program that ended by a signal',
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
      'reports "answered" with exit code and memory for a program that ended well',
      [
        [0, ask],
        [0, words],
        [0, done],
      ],
      'finished',
      { program: { exitCode: 0, stderr: '' }, health: { memoryBytes: 7 } },
      { ...quiet, ended: 'answered', answer_ms: 0, exit_code: 0, signal: null, memory_bytes: 7 },
    ],
    ...(['memory', 'output'] as const).map((cut): [string, TimedRecord[], string, AgentObservations, object] => [
      `reports "exhausted" for a program that used too much ${cut}`,
      [[0, ask]],
      'idle',
      { program: { signal: 'SIGKILL', stderr: '' }, health: { cut, why: 'too much' } },
      { ...quiet, ended: 'exhausted', reason: 'too much', owed: 1, exit_code: null, signal: 'SIGKILL' },
    ]),
    [
      'reports "hung" for a program that took too long',
      [[0, ask]],
      'idle',
      { program: { signal: 'SIGKILL', stderr: '' }, health: { cut: 'time', why: 'too long' } },
      { ...quiet, ended: 'hung', reason: 'too long', owed: 1, exit_code: null, signal: 'SIGKILL' },
    ],
    [
      'reports tokens and their cost',
      [],
      'idle',
      { usage: { inputTokens: 3, outputTokens: 4, cost: 5 } as AgentObservations['usage'] & {} },
      { ...quiet, input_tokens: 3, output_tokens: 4, cost: 5 },
    ],
    [
      'reports tokens without a cost',
      [],
      'idle',
      { usage: { inputTokens: 3, outputTokens: 4 } as AgentObservations['usage'] & {} },
      { ...quiet, input_tokens: 3, output_tokens: 4 },
    ],
  ])('%s', (_, reported, reason, facts, expected) => {
    expect(seen(reported, reason, facts)).toEqual(expected);
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

  test.each<[string, readonly TimedRecord[], string | undefined]>([
    ['expects no answer to a broken request', [[0, broken('cut')]], undefined],
    [
      'reports "answered" when a broken request is refused',
      [
        [0, broken('cut')],
        [0, refusal],
      ],
      'answered',
    ],
    [
      'reports "answered" when a broken request is answered',
      [
        [0, broken('cut')],
        [0, answered({ content: { tools: [] } })],
      ],
      'answered',
    ],
    [
      'reports "gave_up" when a broken request fails',
      [
        [0, broken('cut')],
        [0, answered({ failed: true, content: { code: -32000 } })],
      ],
      'gave_up',
    ],
    [
      'reports "answered" when a broken request is refused by HTTP 400',
      [
        [0, broken('cut')],
        [0, closed({ status: 400 })],
      ],
      'answered',
    ],
    [
      'reports "gave_up" when a broken request is answered with HTTP 500',
      [
        [0, broken('cut')],
        [0, closed({ status: 500 })],
      ],
      'gave_up',
    ],
    [
      'reports no end when the connection is cut after a broken request',
      [
        [0, broken('cut')],
        [0, closed({})],
      ],
      undefined,
    ],
    [
      'reports "answered" when a whole request is answered',
      [
        [0, broken()],
        [0, answered({ content: { tools: [] } })],
      ],
      'answered',
    ],
    [
      'reports "gave_up" when a whole request is answered with nothing',
      [
        [0, broken()],
        [0, answered({ content: {} })],
      ],
      'gave_up',
    ],
    [
      'reports "answered" for an empty answer to a broken ping',
      [
        [0, { ...broken('cut'), method: 'ping' }],
        [0, answered({ method: 'ping', content: {} })],
      ],
      'answered',
    ],
    [
      'reports "silent" for an empty answer to a whole ping',
      [
        [0, { ...broken(), method: 'ping' }],
        [0, answered({ method: 'ping', content: {} })],
      ],
      'silent',
    ],
    [
      'reports no end when the connection closes without a reason after a broken request',
      [
        [0, broken('cut')],
        [0, closed({ status: 400, reason: undefined })],
      ],
      undefined,
    ],
    [
      'reports "answered" when a whole request is refused',
      [
        [0, broken()],
        [0, refusal],
      ],
      'answered',
    ],
  ])('%s', (_, reported, ended) => {
    expect(seen(reported).ended).toBe(ended);
  });
});
