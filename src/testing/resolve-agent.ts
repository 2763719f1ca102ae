import type { AgentUnderTest, Briefing } from '../agents/adapters/agent-under-test.ts';
import { type AgentFunction, functionAgent } from '../agents/adapters/function-agent.ts';
import type { MemoryEndpoint } from '../attack/transport/mcp-server/in-memory.ts';
import type { AttackOptions, MemoryAgentFunction } from './attack-options.ts';
import { NotAttacked } from './not-attacked.ts';

/** The agent that the option `agent` selects. */
export interface ChosenAgent {
  readonly agent: AgentUnderTest;
  /** The agent for one run. If the agent is a function, `thrown` receives any error that it throws. */
  forRun(thrown: (error: unknown) => void): AgentUnderTest;
}

/** Resolves the option `agent`: a function, an agent object, a name or a target. */
export async function resolveAgent({ agent, transport }: AttackOptions): Promise<ChosenAgent> {
  const isInMemory = transport === 'memory';
  if (typeof agent === 'function') return chooseFunction(agent, isInMemory);
  if (typeof agent === 'object' && agent !== null && 'launch' in agent) {
    const problem = findAgentProblem(agent);
    if (problem !== undefined) throw new NotAttacked(`agent: ${problem}`);
    return toChosenAgent(isInMemory ? toMemoryAgent(agent) : agent);
  }
  if (isInMemory) throw new NotAttacked('transport: this agent cannot be given transports in memory', 'a function can');
  // Loaded only if needed: most agents in tests are functions, which use none of that code.
  const { createDescribedAgent, loadNamedAgent } = await import('./described-agent.ts');
  return toChosenAgent(typeof agent === 'string' ? await loadNamedAgent(agent) : createDescribedAgent(agent));
}

function toChosenAgent(agent: AgentUnderTest): ChosenAgent {
  return { agent, forRun: () => agent };
}

const textFields = ['name', 'kind'] as const;

/** Checks an agent object at run time, because callers may write JavaScript without a type checker. */
function findAgentProblem(agent: AgentUnderTest): string | undefined {
  if (typeof agent.launch !== 'function') return '`launch` is not a function';
  const wrong = textFields.find((field) => typeof agent[field] !== 'string');
  if (wrong !== undefined) return `\`${wrong}\` is not a string`;
  if (!Array.isArray(agent.speaks)) return '`speaks` is not a list of protocols';
  return agent.close === undefined || typeof agent.close === 'function' ? undefined : '`close` is not a function';
}

function chooseFunction(agent: AgentFunction | MemoryAgentFunction, isInMemory: boolean): ChosenAgent {
  const name = nameFunction(agent);
  const forRun: ChosenAgent['forRun'] = (thrown) => {
    const made = functionAgent(name, async (request) => {
      try {
        return await (agent as AgentFunction)(request);
      } catch (error) {
        // A function may react to the abort signal by throwing, so such an error is not reported.
        if (!request.signal.aborted) thrown(error);
        throw error;
      }
    });
    return isInMemory ? toMemoryAgent(made) : made;
  };
  return { agent: forRun(() => {}), forRun };
}

function nameFunction({ name }: AgentFunction | MemoryAgentFunction): string {
  return name === '' ? 'agent' : name;
}

/**
 * The same agent, with a briefing that lists only what it can use: a server in memory has no address, so `mcpConfig`
 * leaves it out.
 */
function toMemoryAgent(agent: AgentUnderTest): AgentUnderTest {
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
    findLaunchProblem: () => agent.findLaunchProblem?.(),
    launch: (briefing) => agent.launch(addConnections(briefing)),
    followPlan: undefined,
    close: async () => agent.close?.(),
    // A missing field is a type error, because the wrapped agent would lose it.
  } satisfies { readonly [F in keyof Required<AgentUnderTest>]: AgentUnderTest[F] };
}

function addConnections(briefing: Briefing): Briefing {
  const { endpoints, mcpConfig } = briefing;
  const servers = Object.entries(mcpConfig.mcpServers).filter(([name]) => !isMemory(endpoints[name]));
  const connecting = Object.entries(endpoints).map(([name, endpoint]) => [
    name,
    isMemory(endpoint) ? endpoint : { ...endpoint, connect: () => refuseMemoryConnection(name, endpoint.url) },
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

function refuseMemoryConnection(name: string, url: string): never {
  throw new Error(`"${name}" is not served in memory; it is at ${url}`);
}
