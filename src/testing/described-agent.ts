import type { AgentUnderTest } from '../agent/agent.ts';
import type { Target } from '../agent/targets.ts';
import { findAndLoadConfig, type LoadedConfig } from '../config/load-config.ts';
import { namedAgent, namesAgent, shownAgent } from '../config/named-agent.ts';
import { targetAgent } from '../config/target-agent.ts';
import { problemsOfTarget } from '../config/target-problems.ts';
import { formatPath } from '../model/path.ts';
import { visible } from '../report/visible.ts';
import { notAttackedFor } from './check-options.ts';
import { NotAttacked } from './not-attacked.ts';

/**
 * Resolves a value of --agent: a built-in agent, an agent described by a prefix such as `llm:`, or a target of the
 * project's configuration.
 */
export async function agentNamed(text: string): Promise<AgentUnderTest> {
  const config = namesAgent(text, undefined) ? undefined : await projectConfig();
  const agent = await namedAgent(text, { environment: process.env, cwd: process.cwd(), config });
  if ('problem' in agent)
    throw new NotAttacked(`agent: ${visible(shownAgent(text))}: ${visible(agent.problem)}`, agent.hint);
  return { ...agent, prompt: agent.prompt ?? config?.config.prompt };
}

async function projectConfig(): Promise<LoadedConfig | undefined> {
  const config = await findAndLoadConfig(process.cwd());
  if (config === undefined || config.ok) return config;
  const lines = config.problems.map(({ path, message, hint }) => {
    const place = path.length === 0 ? '' : `${formatPath(path)}: `;
    return `  ${visible(`${place}${message}`)}${hint === undefined ? '' : `\n    hint: ${visible(hint)}`}`;
  });
  throw new NotAttacked([`${visible(config.path)}: the configuration is not valid`, ...lines].join('\n'));
}

/** Builds the agent of a target that is written as in a configuration. */
export function agentDescribed(described: unknown): AgentUnderTest {
  if (typeof described !== 'object' || described === null || Array.isArray(described))
    throw new NotAttacked(
      `agent: ${wordFor(described)} is not an agent`,
      'a function, what --agent takes, or a target',
    );
  const problems = problemsOfTarget(described, ['agent']);
  if (problems.length > 0) throw notAttackedFor(problems, 'agent');
  const target = described as Target;
  const [kind = 'agent'] = Object.keys(target).filter((key) => kinds.includes(key));
  const agent = targetAgent(kind, target, { environment: process.env, folder: process.cwd() });
  if ('problem' in agent) throw new NotAttacked(`agent: ${visible(agent.problem)}`, agent.hint);
  return agent;
}

function wordFor(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

/** The fields that say what kind of agent a target is; the field is its name if it has none. */
const kinds = ['command', 'agUi', 'http', 'a2a', 'llm', 'function'];
