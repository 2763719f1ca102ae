// A server built with the official package that knows no handshake: `node official-server.mjs stdio|http`. Over HTTP it
// prints its port, and what each request says of itself.
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import {
  acceptedContent,
  createMcpHandler,
  fromJsonSchema,
  inputRequired,
  McpServer,
} from '@modelcontextprotocol/server';

const text = (value) => ({ content: [{ type: 'text', text: value }] });

function build() {
  const server = new McpServer(
    { name: 'modern', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true } }, instructions: 'be kind' },
  );
  server.registerTool('read_key', { description: 'reads' }, () => text('the key is k-31f0'));
  server.registerTool('elicit', { description: 'asks' }, (context) => {
    const given = acceptedContent(context.mcpReq.inputResponses, 'pin');
    if (given !== undefined) return text(`the pin is ${given.pin}`);
    const question = {
      message: 'your pin?',
      requestedSchema: { type: 'object', properties: { pin: { type: 'string' } } },
    };
    return inputRequired({ inputRequests: { pin: inputRequired.elicit(question) }, requestState: 'round-1' });
  });
  // Over HTTP, calls of it repeat their region in a header.
  const region = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };
  server.registerTool('route', { description: 'routes', inputSchema: fromJsonSchema(region) }, (args) =>
    text(`routed to ${args.region}`),
  );
  return server;
}

if (process.argv[2] === 'stdio') {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  await serveStdio(build, { legacy: 'reject' });
} else {
  const handler = createMcpHandler(build, { legacy: 'reject' });
  const listener = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const isEmpty = request.method === 'GET' || request.method === 'DELETE';
    const answer = await handler.fetch(
      new Request(`http://127.0.0.1${request.url}`, {
        method: request.method,
        headers: request.headers,
        ...(!isEmpty && { body: Buffer.concat(chunks) }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.flushHeaders();
    if (answer.body === null) response.end();
    else
      Readable.fromWeb(answer.body)
        .on('error', () => {})
        .pipe(response);
  });
  listener.listen(0, '127.0.0.1', () => console.log(`port ${listener.address().port}`));
}
