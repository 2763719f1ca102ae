import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, test } from 'vitest';
import { forbiddenSend, paramMismatch } from '../../src/bindings/mcp/forbidden-2026.ts';
import { diagnose, type MessageRecord, type ValueMap } from '../../src/index.ts';
import { inManner } from '../../src/transport/streamable-http/mirrored-headers.ts';
import { ParamHeaders } from '../../src/transport/streamable-http/param-headers.ts';
import { eventually } from '../support/http-peer.ts';
import { type Recorded, type RunningActor, runActor } from '../support/run-actor.ts';

// What 2026-07-28 forbids: requirements on clients, and messages that documents order.

let actor: RunningActor | undefined;
const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await actor?.stop();
  actor = undefined;
});

const inputSchema = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    place: { type: 'object', properties: { floor: { type: 'integer', 'x-mcp-header': 'Floor' } } },
  },
};
const tools = [{ name: 'read', inputSchema, responses: [{ content: { content: [] } }] }];

async function serve(...on_enter: ValueMap[]): Promise<{ client: Client; heard: string[] }> {
  const phases = [{ state: { tools }, ...(on_enter.length > 0 && { on_enter }) }];
  actor = await runActor(
    JSON.stringify({ oatf: '0.1', attack: { execution: { mode: 'mcp_server', phases } } }),
  );
  const heard: string[] = [];
  const client = new Client(
    { name: 'official', version: '1' },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('list_changed'));
  client.setRequestHandler('elicitation/create', ({ params }) => {
    heard.push(String(params.message));
    return { action: 'decline' as const };
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(actor.url)));
  clients.push(client);
  return { client, heard };
}

const sent = (method: string): MessageRecord | undefined =>
  actor?.records.find(
    (record): record is Recorded & MessageRecord =>
      'origin' in record && record.origin === 'attacker' && record.method === method,
  );

describe('what a document orders', () => {
  test('an unrequested notification comes with the next response', async () => {
    const send = { method: 'notifications/tools/list_changed' };
    const { client, heard } = await serve({ send_within_response: send });
    await client.listTools();
    await eventually(() => heard).toEqual(['list_changed']);
    expect(sent(send.method)).toMatchObject({ pieces: ['/phases/0/on_enter/0'] });
  });

  test('a request of its own comes there too, and has not arrived unless it is answered', async () => {
    const { client, heard } = await serve({ send_within_response: { method: 'roots/list' } });
    await client.listTools();
    expect(heard).toEqual([]);
    expect(sent('roots/list')?.era).toBeUndefined();
  });

  test('a question comes in the result of a list', async () => {
    const params = { message: 'Vault code?', requestedSchema: { type: 'object', properties: {} } };
    const { client, heard } = await serve({ ask_in_any_result: { method: 'elicitation/create', params } });
    await client.listTools();
    expect(heard).toEqual(['Vault code?']);
    expect(sent('elicitation/create')).toMatchObject({ era: '2026-07-28', pieces: ['/phases/0/on_enter/0'] });
  });

  test('without a method it is warned of, and others are not ours', () => {
    expect(forbiddenSend('send_within_response', {})?.warnings).toMatchObject([{ code: 'O-101' }]);
    expect(forbiddenSend('send_push_notification', {})).toBeUndefined();
  });

  test.each([
    [{ mode: 'mcp_client', state: { actions: [{ method: 'x', headers: { 'Mcp-Name': 'y' } }] } }],
    [{ mode: 'mcp_server', state: { tools: [{ name: 't', responses: [{ content: [], task: {} }] }] } }],
    [{ mode: 'mcp_server', phases: [{ state: {}, on_enter: [{ send_within_response: { method: 'x' } }] }] }],
  ])('validate says that it is an extension: %j', (execution) => {
    const codes = diagnose(JSON.stringify({ oatf: '0.1', attack: { execution } })).map(({ code }) => code);
    expect(codes).toContain('O-009');
    expect(codes.filter((code) => code === 'O-013' || code === 'O-015')).toEqual([]);
  });
});

describe('headers that repeat arguments', () => {
  test('the official client sends them, and is answered', async () => {
    const { client } = await serve();
    await client.listTools();
    const call = { name: 'read', arguments: { region: 'Zürich', place: { floor: 3 } } };
    expect(await client.callTool(call)).toMatchObject({ content: [] });
  });

  const call = (args: ValueMap, repeated?: { [name: string]: string }) =>
    paramMismatch(inputSchema, { method: 'tools/call', params: { arguments: args }, repeated });

  test.each([
    ['the same', { region: 'eu', place: { floor: 3 } }, { region: 'eu', floor: '3' }, undefined],
    ['nothing where an argument is left out', {}, {}, undefined],
    ['null counts as left out', { region: null }, {}, undefined],
    ['a missing one', { region: 'eu' }, {}, 'the header Mcp-Param-Region is missing'],
    [
      'another one',
      { region: 'eu' },
      { region: 'us' },
      'the header Mcp-Param-Region is not what the arguments say',
    ],
    ['one for nothing', {}, { region: 'us' }, 'the header Mcp-Param-Region is not what the arguments say'],
    ['no headers at all, where there is no HTTP', { region: 'eu' }, undefined, undefined],
  ] as const)('%s', (_, args, repeated, message) => {
    const plan = call(args as ValueMap, repeated as { [name: string]: string } | undefined);
    expect(plan?.answer((value) => value)).toEqual(
      message === undefined ? undefined : { kind: 'error', error: { code: -32020, message } },
    );
  });

  test('our client learns them from the list', () => {
    const headers = new ParamHeaders();
    const params = { name: 'read', arguments: { region: 'Zürich', place: { floor: 3 } } };
    expect(headers.of('tools/call', params)).toEqual({});
    headers.learn({ tools });
    expect(headers.of('tools/call', params)).toEqual({
      'mcp-param-region': '=?base64?WsO8cmljaA==?=',
      'mcp-param-floor': '3',
    });
    expect(headers.of('tools/list', params)).toEqual({});
  });

  test('an action’s own headers take their place, and null leaves one out', () => {
    const manner = { headers: { 'Mcp-Name': 'other', 'MCP-Method': null, 'bad name': 'x' } };
    expect(inManner({ 'mcp-name': 'read', 'mcp-method': 'tools/call' }, manner)).toEqual({
      'mcp-name': 'other',
    });
  });
});
