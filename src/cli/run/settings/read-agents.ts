import type { AgentUnderTest } from '../../../agents/adapters/agent-under-test.ts';
import { type AgentContext, findNamedAgent, redactAgentSpec } from '../../../suite/config/named-agent.ts';
import { refuseFlag, type WrongUsage } from './wrong-usage.ts';

/** Reads `--agent`. */
export async function readAgents(
  typed: readonly string[],
  context: AgentContext,
): Promise<readonly AgentUnderTest[] | WrongUsage> {
  const agents: AgentUnderTest[] = [];
  for (const [index, text] of typed.entries()) {
    const agent = await findNamedAgent(text, context);
    if ('problem' in agent) return refuseFlag('agent', redactAgentSpec(text), agent.problem, agent.hint);
    if (typed.indexOf(text) < index)
      return refuseFlag('agent', redactAgentSpec(text), 'was given already', 'each agent is a column of the results');
    // A target without a prompt gets the file's prompt.
    agents.push({ ...numberAgentName(agent, agents), prompt: agent.prompt ?? context.config?.config.prompt });
  }
  return agents;
}

/** Two agents with the same name get numbers. */
function numberAgentName(agent: AgentUnderTest, others: readonly AgentUnderTest[]): AgentUnderTest {
  let { name } = agent;
  for (let count = 2; others.some((other) => other.name === name); count++) name = `${agent.name}-${count}`;
  return { ...agent, name };
}
