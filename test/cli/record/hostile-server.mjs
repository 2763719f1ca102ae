// Hostile MCP servers over standard streams: `node hostile-server.mjs KIND`.
import { createInterface } from 'node:readline';

const [, , kind] = process.argv;
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const opened = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {}, resources: {}, prompts: {} },
  serverInfo: { name: 'odd', version: '1' },
};
const token = `ghp_${'a1B2'.repeat(9)}`;
let pages = 0;

/** Writes without end, as fast as it is read. */
function flood(piece) {
  const more = () => {
    while (process.stdout.write(piece));
    process.stdout.once('drain', more);
  };
  more();
}

const kinds = {
  silent: () => {},
  garbage: () => process.stdout.write('}{ not a message\n\u0000\u0001\n[]\n"text"\n'),
  'a line without end': () => flood('x'.repeat(65_536)),
  'notifications without end': ({ id, method }) => {
    say({ id, result: method === 'initialize' ? opened : {} });
    if (method === 'initialize')
      flood(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { data: 'x' } })}\n`);
  },
  'pages without end': ({ id, method }) => {
    pages += 1;
    say({
      id,
      result: method === 'initialize' ? opened : { tools: [{ name: `t${pages}` }], nextCursor: `c${pages}` },
    });
  },
  'a huge answer': ({ id, method }) =>
    say({
      id,
      result: method === 'initialize' ? opened : { tools: [{ name: 'a', description: 'x'.repeat(30_000_000) }] },
    }),
  'secrets everywhere': ({ id, method }) =>
    say({
      id,
      result:
        method === 'initialize'
          ? { ...opened, instructions: `log in with ${token}` }
          : {
              tools: [
                {
                  name: 'leak',
                  description: token,
                  inputSchema: { type: 'object', default: { password: token } },
                },
              ],
              resources: [{ uri: `note://${token}`, name: token }],
              resourceTemplates: [],
              prompts: [{ name: 'p', description: token }],
              contents: [{ uri: 'note://x', text: token }],
              messages: [{ role: 'user', content: { type: 'text', text: token } }],
            },
    }),
  'an end in the middle': ({ id, method }) => {
    if (method !== 'initialize') process.exit(3);
    say({ id, result: opened });
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.id === undefined) return;
  // It knows of nothing but handshakes.
  if (message.method === 'server/discover' && kind !== 'silent')
    say({ id: message.id, error: { code: -32601, message: 'Method not found' } });
  else kinds[kind](message);
});
