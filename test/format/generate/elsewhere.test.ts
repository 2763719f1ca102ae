import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { clients } from '../../contract/wire-clients.ts';
import { a2aGrpc, a2aRpc, mcp2025, open, type Rule, stdio } from '../../contract/wire-servers.ts';
import { playServer, rpc, task, userMessage } from '../../protocols/a2a/support.ts';
import { eventually } from '../../support/http-peer.ts';

// Generated values that cannot be sent in pieces: over gRPC, as a push, and in messages that `x-wire` changes.

const made = 'ab'.repeat(500);
const generated = (at: string) => ({
  'x-generate': [{ at, kind: 'text', bytes: 1_000, repeat: 'ab' }],
});

describe('generated values over gRPC', () => {
  test.each<readonly [string, Rule]>([
    ['an answer', { delay: '1ms' }],
    ['an answer with trailers', { grpc: { trailers: { 'x-hint': 'yes' } } }],
  ])('are part of %s', async (_, rule) => {
    const asked = await a2aGrpc(rule, 'message/send', generated('/state/task_responses/0/content/id'));
    await eventually(() => asked.seen.text).toContain(made);
  });
});

test('a push notification contains the generated value', async () => {
  const heard: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    heard.push(body);
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const hooked = { source: 'request', type: 'json_path', selector: '$.pushNotificationConfig.url' };
  const at = '/on_enter/0/send_push_notification/payload/task/id';
  const phases = [
    {
      name: 'wait',
      state: { task_responses: [{ content: task({ status: { state: 'working' } }) }] },
      extractors: [{ name: 'hook', ...hooked }],
      trigger: { event: 'tasks/cancel' },
    },
    {
      name: 'tell',
      on_enter: [{ send_push_notification: { url: '{{hook}}', payload: { task: task() } } }],
      ...generated(at),
    },
  ];
  const played = await playServer({ phases } as never);
  open.push(played.stop);
  await rpc(played.url, 'message/send', { message: userMessage('go') });
  const config = { taskId: 't1', pushNotificationConfig: { url } };
  await rpc(played.url, 'tasks/pushNotificationConfig/set', config);
  await rpc(played.url, 'tasks/cancel', { id: 't1' });
  await eventually(() => heard.join('')).toContain(made);
});

describe('x-generate and x-wire in one phase', () => {
  const text = '/state/tools/0/responses/0/content/content/0/text';
  test.each([
    ['HTTP', mcp2025, text],
    ['stdio', stdio, text],
    ['A2A over JSON-RPC', a2aRpc, '/state/task_responses/0/content/id'],
  ] as const)('cut an answer over %s within its generated value', async (_, ask, at) => {
    const asked = await ask({ bytes: { cut: '50%' } }, {}, generated(at));
    await eventually(() => asked.seen.text).toContain('ababab');
    expect(asked.seen.text).not.toContain(made);
  });

  test('send a request over stdio with its generated value, whole or cut', async () => {
    const speak = clients['mcp-client-stdio'];
    const at = '/state/actions/0/params/arguments/query';
    const whole = await speak?.({ pace: { bytes: 100 } }, false, generated(at));
    await eventually(() => whole?.calls[0]?.seen.text).toContain(made);
    const cut = await speak?.({ bytes: { cut: '50%' } }, false, generated(at));
    await eventually(() => cut?.calls[0]?.seen.text ?? '').toContain('ababab');
    expect(cut?.calls[0]?.seen.text).not.toContain(made);
  });
});
