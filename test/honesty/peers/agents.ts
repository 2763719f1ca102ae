import { fileURLToPath } from 'node:url';
import type { AgentUnderTest, McpConfig } from '../../../src/agents/adapters/agent-under-test.ts';
import { createCommandAgent } from '../../../src/agents/adapters/command-agent.ts';
import { type AgentReply, type AgentRequest, functionAgent } from '../../../src/agents/adapters/function-agent.ts';
import { httpAgent } from '../../../src/agents/adapters/http-agent.ts';
import type { CommandTarget } from '../../../src/agents/adapters/targets.ts';
import { mcpServer } from '../../../src/attack/bindings/mcp/mcp-server-binding.ts';
import { createStdioServer } from '../../../src/attack/transport/mcp-server/stdio-server.ts';
import { mcp2026 } from '../../../src/format/registry/mcp-2026.ts';
import type { Value } from '../../../src/index.ts';
import type { PlayOptions } from '../../../src/suite/play/play-run.ts';
import { mcpServerMode } from '../../../src/suite/play/playable-modes.ts';
import { type Answerer, openAgent } from '../../support/http-agent.ts';
import { openPipes } from '../../support/open-pipes.ts';
import type { Peer } from '../row.ts';
import type { Stage } from '../stage.ts';
import { LineVisitor } from './line-visitor.ts';
import { McpVisitor, type Visit, type Visitor } from './mcp-visitor.ts';

// Agents of every kind: clients that connect, functions, programs and endpoints.

type Script<V> = (mcp: V, stage: Stage) => Promise<unknown>;

/** A client that connects over MCP, follows the script, and ends its session unless the script breaks off. */
export function visitor(script: Script<Visitor>, visit: Visited['visit'] = {}): Peer {
  return { ...httpVisitor(script, visit), lines: overLines(script, visit) };
}

/** The same, for a script that needs HTTP. */
export function httpVisitor(script: Script<McpVisitor>, visit: Visited['visit'] = {}): Peer {
  return inBothEras((era) => ({ script, visit: { ...visit, ...era }, leave: async (mcp) => mcp.leave() }));
}

/** The same, but it leaves without ending its session. */
export function deserter(script: Script<McpVisitor>, visit: Visited['visit'] = {}): Peer {
  return inBothEras((era) => ({ script, visit: { ...visit, ...era }, leave: async () => {} }));
}

interface Visited {
  readonly script: Script<McpVisitor>;
  readonly visit: Visit & Omit<Partial<PlayOptions>, 'era'>;
  leave(mcp: McpVisitor): Promise<void>;
}

/** Over the standard streams of the server, in MCP 2026-07-28. */
function overLines(script: Script<Visitor>, { capabilities, answer, era: _, ...options }: Visited['visit']): Peer {
  return {
    over: `stdio, ${mcp2026}`,
    open(stage) {
      const { toServer, fromServer } = openPipes();
      const mcp = new LineVisitor(toServer, fromServer, {
        ...(capabilities !== undefined && { capabilities }),
        ...(answer !== undefined && { answer }),
      });
      const transport = () => createStdioServer({ input: toServer, output: fromServer });
      return {
        ...options,
        modes: [{ binding: mcpServer, transport }],
        ready() {
          void stage.work(async () => {
            await mcp.enter();
            await script(mcp, stage);
            await mcp.leave();
          });
        },
      };
    },
  };
}

function inBothEras(visitedIn: (era: Pick<Visit, 'era'>) => Visited): Peer {
  return {
    over: 'Streamable HTTP',
    open: (stage) => visited(stage, visitedIn({})),
    modern: {
      over: `Streamable HTTP, ${mcp2026}`,
      open: (stage) => visited(stage, visitedIn({ era: mcp2026 })),
    },
  };
}

function visited(stage: Stage, { script, visit, leave }: Visited): Partial<PlayOptions> {
  const { capabilities, answer, era, ...options } = visit;
  return {
    ...options,
    ready(endpoints) {
      const [{ url }] = [...endpoints.values()] as [{ url: string }];
      const mcp = new McpVisitor(url, {
        ...(capabilities !== undefined && { capabilities }),
        ...(answer !== undefined && { answer }),
        ...(era !== undefined && { era }),
      });
      void stage.work(async () => {
        await mcp.enter();
        await script(mcp, stage);
        await leave(mcp);
      });
    },
  };
}

/** The actions of a client that uses the server. */
export async function listAndCall(mcp: Visitor): Promise<void> {
  await mcp.list('tools');
  await mcp.call('search', { q: 'hotels' });
}

/** The first server that an agent was given. */
export function serverIn({ mcpServers }: McpConfig): string {
  return Object.values(mcpServers)[0]?.url ?? '';
}

/** Connects to the server that an agent was given, and leaves after the script. */
export async function visit(config: McpConfig, script: (mcp: McpVisitor) => Promise<unknown>): Promise<void> {
  const mcp = new McpVisitor(serverIn(config));
  await mcp.enter();
  await script(mcp);
  await mcp.leave();
}

/** Connects to every server that an agent was given, one after the other. */
export async function visitAll(
  { mcpServers }: McpConfig,
  script: (mcp: McpVisitor, name: string) => Promise<unknown>,
): Promise<void> {
  for (const [name, server] of Object.entries(mcpServers))
    await visit({ mcpServers: { [name]: server } }, (mcp) => script(mcp, name));
}

/** An agent that is a function. */
export function inProcess(agent: (request: AgentRequest, stage: Stage) => Promise<AgentReply>): Peer {
  return {
    over: 'a function',
    open: (stage) => ({
      agent: functionAgent('function', (request) => stage.work(() => agent(request, stage))),
    }),
  };
}

const programs = (name: string): string => fileURLToPath(new URL(`../programs/${name}`, import.meta.url));
const context = { environment: {}, folder: '.' };

/** A program that is launched for the run; its argument says what it does. */
export function launched(actions: Value, target: Partial<CommandTarget> = {}): Peer {
  const command = [process.execPath, programs('agent.mjs'), JSON.stringify(actions), '{{prompt}}'];
  return {
    over: 'a command',
    open: () => ({ agent: createCommandAgent('command', { command, ...target } as CommandTarget, context) }),
  };
}

/** A program that does not exist. */
export const missingProgram: Peer = {
  over: 'a command',
  open: () => ({ agent: createCommandAgent('command', { command: ['/nowhere/at/all'] }, context) }),
};

/** An endpoint that takes the prompt as JSON. */
export function endpoint(
  answer: Answerer,
  make: (url: string) => AgentUnderTest = promptOver,
  over = 'an HTTP endpoint',
): Peer {
  return {
    over,
    async open(stage) {
      const { url, close } = await openAgent((response, input, count) =>
        stage.work(async () => answer(response, input, count)),
      );
      stage.afterwards(close);
      return { agent: make(url) };
    },
  };
}

/** An endpoint whose target does not say where the answer is in its JSON. */
export function plainly(answer: object): Peer {
  return endpoint(
    (response) => response.setHeader('content-type', 'application/json').end(JSON.stringify(answer)),
    (url) => httpAgent('http', { http: url }, context),
  );
}

function promptOver(url: string): AgentUnderTest {
  return httpAgent('http', { http: url, answer: '$.answer' }, context);
}

/** A client that cannot connect, because another program uses the server's port. */
export const noPort: Peer = {
  over: 'Streamable HTTP',
  async open(stage) {
    const { port, close } = await openAgent(() => {});
    stage.afterwards(close);
    return { modes: [mcpServerMode({ port })] };
  },
};
