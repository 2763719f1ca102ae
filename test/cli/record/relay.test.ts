import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ClientFactory } from '@a2a-js/sdk/client';
import { expect, test } from 'vitest';
import { createA2aClient } from '../../../src/attack/transport/a2a/a2a-client.ts';
import { createA2aServer } from '../../../src/attack/transport/a2a/a2a-server.ts';
import { createMcpClient } from '../../../src/attack/transport/mcp-client/mcp-client-transport.ts';
import { createStdioServer } from '../../../src/attack/transport/mcp-server/stdio-server.ts';
import { Recording } from '../../../src/cli/record/recorded-exchange.ts';
import { openRelay } from '../../../src/cli/record/relay.ts';
import { writeRecording } from '../../../src/cli/record/write-recording.ts';
import { openOfficialServer } from '../../protocols/a2a/official-server.ts';

// Between an agent and its server: both see each other, and their messages become a document.

const officialServer = fileURLToPath(new URL('../../protocols/mcp-client/official-server.mjs', import.meta.url));

test('openRelay passes the calls of an agent on to a program over standard streams and records the answers', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const recording = new Recording();
  const relay = await openRelay({
    protocol: 'mcp',
    agentSide: createStdioServer({ input, output }),
    server: createMcpClient({
      target: () => ({ command: process.execPath, args: [officialServer, '1', 'stdio'] }),
      era: 'legacy',
    }),
    recording,
    answerMs: 20_000,
  });
  const answers = output[Symbol.asyncIterator]();
  const ask = async (id: number, method: string, params: object): Promise<unknown> => {
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const { value } = await answers.next();
    return JSON.parse(String(value)).result;
  };
  await ask(1, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'agent', version: '1' },
  });
  input.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  await ask(2, 'tools/list', {});
  const called = await ask(3, 'tools/call', { name: 'use_key', arguments: { key: 'k-1' } });
  await relay.close();
  expect(called).toEqual({ content: [{ type: 'text', text: 'opened with k-1' }] });
  const written = writeRecording(recording, 'mcp', { id: 'REC-001', showSecrets: false });
  expect(written.ok && written.text).toContain('text: opened with k-1');
}, 60_000);

test('openRelay gives an A2A agent a card that leads back to the relay, and records the answer', async () => {
  const server = await openOfficialServer('JSONRPC');
  const recording = new Recording();
  const relay = await openRelay({
    protocol: 'a2a',
    agentSide: createA2aServer(),
    server: createA2aClient({ target: () => ({ url: server.url }) }),
    recording,
    answerMs: 20_000,
  });
  try {
    const client = await new ClientFactory().createFromUrl(relay.url);
    await client.sendMessage({
      message: {
        kind: 'message',
        role: 'user',
        messageId: 'm1',
        parts: [{ kind: 'text', text: 'just talk' }],
      },
    });
    expect(server.received).toEqual(['just talk']);
    const written = writeRecording(recording, 'a2a', { id: 'REC-001', showSecrets: false });
    expect(written.ok && written.text).toContain('text: a direct answer');
  } finally {
    await relay.close();
    await server.close();
  }
}, 60_000);
