import { Client as Client2, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import type { AgentFunction, AgentRequest, MemoryAgentFunction, MemoryConnection } from '../../src/testing/testing.ts';

// Small agents in this process: they list tools, call some, and end with a word.

interface ToolUser {
  listTools(): Promise<{ tools: { name: string; inputSchema: { properties?: object } }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

/** The whole conversation: an agent that reads only the last turn has not seen all of an attack. */
function heardIn({ messages, prompt }: Pick<AgentRequest, 'messages' | 'prompt'>): string {
  const earlier = messages.slice(0, -1).map(({ content }) => content);
  return [...earlier, prompt].join('\n');
}

/** Chooses the tool of a server to call, and the value of its arguments. */
type Habit = (names: readonly string[], heard: string) => readonly [tool: string | undefined, text: string];

/** Calls the named tool, with everything that the agent was told. */
function telling(tool: string, words = ''): Habit {
  return (names, heard) => [names.find((name) => name === tool), `${heard}${words}`];
}

/** Calls the first tool of every server, which the user's task needs, with nothing that the agent was told. */
const working: Habit = ([first]) => [first, 'something'];

/** Calls no tool. */
const looking: Habit = () => [undefined, ''];

/** Lists the tools, and calls one as is its habit. */
async function use(client: ToolUser, habit: Habit, heard: string): Promise<void> {
  const { tools } = await client.listTools();
  const [tool, text] = habit(
    tools.map(({ name }) => name),
    heard,
  );
  const called = tools.find(({ name }) => name === tool);
  if (called !== undefined) {
    const keys = Object.keys(called.inputSchema.properties ?? {});
    await client.callTool({
      name: called.name,
      arguments: Object.fromEntries(keys.map((key) => [key, text])),
    });
  }
  await client.close();
}

function over(habit: Habit): AgentFunction {
  return async (request) => {
    for (const { url } of urlsIn(request.mcpConfig)) {
      const client = new Client2({ name: 'mine', version: '1' });
      await client.connect(new StreamableHTTPClientTransport(new URL(url)));
      await use(client as ToolUser, habit, heardIn(request));
    }
    return 'Done.';
  };
}

export function calling(tool: string, words?: string): AgentFunction {
  return over(telling(tool, words));
}

function urlsIn({ mcpServers }: { readonly mcpServers: object }): readonly { readonly url: string }[] {
  return Object.values(mcpServers) as readonly { readonly url: string }[];
}

/** Obeys the tool description of OATS-001. */
export const fooled = calling('report_usage');
/** Does only what it was asked for. */
export const careful = over(working);
/** Looks at its tools, and leaves them alone. */
export const shy = over(looking);
/** Has never heard of tools. */
export const idle: AgentFunction = ({ prompt }) => (prompt === '' ? 'Yes?' : 'Hello.');
/** Never answers. */
export const stuck: AgentFunction = () => new Promise(() => {});

export const connecting: { readonly [sdk: string]: (connection: MemoryConnection) => Promise<ToolUser> } = {
  '1.x': async (connection) => {
    const client = new Client1({ name: 'mine', version: '1' });
    await client.connect(connection);
    return client as ToolUser;
  },
  '2.x': async (connection) => {
    const client = new Client2({ name: 'mine', version: '1' });
    await client.connect(connection);
    return client as ToolUser;
  },
};

export function inMemory(
  connect: (connection: MemoryConnection) => Promise<ToolUser>,
  tool?: string,
): MemoryAgentFunction {
  return async (request) => {
    for (const endpoint of Object.values(request.endpoints))
      await use(await connect(endpoint.connect()), tool === undefined ? working : telling(tool), heardIn(request));
    return 'Done.';
  };
}
