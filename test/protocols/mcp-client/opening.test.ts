import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/attack/transport/clock.ts';
import type { McpPeer } from '../../../src/attack/transport/mcp-client/mcp-client-transport.ts';
import type { TraceRecord, Value, ValueMap } from '../../../src/index.ts';
import { playDocument } from '../../../src/suite/play/play-run.ts';
import { documentWith } from '../../support/records.ts';

// What an `mcp_client` actor says first to a server that knows both eras, and what it says of itself.

const reply = `({ id, method }) => method === 'initialize'
  ? { id, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'raw', version: '1' } } }
  : method === 'server/discover'
  ? { id, result: { supportedVersions: ['2026-07-28'], capabilities: {}, resultType: 'complete' } }
  : { id, error: { code: -32601, message: 'unknown' } }`;
const answerRaw = new Function(`return ${reply}`)() as (message: ValueMap) => ValueMap;

/** Writes what it hears to its standard error. */
const program = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  console.error('heard ' + line);
  const message = JSON.parse(line);
  if (message.id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', ...(${reply})(message) }));
})`;

async function listen(): Promise<{ readonly peer: McpPeer; heard(): readonly ValueMap[] }> {
  const heard: ValueMap[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const message: ValueMap = JSON.parse(body);
    heard.push(message);
    if (message.id === undefined) return void response.writeHead(202).end();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', ...answerRaw(message) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { peer: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` }, heard: () => heard };
}

/** The messages that a server hears, over HTTP or as a program. */
async function hear(transport: string, state: object): Promise<readonly ValueMap[]> {
  const records: TraceRecord[] = [];
  const { peer, heard } =
    transport === 'HTTP'
      ? await listen()
      : {
          peer: { command: process.execPath, args: ['-e', program] },
          heard: () =>
            records.flatMap((record) => {
              const [, line] = (record.kind === 'log' && /heard (.*)/.exec(String(record.message))) || [];
              return line === undefined ? [] : [JSON.parse(line) as ValueMap];
            }),
        };
  await playDocument(
    documentWith({
      execution: { mode: 'mcp_client', phases: [{ name: 'only', state: { actions: [{ method: 'ping' }], ...state } }] },
      indicators: [{ surface: 'tools/call', target: '', pattern: { contains: 'never said' } }],
    }),
    { modes: [], clock: systemClock, connect: () => peer, record: (record) => records.push(record) },
  );
  return heard();
}

const transports = ['HTTP', 'standard streams'];
const openings: [written: Value | undefined, first: string][] = [
  [undefined, 'server/discover'],
  ['2025-11-25', 'initialize'],
  ['2025-06-18', 'initialize'],
  ['2099-01-01', 'server/discover'],
];
test.each(transports.flatMap((transport) => openings.map((row) => [transport, ...row] as const)))(
  'over %s, an MCP client with the protocol_version %j sends %s first',
  async (transport, written, first) => {
    const [message] = await hear(transport, written === undefined ? {} : { protocol_version: written });
    expect(message?.method).toBe(first);
  },
);

test.each(transports)(
  'over %s, an MCP client introduces itself with null where the document writes null',
  async (transport) => {
    const heard = await hear(transport, { protocol_version: null, client_info: null, capabilities: null });
    expect(heard.find(({ method }) => method === 'initialize')?.params).toEqual({
      protocolVersion: null,
      clientInfo: null,
      capabilities: null,
    });
  },
);

test.each(transports.flatMap((transport) => ['2025-11-25', '2026-07-28'].map((era) => [transport, era] as const)))(
  'over %s, an MCP client of %s sends params and a `_meta` of null as the document writes them',
  async (transport, protocol_version) => {
    const actions = [
      { method: 'ping', params: null },
      { method: 'tools/list', params: { _meta: null } },
    ];
    const heard = await hear(transport, { protocol_version, actions });
    expect(heard.filter(({ method }) => method === 'ping' || method === 'tools/list')).toMatchObject(actions);
  },
);
