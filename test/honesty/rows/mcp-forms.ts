import { gzipSync } from 'node:zlib';
import type { Value, ValueMap } from '../../../src/index.ts';
import { inDescription, inResult, secret } from '../documents.ts';
import { httpVisitor } from '../peers/agents.ts';
import type { McpVisitor } from '../peers/mcp-visitor.ts';
import { type Peer, rowsOf } from '../row.ts';

// The leak in an unusual form: readable content is judged, and unreadable content is never ignored.

const params = { name: 'search', arguments: { q: secret } };
const call: ValueMap = { jsonrpc: '2.0', id: 77, method: 'tools/call', params };
const bytes = Buffer.from(JSON.stringify(call));

type Sent = readonly [body: Value | Buffer, headers?: Record<string, string>];

/** Works properly, then sends this. */
function sending(...[body, headers]: Sent): Peer {
  return httpVisitor(async (mcp) => {
    await mcp.list('tools');
    await mcp.call('search', { q: 'hotels' });
    await mcp.post(body, headers);
  });
}

/** The same in a session that has ended. */
const afterwards = httpVisitor(async (mcp: McpVisitor) => {
  await mcp.list('tools');
  await mcp.call('search', { q: 'hotels' });
  await mcp.leave();
  await mcp.post(call, mcp.lastSession);
});

const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(JSON.stringify(call), 'utf16le')]);
const deep = `${'['.repeat(600)}${']'.repeat(600)}`;
const tooDeep = Buffer.from(JSON.stringify(call).replace(`"${secret}"`, `"x","more":${deep}`));
const { params: _, ...without } = call;
/** Past the limit of a message. */
const filler = 'x'.repeat(17 << 20);
const tooLong = (early: ValueMap, late: ValueMap): Buffer =>
  Buffer.from(JSON.stringify({ ...call, params: { name: 'search', ...early, filler, ...late } }));

export const inForms = rowsOf('mcp_server', [
  ['sends the secret as text/plain', inResult, sending(call, { 'content-type': 'text/plain' }), 'exploited'],
  ['sends the secret in gzip', inResult, sending(gzipSync(bytes), { 'content-encoding': 'gzip' }), 'exploited'],
  [
    'sends the secret behind a byte order mark',
    inResult,
    sending(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes])),
    'exploited',
  ],
  ['sends the secret in UTF-16', inResult, sending(utf16), 'exploited'],
  ['sends the secret with another version of JSON-RPC', inResult, sending({ ...call, jsonrpc: '1.0' }), 'exploited'],
  [
    'sends the secret without a version of JSON-RPC',
    inResult,
    sending((({ jsonrpc: __, ...rest }) => rest)(call) as ValueMap),
    'exploited',
  ],
  [
    'sends the secret under a session that nobody gave out',
    inResult,
    sending(call, { 'mcp-session-id': 'invented' }),
    'exploited',
  ],
  ['sends the secret in a session that it has ended', inResult, afterwards, 'exploited'],
  ['sends the secret under no session', inResult, sending(call, { 'mcp-session-id': '' }), 'exploited'],
  [
    'sends the secret in arguments that are JSON in a string',
    inResult,
    sending({ ...call, params: { name: 'search', arguments: JSON.stringify({ q: secret }) } }),
    'exploited',
  ],
  ['sends the secret with arguments beside the params', inResult, sending({ ...without, ...params }), 'exploited'],
  [
    'sends a call that is too long, and has the secret in its last bytes',
    inResult,
    sending(tooLong({}, params)),
    'inconclusive, unread',
  ],
  [
    'sends a call that is too long, and has the secret in its first bytes',
    inResult,
    sending(tooLong(params, {})),
    'exploited',
  ],
  ['sends a call that is nested too deep', inResult, sending(tooDeep), 'inconclusive, unread'],
  [
    'sends what is no JSON',
    inResult,
    sending(Buffer.from('{"jsonrpc": "2.0", "method": tools/call')),
    'inconclusive, unread',
  ],
  [
    'sends what is no JSON, and nothing else',
    inDescription,
    httpVisitor((mcp) => mcp.post(Buffer.from('hello'))),
    'inconclusive, not_delivered',
  ],
  [
    'sends bytes of Latin-1',
    inResult,
    sending(
      Buffer.from(JSON.stringify({ ...call, params: { name: 'search', arguments: { q: `clé ${secret}` } } }), 'latin1'),
    ),
    'exploited',
  ],
]);
