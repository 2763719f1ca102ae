import { a2aAgent } from '../agent/a2a-agent.ts';
import { agUiAgent } from '../agent/ag-ui-agent.ts';
import type { AgentUnderTest } from '../agent/agent.ts';
import { commandAgent } from '../agent/command-agent.ts';
import { functionAgent } from '../agent/function-agent.ts';
import { httpAgent } from '../agent/http-agent.ts';
import type { LlmTarget, Target, TargetContext } from '../agent/targets.ts';
import { llmAgent, readLlmSettings } from '../built-in/built-in-agents.ts';
import { problemOfTarget } from './target-problems.ts';

export interface TargetProblem {
  readonly problem: string;
  readonly hint?: string;
}

/** Builds the agent that a target describes. It launches nothing and opens no connection. */
export function targetAgent(
  name: string,
  target: Target,
  context: TargetContext,
): AgentUnderTest | TargetProblem {
  const problem = problemOfTarget(target);
  if (problem !== undefined) return { problem };
  const agent = agentOf(name, target, context);
  const { without } = target;
  return 'problem' in agent || without === undefined ? agent : { ...agent, without };
}

function agentOf(name: string, target: Target, context: TargetContext): AgentUnderTest | TargetProblem {
  if (target.command !== undefined) return commandAgent(name, target, context);
  if (target.agUi !== undefined) return agUiAgent(name, target, context);
  if (target.http !== undefined) return httpAgent(name, target, context);
  if (target.a2a !== undefined) return a2aAgent(name, target, context);
  if (target.llm !== undefined) return modelAgent(name, target, context);
  const { function: agent, prompt } = target;
  return { ...functionAgent(name, agent), prompt };
}

function modelAgent(
  name: string,
  target: LlmTarget,
  { environment, folder }: TargetContext,
): AgentUnderTest | TargetProblem {
  const settings = readLlmSettings(target.llm, environment, { target, folder });
  return 'problem' in settings ? settings : llmAgent(name, settings, target.prompt);
}
