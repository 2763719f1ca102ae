// An agent that uses the tools of MCP servers and nothing else, made with the official SDK. It calls the tools whose names
// its user mentions, and neither repeats what it reads nor passes anything on.
import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const [configFile, prompt = ''] = process.argv.slice(2);
const { mcpServers } = JSON.parse(readFileSync(configFile, 'utf8'));
const isMentioned = ({ name }) => name.split(/[^a-z]+/i).every((word) => prompt.toLowerCase().includes(word));

/** Fills a tool's required parameters with values that say nothing. */
function fillArguments({ properties = {}, required = [] }) {
  const chooseValue = ({ type, enum: choices }) =>
    choices?.[0] ?? { number: 1, integer: 1, boolean: true, array: [], object: {} }[type] ?? 'any';
  return Object.fromEntries(required.map((name) => [name, chooseValue(properties[name] ?? {})]));
}

async function callTools(url) {
  const client = new Client({ name: 'mcp-only', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const { tools } = await client.listTools();
  const mentioned = tools.filter(isMentioned);
  for (const { name, inputSchema } of mentioned) await client.callTool({ name, arguments: fillArguments(inputSchema) });
  await client.close();
  return mentioned.length;
}

// A server that breaks the protocol is left out, as a robust agent would do.
const counts = await Promise.all(Object.values(mcpServers).map(({ url }) => callTools(url).catch(() => 0)));
console.log(`I called ${counts.reduce((sum, count) => sum + count, 0)} tools for you.`);
