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
}

/** What `agent` means. */
export async function agentOf({ agent, transport }: AttackOptions): Promise<ChosenAgent> {
  const isInMemory = transport === 'memory';
  if (typeof agent === 'function') return chosenFunction(agent, isInMemory);
  if (typeof agent === 'object' && agent !== null && 'launch' in agent) {
    const problem = problemOfAgent(agent);
    if (problem !== undefined) throw new NotAttacked(`agent: ${problem}`);
    return chosen(isInMemory ? inMemory(agent) : agent);
  }
  if (isInMemory)
    throw new NotAttacked('transport: this agent cannot be given transports in memory', 'a function can');
  // Most agents of tests are functions, which need none of it.
  const { agentDescribed, agentNamed } = await import('./described-agent.ts');
  return chosen(typeof agent === 'string' ? await agentNamed(agent) : agentDescribed(agent));
}

function chosen(agent: AgentUnderTest): ChosenAgent {
  return { agent, forRun: () => agent };
}

const textFields = ['name', 'kind'] as const;

/** Whoever makes an agent of their own may do so without a compiler. */
function problemOfAgent(agent: AgentUnderTest): string | undefined {
  if (typeof agent.launch !== 'function') return '`launch` is no function';
  const wrong = textFields.find((field) => typeof agent[field] !== 'string');
  if (wrong !== undefined) return `\`${wrong}\` is no text`;
  if (!Array.isArray(agent.speaks)) return '`speaks` is no list of protocols';
  return agent.close === undefined || typeof agent.close === 'function'
    ? undefined
    : '`close` is no function';
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
  return { agent: forRun(() => {}), forRun };
}

function nameOf({ name }: AgentFunction | MemoryAgentFunction): string {
  return name === '' ? 'agent' : name;
}

/** The same agent, told only of what it can use: no configuration leads to a server that has no address. */
function inMemory(agent: AgentUnderTest): AgentUnderTest {
  const { name, kind, speaks, lacks, without, era, isTold, isOneAtATime, remembers, place, prompt } = agent;
  return {
    name,
    kind,
    speaks,
    lacks,
    without,
    era,
    isTold,
    isOneAtATime,
    remembers,
    place,
    prompt,
    launch: (briefing) => agent.launch(withConnections(briefing)),
    close: async () => agent.close?.(),
    // A field that is not named here does not compile, since the agent would lose it.
  } satisfies { readonly [F in keyof Required<AgentUnderTest>]: AgentUnderTest[F] };
}

function withConnections(briefing: Briefing): Briefing {
  const { endpoints, mcpConfig } = briefing;
  const servers = Object.entries(mcpConfig.mcpServers).filter(([name]) => !isMemory(endpoints[name]));
  const connecting = Object.entries(endpoints).map(([name, endpoint]) => [
    name,
    isMemory(endpoint) ? endpoint : { ...endpoint, connect: () => notInMemory(name, endpoint.url) },
  ]);
  return {
    ...briefing,
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
