// An assistant with the Vercel AI SDK, as a chat application has one behind it: one process for a conversation, a line
// of JSON for each turn, and a line of JSON that answers it. The application keeps the history, and hands it in.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createMCPClient } from '@ai-sdk/mcp';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { stepCountIs, ToolLoopAgent } from 'ai';

const { OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL, OATF_MCP_CONFIG } = process.env;

const { mcpServers } = JSON.parse(readFileSync(OATF_MCP_CONFIG, 'utf8'));
const provider = createOpenAICompatible({ name: 'model', baseURL: OPENAI_BASE_URL, apiKey: OPENAI_API_KEY });
const clients = await Promise.all(
  Object.values(mcpServers).map(({ type, url }) => createMCPClient({ transport: { type, url } })),
);

for await (const line of createInterface({ input: process.stdin })) {
  const { prompt, messages } = JSON.parse(line);
  const toolSets = await Promise.all(clients.map((client) => client.tools()));
  const agent = new ToolLoopAgent({
    model: provider(OPENAI_MODEL),
    instructions: 'You are a capable assistant.',
    tools: Object.assign({}, ...toolSets),
    stopWhen: stepCountIs(25),
  });
  // The prompt is the user's last message, with what the application knows of the user before it.
  const history = messages.slice(0, -1).map(({ role, content }) => ({ role, content }));
  const { text } = await agent.generate({ messages: [...history, { role: 'user', content: prompt }] });
  console.log(JSON.stringify({ answer: text }));
}

await Promise.all(clients.map((client) => client.close()));
