import type { AgentUnderTest, Briefing } from '../agent/agent.ts';
import { type AgentFunction, functionAgent } from '../agent/function-agent.ts';
import type { MemoryEndpoint } from '../transport/in-memory.ts';
import { NotAttacked } from './not-attacked.ts';
import type { AttackOptions, MemoryAgentFunction } from './options.ts';

/** An agent as it was chosen. */
export interface ChosenAgent {
  readonly agent: AgentUnderTest;
  /** The agent for one run; `thrown` hears what it throws where it is a function. */
  forRun(thrown: (error: unknown) => void): AgentUnderTest;
  /** Ends what is ours to end. */
  close(): Promise<void>;
}

/** What `agent` means. */
export async function agentOf({ agent, transport }: AttackOptions): Promise<ChosenAgent> {
  if (typeof agent === 'function') return chosenFunction(agent, transport === 'memory');
  if (typeof agent === 'object' && 'launch' in agent) {
    const told = transport === 'memory' ? inMemory(agent) : agent;
    return { agent: told, forRun: () => told, close: async () => {} };
  }
  if (transport === 'memory')
    throw new NotAttacked('transport: this agent cannot be given transports in memory', 'a function can');
  // Most agents of tests are functions, which need none of it.
  const { agentDescribed, agentNamed } = await import('./described-agent.ts');
  const made = typeof agent === 'string' ? await agentNamed(agent) : agentDescribed(agent);
  return { agent: made, forRun: () => made, close: async () => made.close?.() };
}

function chosenFunction(agent: AgentFunction | MemoryAgentFunction, isInMemory: boolean): ChosenAgent {
  const name = nameOf(agent);
  const forRun: ChosenAgent['forRun'] = (thrown) => {
    const made = functionAgent(name, async (request) => {
      try {
        return await (agent as AgentFunction)(request);
      } catch (error) {
        // Who is told to stop may well do so by throwing.
        if (!request.signal.aborted) thrown(error);
        throw error;
      }
    });
    return isInMemory ? inMemory(made) : made;
  };
  return { agent: forRun(() => {}), forRun, close: async () => {} };
}

function nameOf({ name }: AgentFunction | MemoryAgentFunction): string {
  return name === '' ? 'agent' : name;
}

/** The same agent, told only of what it can use: no configuration leads to a server that has no address. */
function inMemory(agent: AgentUnderTest): AgentUnderTest {
  const { name, kind, speaks, isTold, isOneAtATime, prompt } = agent;
  return {
    name,
    kind,
    speaks,
    isTold,
    isOneAtATime,
    prompt,
    launch: (briefing) => agent.launch(withConnections(briefing)),
  };
}

function withConnections({ endpoints, mcpConfig, a2aCards }: Briefing): Briefing {
  const servers = Object.entries(mcpConfig.mcpServers).filter(([name]) => !isMemory(endpoints[name]));
  const connecting = Object.entries(endpoints).map(([name, endpoint]) => [
    name,
    isMemory(endpoint) ? endpoint : { ...endpoint, connect: () => notInMemory(name, endpoint.url) },
  ]);
  return {
    a2aCards,
    mcpConfig: { mcpServers: Object.fromEntries(servers) },
    endpoints: Object.fromEntries(connecting),
  };
}

function isMemory(endpoint: Briefing['endpoints'][string] | undefined): endpoint is MemoryEndpoint {
  return endpoint !== undefined && 'connect' in endpoint;
}

function notInMemory(name: string, url: string): never {
  throw new Error(`"${name}" is not served in memory; it is at ${url}`);
}
