import { a2aAgent } from '../../agents/adapters/a2a-agent.ts';
import { agUiAgent } from '../../agents/adapters/ag-ui-agent.ts';
import type { AgentUnderTest } from '../../agents/adapters/agent-under-test.ts';
import { createCommandAgent } from '../../agents/adapters/command-agent.ts';
import { functionAgent } from '../../agents/adapters/function-agent.ts';
import { httpAgent } from '../../agents/adapters/http-agent.ts';
import type { LlmTarget, Target, TargetContext } from '../../agents/adapters/targets.ts';
import { llmAgent, readLlmSettings } from '../../agents/built-in/built-in-agents.ts';
import { findFirstTargetProblem } from './target-problems.ts';

export interface TargetProblem {
  readonly problem: string;
  readonly hint?: string;
}

/** Builds the agent that a target describes. It launches nothing and opens no connection. */
export function createAgentOfTarget(
  name: string,
  target: Target,
  context: TargetContext,
): AgentUnderTest | TargetProblem {
  const problem = findFirstTargetProblem(target);
  if (problem !== undefined) return { problem };
  const agent = createAgentByKind(name, target, context);
  const { without } = target;
  return 'problem' in agent || without === undefined ? agent : { ...agent, without };
}

function createAgentByKind(name: string, target: Target, context: TargetContext): AgentUnderTest | TargetProblem {
  if (target.command !== undefined) return createCommandAgent(name, target, context);
  if (target.agUi !== undefined) return agUiAgent(name, target, context);
  if (target.http !== undefined) return httpAgent(name, target, context);
  if (target.a2a !== undefined) return a2aAgent(name, target, context);
  if (target.llm !== undefined) return createModelAgent(name, target, context);
  const { function: agent, prompt } = target;
  return { ...functionAgent(name, agent), prompt };
}

function createModelAgent(
  name: string,
  target: LlmTarget,
  { environment, folder }: TargetContext,
): AgentUnderTest | TargetProblem {
  const settings = readLlmSettings(target.llm, environment, { target, folder });
  return 'problem' in settings ? settings : llmAgent(name, settings, target.prompt);
}
