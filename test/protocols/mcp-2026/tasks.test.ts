import { afterEach, describe, expect, test } from 'vitest';
import { mirrorRequest } from '../../../src/attack/transport/mcp-server/mirrored-headers.ts';
import { createStdioServer } from '../../../src/attack/transport/mcp-server/stdio-server.ts';
import { isValueMap } from '../../../src/format/model/value.ts';
import { mcp2026, mcpTasks, metaKey } from '../../../src/format/registry/mcp-2026.ts';
import type { Value, ValueMap } from '../../../src/index.ts';
import { linePeer, openPipes } from '../../contract/raw-peers.ts';
import { bothTypes, eventually } from '../../support/http-peer.ts';
import { type RunningActor, runActor } from '../../support/run-actor.ts';

// Tasks from end to end: a raw client that polls, answers, cancels and listens.

let actor: RunningActor;
afterEach(() => actor.stop());

const text = (words: string): Value => ({ content: [{ type: 'text', text: words }] });
const document = JSON.stringify({
  oatf: '0.1',
  attack: {
    execution: {
      mode: 'mcp_server',
      phases: [
        {
          state: {
            tools: [
              { name: 'slow', responses: [{ task: { polls: 1, pollIntervalMs: 5 }, content: text('done') }] },
              { name: 'ask', responses: [{ task: {}, content: text('got {{request.arguments.q}}') }] },
            ],
            elicitations: [{ when: { name: 'ask' }, message: 'Code?', requestedSchema: { type: 'object' } }],
          },
          trigger: { event: 'tasks/cancel' },
        },
        {
          on_enter: [{ send: { method: 'notifications/tasks', params: { taskId: 'fresh', status: 'cancelled' } } }],
        },
      ],
    },
  },
});

const meta = {
  [metaKey.protocolVersion]: mcp2026,
  [metaKey.clientInfo]: { name: 'raw', version: '1' },
  [metaKey.clientCapabilities]: { elicitation: {}, extensions: { [mcpTasks]: {} } },
};

interface Client {
  ask(method: string, params: ValueMap): Promise<ValueMap>;
  /** Opens a stream, and returns what comes over it. */
  listen(notifications: ValueMap): Promise<() => readonly ValueMap[]>;
}

async function overHttp(): Promise<Client> {
  actor = await runActor(document);
  const send = (method: string, written: ValueMap, id: string): Promise<Response> => {
    const params = { ...written, _meta: meta };
    const headers = { 'content-type': 'application/json', accept: bothTypes };
    return fetch(actor.url, {
      method: 'POST',
      headers: { ...headers, ...mirrorRequest(method, params) },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    });
  };
  return {
    async ask(method, params) {
      const { result, error } = (await (await send(method, params, 'r')).json()) as ValueMap;
      return (result ?? error) as ValueMap;
    },
    async listen(notifications) {
      const { body } = await send('subscriptions/listen', { notifications }, 'L');
      const heard: ValueMap[] = [];
      void (async () => {
        let rest = '';
        for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
          const events = (rest + chunk).split('\n\n');
          rest = events.pop() ?? '';
          for (const event of events) {
            const [, data] = /^data: (.*)$/m.exec(event) ?? [];
            if (data !== undefined) heard.push(JSON.parse(data));
          }
        }
      })().catch(() => {});
      return () => heard;
    },
  };
}

async function overStdio(): Promise<Client> {
  const { toServer, fromServer } = openPipes();
  actor = await runActor(document, { transport: createStdioServer({ input: toServer, output: fromServer }) });
  const peer = linePeer(toServer, fromServer, async () => {});
  const received = (): ValueMap[] => peer.received.map((line) => JSON.parse(line));
  let last = 0;
  const send = (method: string, params: ValueMap, id: Value): Promise<void> =>
    peer.send(JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } }));
  return {
    async ask(method, params) {
      last += 1;
      const id = last;
      await send(method, params, id);
      const answer = (): ValueMap | undefined => received().find((message) => message.id === id);
      await eventually(answer).toBeDefined();
      return (answer()?.result ?? answer()?.error) as ValueMap;
    },
    async listen(notifications) {
      await send('subscriptions/listen', { notifications }, 'L');
      return () => received().filter(({ method }) => method !== undefined);
    },
  };
}

describe.each([
  ['Streamable HTTP', overHttp],
  ['standard streams', overStdio],
])('tasks of MCP 2026 over %s', (_, connect) => {
  const begin = async (name: string): Promise<Client & { readonly taskId: string }> => {
    const client = await connect();
    const created = await client.ask('tools/call', { name, arguments: { q: '7' } });
    expect(created).toMatchObject({ resultType: 'task', status: 'working', taskId: expect.any(String) });
    return { ...client, taskId: String(created.taskId) };
  };

  test('are announced by server/discover', async () => {
    const { ask } = await connect();
    const { capabilities } = await ask('server/discover', {});
    expect(capabilities).toMatchObject({ extensions: { [mcpTasks]: {} } });
  });

  test('are first working, then completed with the result of the call', async () => {
    const { ask, taskId } = await begin('slow');
    expect(await ask('tasks/get', { taskId })).toMatchObject({ status: 'working', pollIntervalMs: 5 });
    const found = await ask('tasks/get', { taskId });
    expect(found).toMatchObject({ resultType: 'complete', status: 'completed', result: text('done') });
  });

  test('ask a question, go on when it is answered, and the answer is recorded as a response', async () => {
    const { ask, taskId } = await begin('ask');
    const { status, inputRequests } = await ask('tasks/get', { taskId });
    expect([status, inputRequests]).toMatchObject([
      'input_required',
      { q1: { method: 'elicitation/create', params: { message: 'Code?' } } },
    ]);
    const answer = { action: 'accept', content: { code: '1234' } };
    expect(await ask('tasks/update', { taskId, inputResponses: { q1: answer } })).toMatchObject({
      resultType: 'complete',
    });
    expect(await ask('tasks/get', { taskId })).toMatchObject({ status: 'completed', result: text('got 7') });
    const answers = actor.records.filter((record) => 'origin' in record && record.method === 'elicitation/create');
    expect(answers).toMatchObject([{ kind: 'response', origin: 'agent', content: answer }]);
    const counted = actor.records.filter(
      (record) => 'origin' in record && record.origin === 'agent' && record.method === 'tools/call',
    );
    expect(counted).toHaveLength(1);
  });

  test('can be cancelled, of which listeners are notified', async () => {
    const { ask, listen, taskId } = await begin('slow');
    const heard = await listen({ taskIds: [taskId] });
    await eventually(() => heard().length).toBe(1);
    expect(await ask('tasks/cancel', { taskId })).toMatchObject({ resultType: 'complete' });
    expect(await ask('tasks/get', { taskId })).toMatchObject({ status: 'cancelled' });
    await eventually(() => heard().map(({ method }) => method)).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/tasks',
    ]);
    const [, reported] = heard();
    expect(isValueMap(reported?.params) && reported.params._meta).toMatchObject({ [metaKey.subscriptionId]: 'L' });
  });

  test.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('%s for an unknown task is an error', async (method) => {
    const { ask } = await connect();
    expect(await ask(method, { taskId: 'none' })).toMatchObject({ code: -32602 });
  });

  test.each(['tasks/list', 'tasks/result'])('%s is an unknown method, for it no longer exists', async (method) => {
    const { ask } = await connect();
    expect(await ask(method, {})).toMatchObject({ code: -32601 });
  });
});
