import type { AgentUnderTest } from '../../agent/agent.ts';
import { builtInAgent, builtInAgentNames } from '../../agent/built-in-agents.ts';
import { type Environment, readLlmSettings } from '../../agent/llm/settings.ts';
import { llmAgent } from '../../agent/llm-agent.ts';
import { remoteAgent } from '../../agent/remote-agent.ts';
import { nearest } from '../../registry/suggestions.ts';
import { type WrongUsage, wrongFlag } from './wrong-usage.ts';

/** The agents that `--agent` names. */
export function readAgents(
  typed: readonly string[],
  environment: Environment,
): readonly AgentUnderTest[] | WrongUsage {
  const agents: AgentUnderTest[] = [];
  for (const text of typed) {
    const agent = agentOf(text, environment);
    if ('message' in agent) return agent;
    if (agents.some(({ name }) => name === agent.name))
      return wrongFlag('agent', text, 'was given already', 'each agent is a column of the results');
    agents.push(agent);
  }
  return agents;
}

/** Whether a text could stand behind `--agent`, here or elsewhere. */
export function namesAgent(text: string): boolean {
  return builtInAgentNames.some((name) => name === text) || text.startsWith(agUi) || text.startsWith(llm);
}

const agUi = 'ag-ui:';

const llm = 'llm:';

function agentOf(text: string, environment: Environment): AgentUnderTest | WrongUsage {
  const name = builtInAgentNames.find((known) => known === text);
  if (name !== undefined) return builtInAgent(name);
  if (text.startsWith(agUi)) {
    const url = text.slice(agUi.length);
    return isHttpUrl(url)
      ? remoteAgent(`${agUi}${withoutSecrets(url)}`, url)
      : wrongFlag('agent', text, `"${url}" is no http or https URL`, 'such as ag-ui:http://127.0.0.1:8000/');
  }
  if (text.startsWith(llm)) {
    const settings = readLlmSettings(text.slice(llm.length), environment);
    if ('problem' in settings) return wrongFlag('agent', text, settings.problem, settings.hint);
    return llmAgent(text, settings);
  }
  const near = nearest(text, builtInAgentNames);
  return wrongFlag(
    'agent',
    text,
    'there is no such agent',
    near === undefined
      ? `it can be ${builtInAgentNames.join(', ')}, llm:MODEL or ag-ui:URL`
      : `did you mean ${near}?`,
  );
}

export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** A name is stored and shown; what stands before the host may be a password. */
function withoutSecrets(text: string): string {
  const url = new URL(text);
  if (url.username === '' && url.password === '') return text;
  url.username = '';
  url.password = '';
  return url.href;
}
