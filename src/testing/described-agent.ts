import type { AgentUnderTest } from '../agent/agent.ts';
import type { Target } from '../agent/targets.ts';
import { findAndLoadConfig, type LoadedConfig } from '../config/load-config.ts';
import { namedAgent, namesAgent, shownAgent } from '../config/named-agent.ts';
import { targetAgent } from '../config/target-agent.ts';
import { formatPath } from '../model/path.ts';
import { visible } from '../report/visible.ts';
import { NotAttacked } from './not-attacked.ts';

/** What --agent takes: an agent that is built in or described in a word, or a target of the project's configuration. */
export async function agentNamed(text: string): Promise<AgentUnderTest> {
  const config = namesAgent(text, undefined) ? undefined : await projectConfig();
  const agent = namedAgent(text, { environment: process.env, cwd: process.cwd(), config });
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

/** A target as a configuration has it. */
export function agentDescribed(target: Target): AgentUnderTest {
  const [kind = 'agent'] = Object.keys(target).filter((key) => kinds.includes(key));
  const agent = targetAgent(kind, target, { environment: process.env, folder: process.cwd() });
  if ('problem' in agent) throw new NotAttacked(`agent: ${visible(agent.problem)}`, agent.hint);
  return agent;
}

/** The fields that say what a target is; it goes by them where it has no name. */
const kinds = ['command', 'agUi', 'http', 'a2a', 'llm', 'function'];
