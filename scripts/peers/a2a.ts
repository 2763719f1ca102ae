import assert from 'node:assert/strict';
import type { ValueMap } from '../../src/index.ts';
import { playClient, playServer, task, userMessage } from '../../test/a2a/support.ts';
import type { Python } from './python.ts';

// The official Python SDK of A2A against our actors, over each transport.

export const transports = ['JSONRPC', 'HTTP+JSON', 'GRPC'] as const;
export type Transport = (typeof transports)[number];

/** Our `a2a_client` against its server. */
export async function askA2aServer(python: Python, program: string, transport: Transport): Promise<void> {
  const server = await python.start(program, 'serve', transport);
  try {
    const configuration = { blocking: true };
    const send = (text: string) => ({
      method: 'message/send',
      params: { message: userMessage(text), configuration },
    });
    const phases: readonly ValueMap[] = [
      {
        name: 'begin',
        state: { actions: [{ method: 'agent_card/get' }, send('just talk'), send('keep going')] },
        extractors: [{ name: 'task', source: 'response', type: 'json_path', selector: '$.id' }],
        trigger: { event: 'message/send', count: 2 },
      },
      {
        name: 'ask',
        state: {
          actions: [
            { method: 'message/stream', params: { message: userMessage('hello') } },
            { method: 'tasks/get', params: { id: '{{task}}' } },
            {
              method: 'tasks/pushNotificationConfig/set',
              params: {
                taskId: '{{task}}',
                pushNotificationConfig: { id: 'p1', url: 'http://127.0.0.1:9/' },
              },
            },
            { method: 'tasks/get', params: { id: 'nobody' } },
            { method: 'tasks/cancel', params: { id: '{{task}}' } },
          ],
        },
      },
    ];
    const { messages } = await playClient(server.line, [], { phases });
    const answers = messages().filter(({ kind, origin }) => kind === 'response' && origin === 'agent');
    partly(
      answers.map(({ content }) => content),
      [
        { name: 'Python' },
        { kind: 'message', parts: [{ kind: 'text', text: 'a direct answer' }] },
        {
          kind: 'task',
          status: { state: 'input-required' },
          artifacts: [
            { parts: [{ text: 'you said: keep going' }, { kind: 'file', file: { name: 'notes.txt' } }] },
          ],
        },
        { kind: 'task', status: { state: 'input-required' } },
        { pushNotificationConfig: { id: 'p1', url: 'http://127.0.0.1:9/' } },
        { code: -32001 },
        { kind: 'task', status: { state: 'canceled' } },
      ],
      'answers',
    );
    const streamed = messages('message/stream').filter(({ origin }) => origin === 'agent');
    partly(streamed.at(-1)?.content, { kind: 'status-update', status: { state: 'completed' } }, 'stream');
    const isTold = answers.some(({ noted }) => noted?.includes('encoded twice'));
    assert.equal(isTold, transport !== 'JSONRPC', 'only over proto are the bytes of files encoded twice');
  } finally {
    server.stop();
  }
}

/** Its client against our `a2a_server`. */
export async function answerA2aClient(python: Python, program: string, transport: Transport): Promise<void> {
  const content = task({
    artifacts: [{ artifactId: 'a1', parts: [{ kind: 'text', text: 'from the document' }] }],
  });
  const played = await playServer({
    state: { agent_card: { ...card, preferredTransport: transport }, task_responses: [{ content }] },
  });
  try {
    const got = JSON.parse(await python.run(program, 'ask', transport, played.url)) as ValueMap;
    partly(
      got,
      {
        card: 'Ours',
        sent: [[{ id: 't1', status: { state: 'completed' }, artifacts: [{ artifactId: 'a1' }] }, null]],
        task: { id: 't1' },
        push: { pushNotificationConfig: { id: 'p1', url: 'http://127.0.0.1:9/' } },
        refused: true,
      },
      'got',
    );
    const [sent] = played.messages('message/send');
    partly(
      sent?.content,
      {
        message: {
          kind: 'message',
          role: 'user',
          parts: [
            { kind: 'text', text: 'hello', metadata: { of: 'the part' } },
            { kind: 'file', file: { name: 'notes.txt', mimeType: 'text/plain' } },
          ],
        },
      },
      'message/send',
    );
  } finally {
    await played.stop();
  }
}

const card: ValueMap = {
  name: 'Ours',
  description: 'An agent of a document',
  version: '1',
  capabilities: { streaming: true, pushNotifications: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
};

/** Every member that is expected is there; there may be more. */
function partly(actual: unknown, expected: unknown, at: string): void {
  if (typeof expected !== 'object' || expected === null) assert.deepEqual(actual, expected, at);
  else {
    assert.ok(typeof actual === 'object' && actual !== null, `${at} is ${JSON.stringify(actual)}`);
    if (Array.isArray(expected))
      assert.equal((actual as unknown[]).length, expected.length, `${at}: ${JSON.stringify(actual)}`);
    for (const [key, inner] of Object.entries(expected))
      partly((actual as Record<string, unknown>)[key], inner, `${at}.${key}`);
  }
}
