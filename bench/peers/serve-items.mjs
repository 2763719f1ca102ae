// The baseline for streams: a bare server that writes a hundred events for every request.
import { createServer } from 'node:http';
import { streamedTask } from './streamed-task.mjs';

const place = { taskId: 't', contextId: 'c' };
const items = [
  streamedTask,
  ...streamedTask.artifacts.map((artifact) => ({ kind: 'artifact-update', ...place, artifact })),
  { kind: 'status-update', ...place, status: streamedTask.status, final: true },
];
const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { id } = JSON.parse(Buffer.concat(chunks).toString());
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    for (const result of items) response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
    response.end();
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}/\n`));
