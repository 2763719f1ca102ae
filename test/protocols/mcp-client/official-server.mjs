// A server built with one of the official packages: `node official-server.mjs 1|2 stdio|http`. Over HTTP it prints its
// port. Its tools go every way that a server can go.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';

const [, , edition, way] = process.argv;

const info = { name: `official-${edition}`, version: '1.0.0' };
const capabilities = { tools: { listChanged: true }, resources: {}, prompts: {}, logging: {} };
const text = (value) => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
});
const tool = (name) => ({ name, description: `the tool ${name}`, inputSchema: { type: 'object' } });

const tools = {
  read_key: () => text('the key is k-31f0'),
  use_key: (_server, { key }) => text(`opened with ${key}`),
  sample: async (server, _args, options) =>
    text(
      await server.createMessage(
        { messages: [{ role: 'user', content: { type: 'text', text: 'well?' } }], maxTokens: 5 },
        options,
      ),
    ),
  elicit: async (server, _args, options) =>
    text(
      await server.elicitInput(
        {
          message: 'your pin?',
          requestedSchema: { type: 'object', properties: { pin: { type: 'string' } } },
        },
        options,
      ),
    ),
  roots: async (server, _args, options) => text(await server.listRoots(undefined, options)),
  notify: async (server) => {
    await server.notification({ method: 'notifications/tools/list_changed' });
    return text('done');
  },
  fail: () => {
    throw new Error('it does not work');
  },
};

const handlers = {
  'tools/list': () => ({ tools: Object.keys(tools).map(tool) }),
  'tools/call': (server, { name, arguments: args = {} }, options) => tools[name](server, args, options),
  'resources/list': () => ({ resources: [{ uri: 'note://1', name: 'one' }] }),
  'resources/read': (_server, { uri }) => ({ contents: [{ uri, text: 'a note' }] }),
  'prompts/list': () => ({ prompts: [{ name: 'greet' }] }),
  'prompts/get': () => ({ messages: [{ role: 'user', content: { type: 'text', text: 'hello' } }] }),
};

async function build1() {
  const { Server } = await import('@modelcontextprotocol/sdk/server/index.js');
  const types = await import('@modelcontextprotocol/sdk/types.js');
  const server = new Server(info, { capabilities });
  const schemas = {
    'tools/list': types.ListToolsRequestSchema,
    'tools/call': types.CallToolRequestSchema,
    'resources/list': types.ListResourcesRequestSchema,
    'resources/read': types.ReadResourceRequestSchema,
    'prompts/list': types.ListPromptsRequestSchema,
    'prompts/get': types.GetPromptRequestSchema,
  };
  for (const [method, schema] of Object.entries(schemas))
    server.setRequestHandler(schema, ({ params }, { requestId }) =>
      handlers[method](server, params, { relatedRequestId: requestId }),
    );
  return server;
}

async function build2() {
  const { Server } = await import('@modelcontextprotocol/server');
  const server = new Server(info, { capabilities });
  for (const [method, handler] of Object.entries(handlers))
    server.setRequestHandler(method, ({ params }, { mcpReq }) =>
      handler(server, params, { relatedRequestId: mcpReq?.id }),
    );
  return server;
}

const build = edition === '1' ? build1 : build2;

async function stdioTransport() {
  if (edition === '1') {
    const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
    return new StdioServerTransport();
  }
  const { StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  return new StdioServerTransport();
}

async function httpTransport(options) {
  if (edition === '1') {
    const { StreamableHTTPServerTransport } = await import('@modelcontextprotocol/sdk/server/streamableHttp.js');
    return new StreamableHTTPServerTransport(options);
  }
  const { WebStandardStreamableHTTPServerTransport } = await import('@modelcontextprotocol/server');
  const transport = new WebStandardStreamableHTTPServerTransport(options);
  const { handleRequest } = transport;
  transport.handleRequest = (request, response) =>
    overNode(request, response, (asked) => handleRequest.call(transport, asked));
  return transport;
}

/** The part that the second edition leaves to web frameworks. */
async function overNode(request, response, handle) {
  const body = request.method === 'POST' ? Readable.toWeb(request) : undefined;
  const asked = new Request(`http://${request.headers.host}${request.url}`, {
    method: request.method,
    headers: request.headers,
    body,
    duplex: 'half',
  });
  const answer = await handle(asked);
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.flushHeaders();
  if (answer.body === null) response.end();
  else
    Readable.fromWeb(answer.body)
      .on('error', () => {})
      .pipe(response);
}

if (way === 'stdio') await (await build()).connect(await stdioTransport());
else {
  const sessions = new Map();
  const listener = createServer(async (request, response) => {
    let transport = sessions.get(request.headers['mcp-session-id']);
    if (transport === undefined) {
      transport = await httpTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => sessions.set(id, transport),
      });
      await (await build()).connect(transport);
    }
    await transport.handleRequest(request, response);
  });
  listener.listen(0, '127.0.0.1', () => console.log(listener.address().port));
}
