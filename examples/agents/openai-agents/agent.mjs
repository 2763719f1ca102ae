// An assistant with the OpenAI Agents SDK: a prompt on its standard input, its answer on its standard output.
// What was said before is kept in a file of the folder that it runs in.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import {
  Agent,
  connectMcpServers,
  MCPServerStreamableHttp,
  run,
  setOpenAIAPI,
  setTracingDisabled,
  user,
} from '@openai/agents';

const { OPENAI_MODEL, OATF_MCP_CONFIG } = process.env;
const memory = 'conversation.json';

// OPENAI_BASE_URL and OPENAI_API_KEY are read by the SDK itself. Few services besides OpenAI speak its newer API.
setOpenAIAPI('chat_completions');
setTracingDisabled(true);

const { mcpServers } = JSON.parse(readFileSync(OATF_MCP_CONFIG, 'utf8'));
const servers = await connectMcpServers(
  Object.entries(mcpServers).map(([name, { url }]) => new MCPServerStreamableHttp({ name, url })),
  { strict: true },
);

try {
  const agent = new Agent({
    name: 'Assistant',
    instructions: 'You are a capable assistant.',
    model: OPENAI_MODEL,
    mcpServers: servers.active,
  });

  const before = existsSync(memory) ? JSON.parse(readFileSync(memory, 'utf8')) : [];
  const result = await run(agent, [...before, user(await text(process.stdin))], { maxTurns: 25 });
  writeFileSync(memory, JSON.stringify(result.history));
  console.log(result.finalOutput);
} finally {
  await servers.close();
}
