import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/attack/transport/clock.ts';
import type { McpPeer, SpokenEra } from '../../../src/attack/transport/mcp-client/mcp-client-transport.ts';
import type { MessageRecord, TraceRecord } from '../../../src/index.ts';
import { playDocument } from '../../../src/suite/play/play-run.ts';
import { documentWith } from '../../support/records.ts';

// An official server that rejects every version with sessions.

const program = fileURLToPath(new URL('official-server.mjs', import.meta.url));
let http: ChildProcess;
let url = '';

beforeAll(async () => {
  http = spawn(process.execPath, [program, 'http'], { stdio: ['ignore', 'pipe', 'inherit'] });
  url = await new Promise((resolve) => {
    http.stdout?.on('data', (chunk) => {
      const [, port] = /port (\d+)/.exec(String(chunk)) ?? [];
      if (port !== undefined) resolve(`http://127.0.0.1:${port}/mcp`);
    });
  });
});
afterAll(() => void http.kill());

async function play(target: McpPeer, state: object, era?: SpokenEra) {
  const records: TraceRecord[] = [];
  const result = await playDocument(
    documentWith({
      execution: { mode: 'mcp_client', phases: [{ name: 'only', state }] },
      indicators: [{ surface: 'tools/call', target: 'content', pattern: { contains: 'never said' } }],
    }),
    { modes: [], clock: systemClock, connect: () => target, era, record: (record) => records.push(record) },
  );
  const messages = records.filter((record): record is MessageRecord => 'origin' in record);
  const from = (method: string) =>
    messages.filter(({ origin, method: words }) => origin === 'agent' && words === method);
  return { result, messages, from };
}

const peers: [string, () => McpPeer][] = [
  ['HTTP', () => ({ url })],
  ['standard streams', () => ({ command: process.execPath, args: [program, 'stdio'] })],
];
const call = (name: string) => ({ method: 'tools/call', params: { name, arguments: {} } });

describe.each(peers)('our MCP client with the official server of MCP 2026 over %s', (_, peer) => {
  test.each([undefined, 'modern' as const])('needs no session (era %s)', async (era) => {
    const actions = [{ method: 'tools/list' }, call('read_key')];
    const { from, result, messages } = await play(peer(), { actions }, era);
    expect(from('initialize')).toMatchObject([
      { era: '2026-07-28', content: { serverInfo: { name: 'modern' }, instructions: 'be kind' } },
    ]);
    expect(from('tools/list')).toMatchObject([
      { content: { tools: [{ name: 'read_key' }, { name: 'elicit' }, { name: 'route' }] } },
    ]);
    expect(from('tools/call')).toMatchObject([{ content: { content: [{ text: 'the key is k-31f0' }] } }]);
    expect(messages.filter(({ origin, method }) => origin === 'attacker' && method === 'tools/call')).toMatchObject([
      {
        era: '2026-07-28',
        pieces: ['/phases/0/state/actions/1'],
        content: { name: 'read_key', arguments: {} },
      },
    ]);
    expect(result).toMatchObject({ outcome: 'resisted' });
  });

  test('answers the questions of the server from the state, and finishes the call', async () => {
    const state = {
      capabilities: { elicitation: {} },
      elicitation_responses: [{ content: { pin: '4711' } }],
      actions: [call('elicit')],
    };
    const { from, messages } = await play(peer(), state);
    expect(from('elicitation/create')).toMatchObject([{ kind: 'request', content: { message: 'your pin?' } }]);
    expect(from('tools/call')).toMatchObject([{ content: { content: [{ text: 'the pin is 4711' }] } }]);
    expect(messages.filter(({ method }) => method === 'tools/call')).toHaveLength(2);
  });

  test('sends the Mcp-Param headers that a tool wants, whether or not it was listed before', async () => {
    const route = { method: 'tools/call', params: { name: 'route', arguments: { region: 'Zürich' } } };
    for (const actions of [[route], [{ method: 'tools/list' }, route]]) {
      const { from, result } = await play(peer(), { actions });
      expect(from('tools/call').filter(({ refused }) => refused === undefined)).toMatchObject([
        { content: { content: [{ text: 'routed to Zürich' }] } },
      ]);
      expect(result).toMatchObject({ outcome: 'resisted' });
    }
  });

  test('gets no answer and is inconclusive if it is bound to the legacy era', async () => {
    const { from, result } = await play(peer(), { actions: [{ method: 'tools/list' }] }, 'legacy');
    expect(from('initialize')).toMatchObject([{ failed: true }]);
    expect(result).toMatchObject({ outcome: 'inconclusive' });
  });
});
