import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';

// An agent that speaks AG-UI with the encoder of the packages in FOLDER, whatever their version.
//
// FOLDER serve plain     serves it, and writes its address

const [folder] = process.argv.slice(2);
const from = createRequire(join(folder, 'package.json'));
const { EventEncoder } = from('@ag-ui/encoder');
const { EventType } = from('@ag-ui/core');
// Since 1.0, the schemas have an entry point of their own.
const { RunAgentInputSchema } =
  from('@ag-ui/core').RunAgentInputSchema === undefined ? from('@ag-ui/core/schemas') : from('@ag-ui/core');

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const given = RunAgentInputSchema.safeParse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
  if (!given.success) {
    response.writeHead(422).end(given.error.message);
    return;
  }
  const encoder = new EventEncoder({ accept: request.headers.accept });
  response.writeHead(200, { 'content-type': encoder.getContentType() });
  const send = (event) => response.write(encoder.encodeBinary(event));
  const { threadId, runId, messages } = given.data;
  // The id tells the test which encoding was used.
  const messageId = encoder.getContentType();
  const delta = `you said: ${messages.at(-1).content}`;
  send({ type: EventType.RUN_STARTED, threadId, runId });
  send({ type: EventType.TEXT_MESSAGE_START, messageId, role: 'assistant' });
  send({ type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta });
  if (delta.endsWith('break off')) {
    response.end();
    return;
  }
  send({ type: EventType.TEXT_MESSAGE_END, messageId });
  send({ type: EventType.RUN_FINISHED, threadId, runId });
  response.end();
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}/\n`);
});
