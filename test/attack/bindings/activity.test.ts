import { describe, expect, test } from 'vitest';
import { readA2aActivity } from '../../../src/attack/bindings/a2a/a2a-activity.ts';
import { readAgUiActivity } from '../../../src/attack/bindings/ag-ui/ag-ui-activity.ts';
import { readAgUiUsage } from '../../../src/attack/bindings/ag-ui/ag-ui-views.ts';
import { readMcpActivity } from '../../../src/attack/bindings/mcp/mcp-activity.ts';
import type { AgentActivity } from '../../../src/format/model/binding-views.ts';
import type { MessageRecord, Value } from '../../../src/index.ts';
import { message } from '../../support/records.ts';

// What one message shows of the agent. Outcomes are decided by nothing else.

type Fields = Partial<MessageRecord>;
const atWork: AgentActivity = { alive: true, use: true };
const asks: AgentActivity = { ...atWork, surface: 'ag-ui' };
const refused = (code: number): Fields => ({ failed: true, content: { code, message: 'no' } });

const nothing = (method: string): AgentActivity => ({
  trouble: `it answered ${method} with nothing that answers it`,
  refusal: 'the answer has nothing that answers it',
});

describe('readMcpActivity, where we are the server', () => {
  const modern = '2026-07-28';
  const asking = (method: string, fields: Fields = {}): Fields => ({ method, ...fields });
  const answering = (method: string, fields: Fields = {}): Fields => ({
    kind: 'response',
    method,
    ...fields,
  });
  const ours = (kind: MessageRecord['kind'], method: string, fields: Fields = {}): Fields => ({
    origin: 'attacker',
    kind,
    method,
    ...fields,
  });
  test.each<[Fields, AgentActivity]>([
    ...['tools/call', 'resources/read', 'prompts/get', 'tasks/result'].map((method): [Fields, AgentActivity] => [
      asking(method),
      { ...atWork, surface: method.split('/')[0] ?? '' },
    ]),
    [asking('tasks/get'), { surface: 'tasks' }],
    [asking('tasks/get', { era: modern }), { ...atWork, surface: 'tasks' }],
    [asking('tasks/update', { era: modern }), { ...atWork, surface: 'tasks' }],
    [asking('tasks/cancel', { era: modern }), { surface: 'tasks' }],
    [asking('tools/list'), { surface: 'tools', lists: true }],
    [asking('tools/list', { content: { cursor: 'p2' } }), { surface: 'tools' }],
    [asking('tools/list', { content: null }), { surface: 'tools', lists: true }],
    [
      asking('initialize', { content: { capabilities: { roots: {}, sampling: {} } } }),
      { declares: ['roots', 'sampling'] },
    ],
    [asking('initialize', { content: { capabilities: 'all' } }), { declares: [] }],
    [asking('initialize', { content: null }), { declares: [] }],
    [asking('server/discover'), { probes: true }],
    [asking('subscriptions/listen'), {}],
    [asking('notifications/initialized', { kind: 'notification' }), {}],
    [asking('notifications/cancelled', { kind: 'notification', content: { requestId: 7 } }), { cancels: 7 }],
    [asking('notifications/cancelled', { kind: 'notification', content: null }), {}],
    ...['accept', 'decline', 'cancel'].map((action): [Fields, AgentActivity] => [
      answering('elicitation/create', { content: { action } }),
      { ...atWork, surface: 'elicitation' },
    ]),
    ...[null, {}, 'yes', { action: 'perhaps' }].map((content): [Fields, AgentActivity] => [
      answering('elicitation/create', { content }),
      { ...nothing('elicitation/create'), surface: 'elicitation' },
    ]),
    [
      answering('sampling/createMessage', { content: { content: { type: 'text' } } }),
      { ...atWork, surface: 'sampling' },
    ],
    [
      answering('sampling/createMessage', { content: {} }),
      { ...nothing('sampling/createMessage'), surface: 'sampling' },
    ],
    [
      answering('sampling/createMessage', refused(-32000)),
      {
        trouble: 'it answered sampling/createMessage with error -32000 (no)',
        refuses: true,
        surface: 'sampling',
      },
    ],
    [answering('ping'), {}],
    [answering('elicitation/create', refused(-1)), { ...atWork, surface: 'elicitation' }],
    [answering('sampling/createMessage', refused(-1)), { ...atWork, surface: 'sampling' }],
    [answering('sampling/createMessage', refused(-32601)), { refusal: 'error -32601 (no)' }],
    [ours('response', 'tools/call'), { use: true }],
    [ours('response', 'tools/list'), {}],
    [ours('response', 'tasks/get', { era: modern }), { use: true }],
    [ours('request', 'elicitation/create'), {}],
    [ours('request', 'elicitation/create', { era: modern }), { answersIfDeclared: 'elicitation' }],
    [ours('request', 'tools/call', { era: modern, mode: 'mcp_client' }), {}],
    [ours('notification', 'notifications/message', { era: modern }), {}],
  ])('reads from %j the activity %j', (fields, activity) => {
    expect(readMcpActivity(message(fields))).toEqual(activity);
  });
});

describe('readMcpActivity, where we are the client', () => {
  const answer = (method: string, content: Value, fields: Fields = {}): Fields => ({
    kind: 'response',
    method,
    content,
    ...fields,
  });
  const modern = { era: '2026-07-28' };
  const failedTask = { trouble: 'its task failed', refuses: true } as const;
  test.each<[Fields, AgentActivity]>([
    [{ kind: 'request', method: 'sampling/createMessage' }, atWork],
    [{ kind: 'request', method: 'ping' }, {}],
    [{ kind: 'notification', method: 'notifications/message' }, {}],
    [answer('tools/call', { content: [] }), atWork],
    [
      answer('tools/call', { resultType: 'complete', _meta: {}, ttlMs: 1, cacheScope: 'private' }),
      nothing('tools/call'),
    ],
    [answer('tools/list', {}), { ...nothing('tools/list'), changes: ['tool'] }],
    ...['resources/read', 'prompts/get', 'completion/complete', 'tasks/list', 'tasks/get'].map(
      (method): [Fields, AgentActivity] => [answer(method, {}), nothing(method)],
    ),
    ...[{ content: null }, { content: 'no' }, { structuredContent: null }, { tools: [] }].map(
      (content): [Fields, AgentActivity] => [answer('tools/call', content), nothing('tools/call')],
    ),
    [answer('tools/call', { structuredContent: 5 }), atWork],
    [answer('tools/call', { resultType: 'odd', content: [] }), atWork],
    [answer('tools/call', { resultType: 'odd', content: [] }, modern), nothing('tools/call')],
    ...[
      'logging/setLevel',
      'resources/subscribe',
      'resources/unsubscribe',
      'tasks/update',
      'tasks/cancel',
      'logging/x',
      'x/y',
    ].map((method): [Fields, AgentActivity] => [answer(method, {}), atWork]),
    [answer('tools/list', null), { ...nothing('tools/list'), changes: ['tool'] }],
    [answer('x/y', []), nothing('x/y')],
    [answer('initialize', {}), {}],
    [answer('server/discover', {}), {}],
    [answer('tools/call', { resultType: 'task', status: 'completed' }, modern), {}],
    [answer('tools/call', { resultType: 'task', status: 'completed', result: {} }, modern), atWork],
    [answer('tools/call', { resultType: 'task', status: 'input_required' }, modern), atWork],
    [answer('tools/call', { resultType: 'task', status: 'working' }, modern), {}],
    [answer('tools/call', { resultType: 'task', status: 'failed' }, modern), failedTask],
    [answer('tools/call', { resultType: 'task' }, modern), nothing('tools/call')],
    [answer('tools/call', { resultType: 'task', status: 'working' }), nothing('tools/call')],
    [answer('tasks/get', { status: 'failed' }), failedTask],
    [answer('tasks/get', { status: 'completed' }), atWork],
    [answer('tools/call', { task: { status: 'working' } }), {}],
    [answer('tools/call', { task: { status: 'completed' } }), {}],
    [answer('tools/call', { task: {} }), nothing('tools/call')],
    [answer('prompts/get', { task: { status: 'working' } }), nothing('prompts/get')],
    [answer('tools/call', { task: 'working' }), nothing('tools/call')],
    [answer('tools/call', { resultType: 'input_required', inputRequests: { q1: { method: 'm' } } }, modern), atWork],
    [
      answer('tools/call', { resultType: 'input_required', inputRequests: { q1: { method: 'm' } } }),
      nothing('tools/call'),
    ],
    ...[{}, { inputRequests: {} }, { inputRequests: 'q1' }, { inputRequests: { q1: {} } }].map(
      (more): [Fields, AgentActivity] => [
        answer('tools/call', { resultType: 'input_required', ...more }, modern),
        { trouble: 'it only asks for another round of tools/call' },
      ],
    ),
    [
      answer('tools/call', null, refused(-32000)),
      { trouble: 'it answered tools/call with error -32000 (no)', refuses: true },
    ],
    [
      answer('tools/call', null, refused(-32602)),
      {
        trouble: 'it answered tools/call with error -32602 (no)',
        refuses: true,
        refusal: 'error -32602 (no)',
      },
    ],
    [
      answer('tools/call', null, refused(-32603)),
      { trouble: 'it answered tools/call with error -32603 (no)', refusal: 'error -32603 (no)' },
    ],
    [answer('tools/call', 'no', { failed: true }), { trouble: 'it answered tools/call with an error', refuses: true }],
    [answer('ping', { code: 7 }, { failed: true }), { trouble: 'it answered ping with error 7', refuses: true }],
    [answer('ping', {}, { failed: true }), { trouble: 'it answered ping with error ', refuses: true }],
  ])('reads from %j the activity %j', (fields, activity) => {
    expect(readMcpActivity(message({ mode: 'mcp_client', ...fields }))).toEqual(activity);
  });
});

describe('readA2aActivity, where we are the server', () => {
  const config = { configuration: { pushNotificationConfig: {} } };
  test.each<[Fields, AgentActivity]>([
    [{ method: 'message/send' }, atWork],
    [{ method: 'message/stream' }, atWork],
    [{ method: 'message/send', content: null }, atWork],
    [
      { method: 'message/send', content: config },
      { ...atWork, surface: 'push' },
    ],
    [{ method: 'message/send', content: { configuration: {} } }, atWork],
    [{ method: 'tasks/pushNotificationConfig/set' }, { surface: 'push' }],
    [{ method: 'tasks/get' }, {}],
    [{ method: 'agent_card/get' }, { probes: true }],
    [{ method: 'message/send', kind: 'response' }, {}],
    [{ method: 'message/send', kind: 'response', origin: 'attacker' }, { use: true }],
    [{ method: 'message/send', kind: 'event', origin: 'attacker' }, {}],
    [{ method: 'tasks/get', kind: 'response', origin: 'attacker' }, {}],
  ])('reads from %j the activity %j', (fields, activity) => {
    expect(readA2aActivity(message({ mode: 'a2a_server', protocol: 'a2a', ...fields }))).toEqual(activity);
  });
});

describe('readA2aActivity, where we are the client', () => {
  const answer = (content: Value, method = 'message/send', fields: Fields = {}): Fields => ({
    kind: 'response',
    method,
    content,
    ...fields,
  });
  const said = (...parts: readonly Value[]): Value => ({ kind: 'message', role: 'agent', parts });
  const blank = { trouble: 'it answered with a blank message' };
  const unanswered = (method: string): AgentActivity => ({
    trouble: `it answered ${method} with nothing that answers it`,
    refusal: 'the answer is empty',
  });
  const neither = {
    trouble: 'its answer is neither a task nor a message',
    refusal: 'the answer is neither a task nor a message',
  };
  const trouble = (code: number): string => `it answered message/send with error ${code} (no)`;
  test.each<[Fields, AgentActivity]>([
    [{ origin: 'attacker', method: 'message/send' }, {}],
    ...['completed', 'input-required', 'rejected'].map((state): [Fields, AgentActivity] => [
      answer({ id: 't', status: { state } }),
      atWork,
    ]),
    ...['canceled', 'auth-required', 'unknown'].map((state): [Fields, AgentActivity] => [
      answer({ id: 't', status: { state } }),
      { trouble: `its task is ${state}` },
    ]),
    [answer({ id: 't', status: { state: 'failed' } }), { trouble: 'its task is failed', refuses: true }],
    [answer({ id: 't', status: { state: 'working' } }), {}],
    [answer({ status: { state: 'working' } }), { trouble: 'its task is still open and has no id to poll' }],
    [answer({ status: { state: 'working' } }, 'message/stream', { kind: 'event' }), {}],
    [answer({ status: { state: 'working' } }, 'tasks/get'), {}],
    ...['tasks/get', 'tasks/resubscribe', 'task/status', 'message/stream'].map((method): [Fields, AgentActivity] => [
      answer({}, method),
      neither,
    ]),
    ...[{}, [], { tasks: [] }].map((content): [Fields, AgentActivity] => [answer(content, 'tasks/list'), atWork]),
    [answer(null, 'tasks/list'), unanswered('tasks/list')],
    [answer({}, 'tasks/cancel'), unanswered('tasks/cancel')],
    [answer({ status: { state: 'canceled' } }, 'tasks/cancel'), atWork],
    [answer(null, 'tasks/pushNotificationConfig/delete'), atWork],
    [answer({}, 'agent_card/get'), { ...unanswered('agent_card/get'), probes: true }],
    [answer({ name: 'A' }, 'agent_card/get'), { ...atWork, probes: true, pages: [{ kind: 'capability', names: [] }] }],
    [answer(null), { trouble: 'it answered with nothing', refusal: 'the answer is empty' }],
    [answer(said({ kind: 'text', text: 'hello' })), atWork],
    [answer(said({ kind: 'text', text: ' ' }, { kind: 'text', text: 'hello' })), atWork],
    [answer(said({ kind: 'text', text: ' ' })), blank],
    [answer(said()), blank],
    [answer(said('hello')), blank],
    [answer(said({ kind: 'data', data: {} })), blank],
    [answer(said({ kind: 'data', data: null })), blank],
    [answer(said({ kind: 'data', data: { a: 1 } })), atWork],
    [answer(said({ kind: 'data', data: 5 })), atWork],
    [answer(said({ type: 'x', metadata: { a: 1 }, filename: 'f', mediaType: 'text/plain' })), blank],
    [answer({ kind: 'message', role: 'agent' }), blank],
    [answer({ artifact: { parts: [{ text: 'a' }] } }, 'task/artifact'), atWork],
    [answer({ artifact: { parts: [{ text: '' }] } }, 'task/artifact'), {}],
    [answer({ artifact: 'a' }, 'task/artifact'), neither],
    [answer(null, 'message/send', refused(-32000)), { trouble: trouble(-32000), refuses: true }],
    [answer(null, 'message/send', refused(-32603)), { trouble: trouble(-32603), refusal: 'error -32603 (no)' }],
    [
      answer(null, 'message/send', refused(-32601)),
      { trouble: trouble(-32601), refuses: true, refusal: 'error -32601 (no)' },
    ],
    ...[-32008, -32009].map((code): [Fields, AgentActivity] => [
      answer(null, 'message/send', refused(code)),
      { trouble: trouble(code), refusal: `error ${code} (no)` },
    ]),
  ])('reads from %j the activity %j', (fields, activity) => {
    expect(readA2aActivity(message({ mode: 'a2a_client', protocol: 'a2a', ...fields }))).toEqual(activity);
  });
});

describe('readAgUiActivity and readAgUiUsage', () => {
  const event = (method: string, content: Value, fields: Fields = {}): Fields => ({
    kind: 'event',
    method,
    content,
    ...fields,
  });
  const shot = (...messages: readonly Value[]): Fields => event('messages_snapshot', { messages });
  const interrupt = { outcome: { type: 'interrupt', interrupts: [] } };
  test.each<[Fields, AgentActivity]>([
    [event('text_message_content', { delta: 'a' }), atWork],
    [event('text_message_content', { delta: ' ' }), {}],
    [event('text_message_content', { delta: 5 }), {}],
    [event('text_message_content', { delta: 'a' }, { origin: 'attacker' }), {}],
    [event('text_message_content', null), {}],
    [event('text_message_chunk', { delta: 'a' }), atWork],
    [event('tool_call_start', {}), atWork],
    [event('tool_call_chunk', {}), atWork],
    [event('tool_call_end', {}), {}],
    [event('toString', {}), {}],
    [shot({ role: 'user', content: 'a' }, { role: 'assistant', content: 'b' }), atWork],
    [shot({ role: 'assistant', content: 'b' }, { role: 'user', content: 'a' }), {}],
    [shot({ role: 'assistant', content: ' ' }), {}],
    [shot('b'), {}],
    [event('messages_snapshot', { messages: 'b' }), {}],
    [event('messages_snapshot', {}), {}],
    [event('run_finished', interrupt), asks],
    [event('run_finished', { outcome: 'interrupt' }), asks],
    [event('run_finished', { outcome: { type: 'cancelled' } }), {}],
    [event('run_finished', {}), {}],
    [event('custom', { name: 'on_interrupt' }), asks],
    [event('custom', { name: 'other' }), {}],
    [event('state_snapshot', { snapshot: {} }), { surface: 'ag-ui' }],
    [event('state_delta', { delta: [] }), { surface: 'ag-ui' }],
    [event('run_error', { message: 'no' }), { trouble: 'its run ended in an error: no', refuses: true }],
    [event('run_error', {}), { trouble: 'its run ended in an error', refuses: true }],
    [event('run_error', { code: 'not_there' }), { trouble: 'its run ended in an error', refuses: true }],
  ])('read from %j the activity %j', (fields, activity) => {
    expect(readAgUiActivity(message({ mode: 'ag_ui_client', protocol: 'ag_ui', ...fields }))).toEqual(activity);
  });

  const usage = [{ inputTokens: 3, outputTokens: 1 }, { inputTokens: 4 }];
  const counted = { inputTokens: 7, outputTokens: 1 };
  const none = { inputTokens: 0, outputTokens: 0 };
  test.each<[Fields, ReturnType<typeof readAgUiUsage>]>([
    [event('run_finished', { usage }), counted],
    [event('run_error', { usage }), counted],
    [
      event('run_finished', {
        usage: [{ inputTokens: -1, outputTokens: 1.5 }, { inputTokens: '3' }, 7, null],
      }),
      none,
    ],
    [event('run_finished', { usage: {} }), undefined],
    [event('run_finished', null), undefined],
    [event('run_started', { usage }), undefined],
    [event('run_finished', { usage }, { origin: 'attacker' }), undefined],
  ])('read from %j the token usage %j', (fields, expected) => {
    expect(readAgUiUsage(message(fields))).toEqual(expected);
  });
});
