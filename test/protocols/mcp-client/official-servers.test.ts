import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/attack/transport/clock.ts';
import type { McpPeer } from '../../../src/attack/transport/mcp-client/mcp-client-transport.ts';
import type { MessageRecord, TraceRecord, Value } from '../../../src/index.ts';
import { type PlayResult, playDocument } from '../../../src/suite/play/play-run.ts';
import { documentWith } from '../../support/records.ts';

// Official servers, over every transport.

const official = fileURLToPath(new URL('official-server.mjs', import.meta.url));
const everything = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
);
const node = process.execPath;
const running: ChildProcess[] = [];

afterAll(() => {
  for (const child of running) child.kill();
});

/** Resolves with the first output of the program that fits. */
function launch(args: readonly string[], sign: RegExp, env: Record<string, string> = {}): Promise<string> {
  const child = spawn(node, [...args], { env: { ...process.env, ...env } });
  running.push(child);
  let words = '';
  return new Promise((resolve) => {
    const take = (chunk: Buffer): void => {
      words += chunk;
      const found = sign.exec(words)?.[0];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

interface Played {
  readonly result: PlayResult;
  readonly records: readonly TraceRecord[];
  /** The messages of the server with this method. */
  from(method: string): MessageRecord[];
}

async function play(target: McpPeer, state: object, more: object = {}, later: readonly object[] = []): Promise<Played> {
  const records: TraceRecord[] = [];
  const result = await playDocument(
    documentWith({
      execution: { mode: 'mcp_client', phases: [{ name: 'first', state, ...more }, ...later] },
      indicators: [{ surface: 'tools/call', target: 'content', pattern: { contains: 'never said' } }],
    }),
    { modes: [], clock: systemClock, connect: () => target, record: (record) => records.push(record) },
  );
  const from = (method: string) =>
    records.filter(
      (record): record is MessageRecord => 'origin' in record && record.origin === 'agent' && record.method === method,
    );
  return { result, records, from };
}

const call = (name: string, args: object = {}, params: object = {}) => ({
  method: 'tools/call',
  params: { name, arguments: args, ...params },
});
const offering = {
  capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: {} },
  roots: [{ uri: 'file:///srv/here', name: 'here' }],
  sampling_responses: [
    { content: { role: 'assistant', model: 'm', content: { type: 'text', text: 'sampled words' } } },
  ],
  elicitation_responses: [{ content: { pin: '0000', name: 'me', check: true } }],
};
const textOf = ({ content }: MessageRecord): string =>
  ((content as { content?: { text: string }[] }).content ?? []).map(({ text }) => text).join('\n');

describe.each(['1', '2'])('our MCP client and a server built with edition %s of the official SDK', (edition) => {
  const targets: Record<string, McpPeer> = {
    stdio: { command: node, args: [official, edition, 'stdio'] },
  };
  beforeAll(async () => {
    const port = await launch([official, edition, 'http'], /^\d+/m);
    targets.http = { url: `http://127.0.0.1:${port}/mcp` };
  });

  describe.each(['stdio', 'http'])('over %s', (way) => {
    const target = (): McpPeer => targets[way] as McpPeer;

    test('use tools, resources and prompts', async () => {
      const { result, from } = await play(target(), {
        actions: [
          { method: 'tools/list' },
          { method: 'resources/list' },
          { method: 'resources/read', params: { uri: 'note://1' } },
          { method: 'prompts/list' },
          { method: 'prompts/get', params: { name: 'greet' } },
          { method: 'ping' },
          call('read_key'),
        ],
      });
      expect(from('initialize')[0]?.content).toMatchObject({ serverInfo: { name: `official-${edition}` } });
      expect(from('resources/read')[0]?.content).toMatchObject({ contents: [{ text: 'a note' }] });
      expect(from('prompts/get')[0]?.request).toEqual({ name: 'greet' });
      expect(from('tools/call').map(textOf)).toEqual(['the key is k-31f0']);
      expect([result.outcome, result.end]).toEqual([
        'resisted',
        { reason: 'finished', diagnostics: [], skipped: [], waiting: {} },
      ]);
    });

    test('let the server ask and get answers', async () => {
      const { from } = await play(target(), {
        ...offering,
        actions: ['sample', 'elicit', 'roots'].map((name) => call(name)),
      });
      const answers = from('tools/call').map(textOf);
      expect(answers).toEqual([
        expect.stringContaining('sampled words'),
        expect.stringContaining('0000'),
        expect.stringContaining('file:///srv/here'),
      ]);
      expect(
        ['sampling/createMessage', 'elicitation/create', 'roots/list'].map((method) => from(method).length),
      ).toEqual([1, 1, 1]);
    });

    test('receive messages that the server sends on its own', async () => {
      // The message comes on its own stream, perhaps after the answer, so a phase waits for it.
      const trigger = { event: 'notifications/tools/list_changed' };
      const last = { name: 'last', state: { actions: [{ method: 'ping' }] } };
      const { from } = await play(target(), { actions: [call('notify')] }, { trigger }, [last]);
      expect(from('notifications/tools/list_changed')).toHaveLength(1);
    });

    test('receive errors, which do not count as resistance', async () => {
      const { from, result } = await play(target(), { actions: [call('fail'), { method: 'no/such' }] });
      expect(from('no/such')[0]?.content).toMatchObject({ code: -32601 });
      expect(from('tools/call')[0]?.content).toMatchObject({ code: expect.any(Number) });
      expect(result).toMatchObject({ outcome: 'inconclusive', cause: 'trouble' });
    });

    test('use a value from one call in the next', async () => {
      const { from } = await play(
        target(),
        { actions: [call('read_key'), call('use_key', { key: '{{key}}' })] },
        {
          extractors: [{ name: 'key', source: 'response', type: 'regex', selector: 'key is (k-[0-9a-f]+)' }],
        },
      );
      expect(from('tools/call').map(textOf)[1]).toBe('opened with k-31f0');
    });
  });
});

describe('our MCP client and server-everything', () => {
  const targets: Record<string, McpPeer> = { stdio: { command: node, args: [everything, 'stdio'] } };
  beforeAll(async () => {
    const [port, older] = [await freePort(), await freePort()];
    await Promise.all([
      launch([everything, 'streamableHttp'], /listening|port/i, { PORT: String(port) }),
      launch([everything, 'sse'], /running|listening|port/i, { PORT: String(older) }),
    ]);
    targets['Streamable HTTP'] = { url: `http://127.0.0.1:${port}/mcp` };
    targets['HTTP+SSE'] = { url: `http://127.0.0.1:${older}/sse` };
  });

  test.each(['stdio', 'Streamable HTTP', 'HTTP+SSE'])('exchange every kind of message over %s', async (way) => {
    const { result, from, records } = await play(targets[way] as McpPeer, {
      ...offering,
      actions: [
        { method: 'tools/list' },
        call('echo', { message: 'hello' }),
        call('trigger-sampling-request', { prompt: 'well?', maxTokens: 5 }),
        call('trigger-elicitation-request'),
        call('get-roots-list'),
        call('trigger-long-running-operation', { duration: 0.1, steps: 2 }, { _meta: { progressToken: 't' } }),
        { method: 'resources/list' },
        { method: 'prompts/list' },
        { method: 'logging/setLevel', params: { level: 'debug' } },
      ],
    });
    const answers = from('tools/call').map(textOf);
    expect(answers.slice(0, 4)).toEqual([
      'Echo: hello',
      expect.stringContaining('sampled words'),
      expect.any(String),
      expect.stringContaining('file:///srv/here'),
    ]);
    expect(from('notifications/progress').map(({ content }) => (content as { progress: Value }).progress)).toEqual([
      1, 2,
    ]);
    expect(records.filter(({ kind }) => kind === 'malformed')).toEqual([]);
    expect([result.outcome, result.end.diagnostics]).toEqual(['resisted', []]);
  });
});
