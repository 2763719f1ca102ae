import type { AgentUnderTest } from '../../agent/agent.ts';
import { builtInAgent, builtInAgentNames } from '../../agent/built-in-agents.ts';
import { remoteAgent } from '../../agent/remote-agent.ts';
import { nearest } from '../../registry/suggestions.ts';
import { type WrongUsage, wrongFlag } from './wrong-usage.ts';

/** The agents that `--agent` names. */
export function readAgents(typed: readonly string[]): readonly AgentUnderTest[] | WrongUsage {
  const agents: AgentUnderTest[] = [];
  for (const text of typed) {
    const agent = agentOf(text);
    if ('message' in agent) return agent;
    if (agents.some(({ name }) => name === agent.name))
      return wrongFlag('agent', text, 'was given already', 'each agent is a column of the results');
    agents.push(agent);
  }
  return agents;
}

const agUi = 'ag-ui:';

function agentOf(text: string): AgentUnderTest | WrongUsage {
  const name = builtInAgentNames.find((known) => known === text);
  if (name !== undefined) return builtInAgent(name);
  if (text.startsWith(agUi)) {
    const url = text.slice(agUi.length);
    return isHttpUrl(url)
      ? remoteAgent(text, url)
      : wrongFlag('agent', text, `"${url}" is no http or https URL`, 'such as ag-ui:http://127.0.0.1:8000/');
  }
  const near = nearest(text, builtInAgentNames);
  return wrongFlag(
    'agent',
    text,
    'there is no such agent',
    near === undefined ? `it can be ${builtInAgentNames.join(', ')} or ag-ui:URL` : `did you mean ${near}?`,
  );
}

export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
