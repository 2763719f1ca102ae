import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, test } from 'vitest';
import { refuseParamMismatch, warnOfForbiddenSend } from '../../../src/attack/bindings/mcp/events-within-2026.ts';
import { ParamHeaders } from '../../../src/attack/transport/mcp-client/tool-headers.ts';
import { applyHeaderManner } from '../../../src/attack/transport/mcp-server/mirrored-headers.ts';
import { diagnose, type MessageRecord, type ValueMap } from '../../../src/index.ts';
import { eventually } from '../../support/http-peer.ts';
import { type Recorded, type RunningActor, runActor } from '../../support/run-actor.ts';

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
  actor = await runActor(JSON.stringify({ oatf: '0.1', attack: { execution: { mode: 'mcp_server', phases } } }));
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

describe('what an MCP 2026 server sends although the protocol forbids it', () => {
  test('send_within_response sends an unrequested notification with the next response', async () => {
    const send = { method: 'notifications/tools/list_changed' };
    const { client, heard } = await serve({ send_within_response: send });
    await client.listTools();
    await eventually(() => heard).toEqual(['list_changed']);
    expect(sent(send.method)).toMatchObject({ pieces: ['/phases/0/on_enter/0'] });
  });

  test('send_within_response sends a request that does not count as delivered until it is answered', async () => {
    const { client, heard } = await serve({ send_within_response: { method: 'roots/list' } });
    await client.listTools();
    expect(heard).toEqual([]);
    expect(sent('roots/list')?.era).toBeUndefined();
  });

  test('ask_in_any_result puts a question into the result of a list', async () => {
    const params = { message: 'Vault code?', requestedSchema: { type: 'object', properties: {} } };
    const { client, heard } = await serve({ ask_in_any_result: { method: 'elicitation/create', params } });
    await client.listTools();
    expect(heard).toEqual(['Vault code?']);
    expect(sent('elicitation/create')).toMatchObject({ era: '2026-07-28', pieces: ['/phases/0/on_enter/0'] });
  });

  test('a send_within_response without a method gets a warning, and other actions are left to others', () => {
    expect(warnOfForbiddenSend('send_within_response', {})?.warnings).toMatchObject([{ code: 'O-101' }]);
    expect(warnOfForbiddenSend('send_push_notification', {})).toBeUndefined();
  });

  test.each([
    [{ mode: 'mcp_client', state: { actions: [{ method: 'x', headers: { 'Mcp-Name': 'y' } }] } }],
    [{ mode: 'mcp_server', state: { tools: [{ name: 't', responses: [{ content: [], task: {} }] }] } }],
    [{ mode: 'mcp_server', phases: [{ state: {}, on_enter: [{ send_within_response: { method: 'x' } }] }] }],
  ])('diagnose reports as an extension (O-009): %j', (execution) => {
    const codes = diagnose(JSON.stringify({ oatf: '0.1', attack: { execution } })).map(({ code }) => code);
    expect(codes).toContain('O-009');
    expect(codes.filter((code) => code === 'O-013' || code === 'O-015')).toEqual([]);
  });
});

describe('Mcp-Param headers, which repeat arguments', () => {
  test('are sent by the official client and accepted by our server', async () => {
    const { client } = await serve();
    await client.listTools();
    const call = { name: 'read', arguments: { region: 'Zürich', place: { floor: 3 } } };
    expect(await client.callTool(call)).toMatchObject({ content: [] });
  });

  const call = (args: ValueMap, repeated?: { [name: string]: string }) =>
    refuseParamMismatch(inputSchema, { method: 'tools/call', params: { arguments: args }, repeated });

  test.each([
    [
      'accepts headers that say the same as the arguments',
      { region: 'eu', place: { floor: 3 } },
      { region: 'eu', floor: '3' },
      undefined,
    ],
    ['accepts no header for an argument that is left out', {}, {}, undefined],
    ['accepts no header for an argument that is null', { region: null }, {}, undefined],
    [
      'refuses a call without the header for an argument',
      { region: 'eu' },
      {},
      'the header Mcp-Param-Region is missing',
    ],
    [
      'refuses a header that says something else than the argument',
      { region: 'eu' },
      { region: 'us' },
      'the header Mcp-Param-Region is not what the arguments say',
    ],
    [
      'refuses a header for an argument that is left out',
      {},
      { region: 'us' },
      'the header Mcp-Param-Region is not what the arguments say',
    ],
    ['accepts a call without any headers where there is no HTTP', { region: 'eu' }, undefined, undefined],
  ] as const)('refuseParamMismatch %s', (_, args, repeated, message) => {
    const plan = call(args as ValueMap, repeated as { [name: string]: string } | undefined);
    expect(plan?.answer((value) => value)).toEqual(
      message === undefined ? undefined : { kind: 'error', error: { code: -32020, message } },
    );
  });

  test('are learnt by our client from the list of tools', () => {
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

  test('applyHeaderManner replaces headers by those of an action, and leaves out those that are null or invalid', () => {
    const manner = { headers: { 'Mcp-Name': 'other', 'MCP-Method': null, 'bad name': 'x' } };
    expect(applyHeaderManner({ 'mcp-name': 'read', 'mcp-method': 'tools/call' }, manner)).toEqual({
      'mcp-name': 'other',
    });
  });
});
