import { describe, expect, test } from 'vitest';
import { mcpServer } from '../../../src/attack/bindings/mcp/mcp-server-binding.ts';
import { readAnswerContent } from '../../../src/attack/engine/actor-messages.ts';
import type { AnswerPlan } from '../../../src/attack/engine/binding.ts';
import type { Value, ValueMap } from '../../../src/index.ts';

const asIs = (value: Value): Value => value;
const now = '2026-01-01T00:00:00.000Z';
const result = { content: [{ type: 'text', text: 'done' }] };
const capabilities = { tasks: { requests: { tools: { call: {} } } } };
const state: ValueMap = {
  capabilities,
  tools: [{ name: 'slow', responses: [{ content: result }] }],
  elicitations: [{ when: { 'arguments.ask': true }, message: 'your key?', _meta: { own: 1 } }],
};

/** A server that remembers, and its answers. */
function server(of: Value = state) {
  let memory: Value | undefined;
  let ids = 0;
  const plan = (method: string, params?: Value): AnswerPlan => {
    const context = {
      ids: { own: 'own', fresh: () => `task-${++ids}` },
      memory,
      endpoint: undefined,
      timestamp: () => now,
    };
    const made = mcpServer.plan({ method, params }, of, asIs, context);
    memory = made.memory ?? memory;
    return made;
  };
  return {
    plan,
    ask: (method: string, params?: Value) => readAnswerContent(plan(method, params).answer(asIs)),
  };
}

const call = (args: Value = {}, task: Value = { ttl: 5 }): Value => ({ name: 'slow', arguments: args, task });
const shown = (status: string, ttl: Value = 5): Value => ({
  taskId: 'task-1',
  status,
  ttl,
  createdAt: now,
  lastUpdatedAt: now,
  pollInterval: 500,
});
const related = { 'io.modelcontextprotocol/related-task': { taskId: 'task-1' } };
const taskId = { taskId: 'task-1' };

describe('MCP server, a call that asks for a task', () => {
  test('is answered with the task, whose result can be fetched', () => {
    const { ask } = server();
    expect(ask('tools/call', call())).toEqual({ task: shown('working') });
    expect(ask('tasks/get', taskId)).toEqual(shown('completed'));
    expect(ask('tasks/result', taskId)).toEqual({ ...result, _meta: related });
    expect(ask('tasks/list')).toEqual({ tasks: [shown('completed')] });
  });

  test('lives as long as the run without a ttl', () => {
    const { ask } = server();
    expect(ask('tools/call', call({}, {}))).toEqual({ task: shown('working', null) });
  });

  test('asks its question when the result is fetched, once', () => {
    const { ask, plan } = server();
    expect(plan('tools/call', call({ ask: true })).steps).toEqual([]);
    expect(ask('tasks/get', taskId)).toEqual(shown('input_required'));
    const [step, ...others] = plan('tasks/result', taskId).steps;
    expect(others).toEqual([]);
    expect(step?.kind === 'ask' && [step.method, step.params(asIs)]).toEqual([
      'elicitation/create',
      { message: 'your key?', _meta: { ...related, own: 1 } },
    ]);
    expect(plan('tasks/result', taskId).steps).toEqual([]);
    expect(ask('tasks/get', taskId)).toEqual(shown('completed'));
  });

  test('fills in templates from the call', () => {
    const { ask, plan } = server({
      capabilities,
      tools: [{ name: 'slow', responses: [{ content: [{ text: '{{request.arguments.a}}' }] }] }],
    });
    ask('tools/call', call({ a: 'of the call' }));
    const seen: (Value | undefined)[] = [];
    plan('tasks/result', taskId).answer((value, request) => {
      seen.push(request);
      return value;
    });
    expect(seen).toEqual([call({ a: 'of the call' })]);
  });

  test('can be cancelled while it waits', () => {
    const { ask } = server();
    ask('tools/call', call({ ask: true }));
    expect(ask('tasks/cancel', taskId)).toEqual(shown('cancelled'));
    expect(ask('tasks/get', taskId)).toEqual(shown('cancelled'));
    expect(ask('tasks/cancel', taskId)).toMatchObject({ code: -32602 });
    expect(ask('tasks/result', taskId)).toMatchObject({ code: -32602 });
  });

  test('is refused for an unknown tool', () => {
    expect(server().ask('tools/call', { name: 'other', task: {} })).toMatchObject({ code: -32602 });
  });

  test.each(['tasks/get', 'tasks/result', 'tasks/cancel'])('is refused for an unknown task by %s', (method) => {
    const { ask } = server();
    expect(ask(method, { taskId: 'who' })).toMatchObject({ code: -32602, message: 'Task not found' });
    expect(ask(method, [])).toMatchObject({ code: -32602 });
  });

  test('is forgotten when there are more than 100', () => {
    const { ask } = server();
    for (let count = 0; count < 150; count++) ask('tools/call', call());
    expect((ask('tasks/list') as { tasks: Value[] }).tasks).toHaveLength(100);
    expect(ask('tasks/get', taskId)).toMatchObject({ code: -32602 });
  });
});

test.each<[string, ValueMap]>([
  ['nothing', {}],
  ['other capabilities', { capabilities: { tools: {} } }],
  ['tasks of other requests', { capabilities: { tasks: { requests: { sampling: { createMessage: {} } } } } }],
  ['null', { capabilities: null }],
])('MCP server: answers a call that asks for a task with its result where %s is declared', (_, declared) => {
  const { capabilities: _declared, ...rest } = state;
  expect(server({ ...rest, ...declared }).ask('tools/call', call())).toEqual(result);
});

test.each([null, 'soon', true, []])('MCP server: does not read task %j as a wish for a task', (task) => {
  expect(server().ask('tools/call', call({}, task))).toEqual(result);
});

describe('MCP server, the protocol version', () => {
  test.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2099-01-01', '2025-11-25'],
    [null, '2025-11-25'],
  ])(
    'answers a client of version %s, for a document without a version, with version %s',
    (protocolVersion, expected) => {
      expect(server({}).ask('initialize', { protocolVersion })).toMatchObject({ protocolVersion: expected });
    },
  );

  test('answers with the version of a document that names one', () => {
    const { ask } = server({ protocol_version: '2024-11-05' });
    expect(ask('initialize', { protocolVersion: '2025-11-25' })).toMatchObject({
      protocolVersion: '2024-11-05',
    });
  });
});

describe('MCP server, several tasks', () => {
  test('are kept apart', () => {
    const { ask } = server();
    ask('tools/call', call({ ask: true }));
    ask('tools/call', call({ ask: true }));
    ask('tasks/cancel', { taskId: 'task-2' });
    const statuses = (ask('tasks/list') as { tasks: readonly ValueMap[] }).tasks.map(({ status }) => status);
    expect(statuses).toEqual(['input_required', 'cancelled']);
    expect(ask('tasks/result', { taskId: 'task-2' })).toMatchObject({ code: -32602 });
    expect(ask('tasks/cancel', { taskId: 'task-2' })).toMatchObject({ code: -32602 });
    expect(ask('tasks/cancel', taskId)).toMatchObject({ taskId: 'task-1', status: 'cancelled' });
  });

  test('are remembered up to 100, the latest', () => {
    const { ask } = server();
    for (let count = 0; count < 101; count += 1) ask('tools/call', call());
    const { tasks } = ask('tasks/list') as { tasks: readonly ValueMap[] };
    expect([tasks.length, tasks[0]?.taskId, tasks.at(-1)?.taskId]).toEqual([100, 'task-2', 'task-101']);
  });

  test.each<[Value, Value]>([
    [{ ttl: 5 }, 5],
    [{ ttl: 'long' }, null],
  ])('have for %j the ttl %j', (task, ttl) => {
    expect(server().ask('tools/call', call({}, task))).toMatchObject({ task: { ttl } });
  });

  test.each<Value | undefined>([null, undefined, {}])('are not found by the params %j', (params) => {
    expect(server().ask('tasks/get', params)).toMatchObject({ code: -32602 });
  });

  test('cannot be cancelled after they have ended', () => {
    const { ask } = server();
    ask('tools/call', call());
    expect(ask('tasks/cancel', taskId)).toMatchObject({ code: -32602 });
  });

  test('leave the rest of the server’s memory unchanged', () => {
    const context = {
      ids: { own: 'own', fresh: () => 'task-1' },
      memory: { clients: ['c'] },
      endpoint: undefined,
      timestamp: () => now,
    };
    const { memory } = mcpServer.plan({ method: 'tools/call', params: call() }, state, asIs, context);
    expect(memory).toMatchObject({ clients: ['c'], tasks: [{ taskId: 'task-1' }] });
    expect((memory as unknown as { tasks: object[] }).tasks[0]).not.toHaveProperty('call');
  });

  test('keep the call when a template needs it later', () => {
    const filled = { capabilities, tools: [{ name: 'slow', responses: [{ content: ['{{request.arguments.a}}'] }] }] };
    const { plan } = server(filled);
    const { memory } = plan('tools/call', call({ a: 1 }));
    expect(memory).toMatchObject({ tasks: [{ call: { arguments: { a: 1 } } }] });
  });
});
