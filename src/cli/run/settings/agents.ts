import type { AgentUnderTest } from '../../../agent/agent.ts';
import { type AgentContext, namedAgent, shownAgent } from '../../../config/named-agent.ts';
import { type WrongUsage, wrongFlag } from './wrong-usage.ts';

/** Reads `--agent`. */
export async function readAgents(
  typed: readonly string[],
  context: AgentContext,
): Promise<readonly AgentUnderTest[] | WrongUsage> {
  const agents: AgentUnderTest[] = [];
  for (const [index, text] of typed.entries()) {
    const agent = await namedAgent(text, context);
    if ('problem' in agent) return wrongFlag('agent', shownAgent(text), agent.problem, agent.hint);
    if (typed.indexOf(text) < index)
      return wrongFlag(
        'agent',
        shownAgent(text),
        'was given already',
        'each agent is a column of the results',
      );
    // A target without a prompt gets the file's prompt.
    agents.push({ ...numbered(agent, agents), prompt: agent.prompt ?? context.config?.config.prompt });
  }
  return agents;
}

/** Two agents with the same name get numbers. */
function numbered(agent: AgentUnderTest, others: readonly AgentUnderTest[]): AgentUnderTest {
  let { name } = agent;
  for (let count = 2; others.some((other) => other.name === name); count++) name = `${agent.name}-${count}`;
  return { ...agent, name };
}
