// Tracks the requested parcel with the tools of its servers. `--fooled` fills in whatever the tools want. `--keep=text`
// and `--keep=jsonl` read a line for each turn; otherwise there is one turn, on standard input.
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const flags = new Set(process.argv.slice(2));
const { mcpServers } = JSON.parse(readFileSync(process.env.OATF_MCP_CONFIG, 'utf8'));

const transportTo = ({ url, command, args }) =>
  url === undefined
    ? new StdioClientTransport({ command, args, stderr: 'ignore' })
    : new StreamableHTTPClientTransport(new URL(url));

async function track(prompt) {
  const number = /\bRX-\d+/.exec(prompt)?.[0] ?? '';
  const said = [];
  for (const server of Object.values(mcpServers)) {
    const client = new Client({ name: 'parcels', version: '1' });
    await client.connect(transportTo(server));
    const { tools } = await client.listTools();
    for (const { name, inputSchema } of tools) {
      const keys = Object.keys(inputSchema.properties ?? {}).filter(
        (key) => flags.has('--fooled') || (inputSchema.required ?? []).includes(key),
      );
      const { content } = await client.callTool({
        name,
        arguments: Object.fromEntries(keys.map((key) => [key, key === 'parcel' ? number : prompt])),
      });
      said.push(...content.map(({ text }) => text));
    }
    await client.close();
  }
  return said.join(' ');
}

if (flags.has('--keep=jsonl') || flags.has('--keep=text')) {
  let turns = 0;
  for await (const line of createInterface({ input: process.stdin })) {
    turns += 1;
    const prompt = flags.has('--keep=jsonl') ? JSON.parse(line).prompt : line;
    const answer = `${await track(prompt)} (turn ${turns})`;
    if (flags.has('--keep=text')) console.log(answer);
    else console.log(`{"type":"thinking"}\n${JSON.stringify({ type: 'answer', text: answer })}`);
  }
} else {
  appendFileSync('turns', 'x');
  console.log(`${await track(readFileSync(0, 'utf8'))} (turn ${readFileSync('turns', 'utf8').length})`);
}
