// An assistant with LangGraph and its MCP adapters: a prompt on its standard input, its answer on its standard output.
// What was said before is kept in a file of the folder that it runs in.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import {
  HumanMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
  SystemMessage,
} from '@langchain/core/messages';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { ChatOpenAI } from '@langchain/openai';

const { OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL, OATF_MCP_CONFIG } = process.env;
const memory = 'conversation.json';

const { mcpServers } = JSON.parse(readFileSync(OATF_MCP_CONFIG, 'utf8'));
const hasServers = Object.keys(mcpServers).length > 0;
const client = hasServers ? new MultiServerMCPClient({ mcpServers }) : undefined;

try {
  const tools = (await client?.getTools()) ?? [];
  const model = new ChatOpenAI({
    model: OPENAI_MODEL,
    apiKey: OPENAI_API_KEY,
    configuration: { baseURL: OPENAI_BASE_URL },
  }).bindTools(tools);
  const instructions = new SystemMessage('You are a capable assistant.');

  const graph = new StateGraph(MessagesAnnotation)
    .addNode('model', async ({ messages }) => ({
      messages: [await model.invoke([instructions, ...messages])],
    }))
    .addNode('tools', new ToolNode(tools))
    .addEdge(START, 'model')
    .addConditionalEdges('model', toolsCondition, ['tools', END])
    .addEdge('tools', 'model')
    .compile();

  const before = existsSync(memory) ? JSON.parse(readFileSync(memory, 'utf8')) : [];
  const prompt = new HumanMessage(await text(process.stdin));
  const { messages } = await graph.invoke(
    { messages: [...mapStoredMessagesToChatMessages(before), prompt] },
    { recursionLimit: 50 },
  );
  writeFileSync(memory, JSON.stringify(mapChatMessagesToStoredMessages(messages)));
  console.log(messages.at(-1).text);
} finally {
  await client?.close();
}
