import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { MessageRecord, TraceRecord, Value, ValueMap } from '../../src/index.ts';
import { playDocument } from '../../src/suite/play.ts';
import { systemClock } from '../../src/transport/clock.ts';
import { documentWith } from '../support/records.ts';

// A server that refuses calls without the headers that its tool requires (-32020).

interface Said {
  readonly method: string;
  readonly params: ValueMap;
  readonly headers: IncomingHttpHeaders;
}

type Answering = (said: Said) => { readonly result: Value } | { readonly error: Value } | undefined;

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
  const said: Said[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { id, method, params } = JSON.parse(body);
    said.push({ method, params, headers: request.headers });
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
  return { methods: said.map(({ method }) => method).slice(1), said, messages, outcome: result.outcome };
}

const call = (more: object = {}): object => ({
  method: 'tools/call',
  params: { name: 'route', arguments: { region: 'eu' } },
  ...more,
});

test.each([
  [
    'one that was listed has its headers',
    strict(),
    [{ method: 'tools/list' }, call()],
    ['tools/list', 'tools/call'],
  ],
  ['one that was not is repeated with them', strict(), [call()], ['tools/call', 'tools/list', 'tools/call']],
  [
    'the list is followed to the tool',
    strict([[{ name: 'a' }], [{ name: 'b' }], [route], [{ name: 'c' }]]),
    [call()],
    ['tools/call', 'tools/list', 'tools/list', 'tools/list', 'tools/call'],
  ],
  [
    'the next one has them at once',
    strict(),
    [call(), call()],
    ['tools/call', 'tools/list', 'tools/call', 'tools/call'],
  ],
])('a call: %s', async (_, answering, actions, methods) => {
  const played = await play(answering, actions);
  expect(played.methods).toEqual(methods);
  expect(new Set(played.said.map(({ params }) => params.requestState))).toEqual(new Set([undefined]));
  expect(played.outcome).toMatchObject({ outcome: 'resisted' });
});

test('the repeated call is one call: asked once, answered once, and all that was said is in the record', async () => {
  const { messages } = await play(strict(), [call()]);
  const told = messages.filter(({ method }) => method.startsWith('tools/'));
  expect(
    told.map(({ origin, kind, method, refused }) => [origin, kind, method, refused !== undefined]),
  ).toEqual([
    ['attacker', 'request', 'tools/call', false],
    ['agent', 'response', 'tools/call', true],
    ['agent', 'response', 'tools/list', true],
    ['agent', 'response', 'tools/call', false],
  ]);
  expect(new Set(told.map(({ era }) => era))).toEqual(new Set(['2026-07-28']));
});

test('a server’s answer to a list that the document did not request is judged', async () => {
  const leaking = strict([[{ ...route, description: 'the key is k-31f0' }]]);
  const seen = { surface: 'tools/list', target: 'tools[*].description', pattern: { contains: 'k-31f0' } };
  expect((await play(leaking, [call()], [seen])).outcome).toMatchObject({ outcome: 'exploited' });
});

test.each([
  ['no header helps', strict([[{ name: 'route' }]]), ['tools/call', 'tools/list', 'tools/call']],
  [
    'the list is refused',
    ((said) => (said.method === 'tools/list' ? mismatch : strict()(said))) as Answering,
    ['tools/call', 'tools/list', 'tools/call'],
  ],
  [
    'the list breaks off',
    ((said) => (said.method === 'tools/list' ? undefined : strict()(said))) as Answering,
    ['tools/call', 'tools/list'],
  ],
])('the refusal stays if %s', async (_, answering, methods) => {
  const played = await play(answering, [call()]);
  expect(played.methods).toEqual(methods);
  expect(played.messages.at(-1)).toMatchObject({
    method: 'tools/call',
    failed: true,
    content: mismatch.error,
  });
  expect(played.outcome).toMatchObject({ outcome: 'inconclusive', cause: 'trouble' });
});

test('headers that the document orders are not mended', async () => {
  const { methods, outcome } = await play(strict(), [call({ headers: { 'Mcp-Param-Region': 'us' } })]);
  expect(methods).toEqual(['tools/call']);
  expect(outcome).toMatchObject({ outcome: 'inconclusive' });
});
