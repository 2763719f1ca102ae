import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/attack/transport/clock.ts';
import type { MessageRecord, TraceRecord, Value, ValueMap } from '../../../src/index.ts';
import { playDocument } from '../../../src/suite/play/play-run.ts';
import { documentWith } from '../../support/records.ts';

// A server that refuses calls without the headers that its tool requires (-32020).

interface ReceivedRequest {
  readonly method: string;
  readonly params: ValueMap;
  readonly headers: IncomingHttpHeaders;
}

type Answering = (requests: ReceivedRequest) => { readonly result: Value } | { readonly error: Value } | undefined;

const route = {
  name: 'route',
  inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
};
const mismatch = { error: { code: -32020, message: 'Mcp-Param-Region is missing' } };
const complete = (more: ValueMap): { result: Value } => ({ result: { resultType: 'complete', ...more } });
const routed = complete({ content: [{ type: 'text', text: 'routed' }] });

/** Lists tools by `pages`, and answers only calls that repeat the region in a header. */
const strict =
  (pages: readonly (readonly Value[])[] = [[route]]): Answering =>
  ({ method, params, headers }) => {
    if (method === 'server/discover')
      return complete({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} } });
    if (method === 'tools/call')
      return headers['mcp-param-region'] === (params.arguments as ValueMap).region ? routed : mismatch;
    const at = Number(params.cursor ?? 0);
    const next = at + 1 < pages.length ? { nextCursor: String(at + 1) } : {};
    return complete({ tools: pages[at] ?? [], ttlMs: 0, cacheScope: 'private', ...next });
  };

async function play(answering: Answering, actions: readonly object[], indicators: readonly ValueMap[] = []) {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { id, method, params } = JSON.parse(body);
    requests.push({ method, params, headers: request.headers });
    const answer = answering({ method, params, headers: request.headers });
    if (answer === undefined) {
      response.destroy();
      return;
    }
    response.writeHead('error' in answer ? 400 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const records: TraceRecord[] = [];
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const never = { surface: 'tools/call', target: '', pattern: { contains: 'never said' } };
  const result = await playDocument(
    documentWith({
      execution: { mode: 'mcp_client', phases: [{ name: 'only', state: { actions } }] },
      indicators: [never, ...indicators],
    }),
    { modes: [], clock: systemClock, connect: () => ({ url }), record: (record) => records.push(record) },
  );
  const messages = records.filter((record): record is MessageRecord => 'origin' in record);
  return { ...result, methods: requests.map(({ method }) => method).slice(1), said: requests, messages };
}

const call = (more: object = {}): object => ({
  method: 'tools/call',
  params: { name: 'route', arguments: { region: 'eu' } },
  ...more,
});

test.each([
  [
    'has its headers at once if the tool was listed before',
    strict(),
    [{ method: 'tools/list' }, call()],
    ['tools/list', 'tools/call'],
  ],
  [
    'is repeated with its headers if the tool was not listed',
    strict(),
    [call()],
    ['tools/call', 'tools/list', 'tools/call'],
  ],
  [
    'follows the pages of the list until it finds the tool',
    strict([[{ name: 'a' }], [{ name: 'b' }], [route], [{ name: 'c' }]]),
    [call()],
    ['tools/call', 'tools/list', 'tools/list', 'tools/list', 'tools/call'],
  ],
  [
    'knows the headers at once when the same tool is called again',
    strict(),
    [call(), call()],
    ['tools/call', 'tools/list', 'tools/call', 'tools/call'],
  ],
])('a call of a tool that wants Mcp-Param headers %s', async (_, answering, actions, methods) => {
  const played = await play(answering, actions);
  expect(played.methods).toEqual(methods);
  expect(new Set(played.said.map(({ params }) => params.requestState))).toEqual(new Set([undefined]));
  expect(played).toMatchObject({ outcome: 'resisted' });
});

test('a call repeated with headers is recorded as one call, with every other answer marked as refused', async () => {
  const { messages } = await play(strict(), [call()]);
  const reported = messages.filter(({ method }) => method.startsWith('tools/'));
  expect(reported.map(({ origin, kind, method, refused }) => [origin, kind, method, refused !== undefined])).toEqual([
    ['attacker', 'request', 'tools/call', false],
    ['agent', 'response', 'tools/call', true],
    ['agent', 'response', 'tools/list', true],
    ['agent', 'response', 'tools/call', false],
  ]);
  expect(new Set(reported.map(({ era }) => era))).toEqual(new Set(['2026-07-28']));
});

test('a leak in a list that the document did not request is judged all the same', async () => {
  const leaking = strict([[{ ...route, description: 'the key is k-31f0' }]]);
  const seen = { surface: 'tools/list', target: 'tools[*].description', pattern: { contains: 'k-31f0' } };
  expect(await play(leaking, [call()], [seen])).toMatchObject({ outcome: 'exploited' });
});

test.each([
  ['the tool names no headers', strict([[{ name: 'route' }]]), ['tools/call', 'tools/list', 'tools/call']],
  [
    'the list of tools is refused',
    ((requests) => (requests.method === 'tools/list' ? mismatch : strict()(requests))) as Answering,
    ['tools/call', 'tools/list', 'tools/call'],
  ],
  [
    'the connection breaks during the list of tools',
    ((requests) => (requests.method === 'tools/list' ? undefined : strict()(requests))) as Answering,
    ['tools/call', 'tools/list'],
  ],
])('the refusal of a call for missing headers stays if %s', async (_, answering, methods) => {
  const played = await play(answering, [call()]);
  expect(played.methods).toEqual(methods);
  expect(played.messages.at(-1)).toMatchObject({
    method: 'tools/call',
    failed: true,
    content: mismatch.error,
  });
  expect(played).toMatchObject({ outcome: 'inconclusive', cause: 'trouble' });
});

test('headers that the document writes itself are not corrected after a refusal', async () => {
  const { methods, ...run } = await play(strict(), [call({ headers: { 'Mcp-Param-Region': 'us' } })]);
  expect(methods).toEqual(['tools/call']);
  expect(run).toMatchObject({ outcome: 'inconclusive' });
});
