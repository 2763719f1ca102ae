import { connect } from 'node:net';

// A server over standard streams. It reports every byte that it reads over a socket, and when its own bytes were taken.

const [port, length] = process.argv.slice(2).map(Number);
const told = connect(port, '127.0.0.1');
let begun = '';
process.stdin.on('data', (chunk) => {
  told.write(chunk);
  const lines = (begun + chunk.toString('latin1')).split('\n');
  begun = lines.pop();
  for (const line of lines) answer(line);
});
process.stdin.on('end', () => told.end());

function answer(line) {
  const [, id] = /"id":"([^"]+)"/.exec(line) ?? [];
  if (id === undefined) return;
  const isHandshake = line.includes('"method":"initialize"');
  const serverInfo = { name: 'raw', version: '1' };
  const result = isHandshake
    ? { protocolVersion: '2025-11-25', capabilities: {}, serverInfo }
    : { content: [], long: 'x'.repeat(length) };
  if (!isHandshake) told.write('<writing>');
  const text = JSON.stringify({ jsonrpc: '2.0', id, result });
  process.stdout.write(`${line.startsWith('[') ? `[${text}]` : text}\n`, () => {
    if (!isHandshake) told.write('<written>');
  });
}
