import type { AgentUnderTest } from '../agents/adapters/agent-under-test.ts';
import type { Target } from '../agents/adapters/targets.ts';
import { escapeInvisible } from '../format/model/escape-invisible.ts';
import { formatPath } from '../format/model/path.ts';
import { findAndLoadConfig, type LoadedConfig } from '../suite/config/load-config.ts';
import { findNamedAgent, isAgentValue, redactAgentSpec } from '../suite/config/named-agent.ts';
import { createAgentOfTarget } from '../suite/config/target-agent.ts';
import { checkTarget } from '../suite/config/target-problems.ts';
import { createOptionError } from './check-options.ts';
import { NotAttacked } from './not-attacked.ts';

/**
 * Resolves a value of --agent: a built-in agent, an agent described by a prefix such as `llm:`, or a target of the
 * project's configuration.
 */
export async function loadNamedAgent(text: string): Promise<AgentUnderTest> {
  const config = isAgentValue(text, undefined) ? undefined : await loadProjectConfig();
  const agent = await findNamedAgent(text, { environment: process.env, cwd: process.cwd(), config });
  if ('problem' in agent)
    throw new NotAttacked(
      `agent: ${escapeInvisible(redactAgentSpec(text))}: ${escapeInvisible(agent.problem)}`,
      agent.hint,
    );
  return { ...agent, prompt: agent.prompt ?? config?.config.prompt };
}

async function loadProjectConfig(): Promise<LoadedConfig | undefined> {
  const config = await findAndLoadConfig(process.cwd());
  if (config === undefined || config.ok) return config;
  const lines = config.problems.map(({ path, message, hint }) => {
    const place = path.length === 0 ? '' : `${formatPath(path)}: `;
    return `  ${escapeInvisible(`${place}${message}`)}${hint === undefined ? '' : `\n    hint: ${escapeInvisible(hint)}`}`;
  });
  throw new NotAttacked([`${escapeInvisible(config.path)}: the configuration is not valid`, ...lines].join('\n'));
}

/** Builds the agent of a target that is written as in a configuration. */
export function createDescribedAgent(described: unknown): AgentUnderTest {
  if (typeof described !== 'object' || described === null || Array.isArray(described))
    throw new NotAttacked(
      `agent: ${nameType(described)} is not an agent`,
      'a function, what --agent takes, or a target',
    );
  const problems = checkTarget(described, ['agent']);
  if (problems.length > 0) throw createOptionError(problems, 'agent');
  const target = described as Target;
  const [kind = 'agent'] = Object.keys(target).filter((key) => kinds.includes(key));
  const agent = createAgentOfTarget(kind, target, { environment: process.env, folder: process.cwd() });
  if ('problem' in agent) throw new NotAttacked(`agent: ${escapeInvisible(agent.problem)}`, agent.hint);
  return agent;
}

function nameType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

/** The fields that say what kind of agent a target is; the field is its name if it has none. */
const kinds = ['command', 'agUi', 'http', 'a2a', 'llm', 'function'];
