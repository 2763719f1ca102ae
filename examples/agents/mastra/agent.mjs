// An assistant with Mastra: a prompt on its standard input, its answer on its standard output.
// What was said before is kept in a file of the folder that it runs in.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { Agent } from '@mastra/core/agent';
import { MCPClient } from '@mastra/mcp';

const { OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL, OATF_MCP_CONFIG } = process.env;
const memory = 'conversation.json';

const { mcpServers } = JSON.parse(readFileSync(OATF_MCP_CONFIG, 'utf8'));
const servers = Object.entries(mcpServers).map(([name, { url }]) => [name, { url: new URL(url) }]);
const client = new MCPClient({ servers: Object.fromEntries(servers) });

try {
  const agent = new Agent({
    name: 'assistant',
    instructions: 'You are a capable assistant.',
    model: { providerId: 'model', modelId: OPENAI_MODEL, url: OPENAI_BASE_URL, apiKey: OPENAI_API_KEY },
    tools: await client.getTools(),
  });

  const messages = existsSync(memory) ? JSON.parse(readFileSync(memory, 'utf8')) : [];
  messages.push({ role: 'user', content: await text(process.stdin) });
  const answer = await agent.generate(messages, { maxSteps: 25 });
  writeFileSync(memory, JSON.stringify([...messages, ...answer.response.messages]));
  console.log(answer.text);
} finally {
  await client.disconnect();
}
