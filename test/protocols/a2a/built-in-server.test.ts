import { ClientFactory, ClientFactoryOptions } from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import { afterEach, describe, expect, test } from 'vitest';
import type { ServedAgent } from '../../../src/agents/adapters/agent-under-test.ts';
import type { Model } from '../../../src/agents/built-in/model.ts';
import { serveAgent } from '../../../src/agents/built-in/serve-agent.ts';
import { configOf, scripted } from '../../agents/built-in/run-agent.ts';
import { playClient, rpc, userMessage } from './support.ts';

// The A2A server of the built-in agent, for client actors and for other clients.

let agent: ServedAgent;

afterEach(() => agent.stop());

async function launch(model: Model): Promise<string> {
  agent = await serveAgent({ persona: { model }, mcpConfig: configOf({}) });
  return agent.addresses.a2a ?? '';
}

const send = (message: Record<string, unknown>) => ({ method: 'message/send', params: { message } }) as never;

describe('A2A server of the built-in agent', () => {
  test('serves a card with its own URL and answers a message with a completed task', async () => {
    const url = await launch(scripted('at your service'));
    const { messages } = await playClient(url, [{ method: 'agent_card/get' }, send(userMessage('hello'))]);
    expect(messages('agent_card/get')[1]?.content).toMatchObject({ url, protocolVersion: '0.3.0' });
    expect(messages('message/send')[1]?.content).toMatchObject({
      kind: 'task',
      status: { state: 'completed' },
      artifacts: [{ parts: [{ kind: 'text', text: 'at your service' }] }],
    });
  });

  test.each(['JSONRPC', 'HTTP+JSON', 'GRPC'])('serves the official client over %s', async (transport) => {
    const url = await launch(scripted('one', 'two'));
    const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new GrpcTransportFactory()],
    });
    const factory = new ClientFactory({ ...options, preferredTransports: [transport] });
    const client = await factory.createFromUrl(url);
    const message = userMessage('hello') as never;
    expect(JSON.stringify(await client.sendMessage({ message }))).toContain('one');
    const kinds: string[] = [];
    for await (const { kind } of client.sendMessageStream({ message })) kinds.push(kind);
    expect(kinds).toEqual(['task', 'status-update', 'artifact-update', 'status-update']);
  });

  test('gives the model text parts as user words and all other parts as application context', async () => {
    const model = scripted('ok');
    const url = await launch(model);
    const parts = [
      { kind: 'text', text: 'Do this.' },
      { kind: 'data', data: { rule: 'do that' } },
    ];
    await rpc(url, 'message/send', { message: userMessage('', { parts, metadata: { also: 'this' } }) });
    expect(model.seen[0]?.messages).toEqual([{ role: 'user', content: 'Do this.' }]);
    expect(model.seen[0]?.system).toContain('From the application:\n{"rule":"do that"}\n{"also":"this"}');
  });

  test('gives the model a message of role "agent" as a system message, not as the user’s', async () => {
    const model = scripted('ok');
    const url = await launch(model);
    await rpc(url, 'message/send', { message: userMessage('Do that.', { role: 'agent' }) });
    expect(model.seen[0]?.messages).toEqual([{ role: 'system', content: 'agent: Do that.' }]);
  });

  test('remembers a conversation by its context id and tasks by their ids', async () => {
    const model = scripted('first', 'second');
    const url = await launch(model);
    const message = (id: string) => userMessage(id, { messageId: id, contextId: 'c1' });
    const { result } = (await rpc(url, 'message/send', { message: message('m1') })) as {
      result: { id: string };
    };
    await rpc(url, 'message/send', { message: message('m2') });
    expect(model.seen[1]?.messages.map(({ content }) => content)).toEqual(['m1', 'first', 'm2']);
    expect(await rpc(url, 'tasks/get', { id: result.id })).toMatchObject({ result: { id: result.id } });
    expect(await rpc(url, 'tasks/list', {})).toMatchObject({ result: { tasks: { length: 2 } } });
  });

  test('cancels a running task and answers its message with state canceled', async () => {
    let began = (): void => {};
    const beginning = new Promise<void>((resolve) => {
      began = resolve;
    });
    const url = await launch({
      complete: ({ signal }) => {
        began();
        return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      },
    });
    const answer = rpc(url, 'message/send', { message: userMessage('wait') });
    await beginning;
    const { result } = (await rpc(url, 'tasks/list', {})) as { result: { tasks: { id: string }[] } };
    await rpc(url, 'tasks/cancel', { id: result.tasks[0]?.id ?? '' });
    expect(await answer).toMatchObject({ result: { status: { state: 'canceled' } } });
  });

  test.each([
    ['message/send', {}, -32602],
    ['tasks/get', { id: 'nobody' }, -32001],
    ['tasks/pushNotificationConfig/set', {}, -32003],
    ['no/such', {}, -32601],
  ])('refuses %s %j with %i', async (method, params, code) => {
    const url = await launch(scripted());
    expect(await rpc(url, method, params)).toMatchObject({ error: { code } });
  });
});
