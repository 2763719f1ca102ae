import { type LlmJudge, llmJudge, readLlmSettings } from '../../agents/built-in/built-in-agents.ts';
import { getOwnValue } from '../../format/model/value.ts';
import type { AgentContext, AgentProblem } from './named-agent.ts';

const prefix = 'llm:';

/** Finds the judge that a text names: a language model, or a target of the configuration that is one. */
export function findNamedJudge(
  text: string,
  { config, environment, cwd }: Pick<AgentContext, 'config' | 'environment' | 'cwd'>,
): LlmJudge | AgentProblem {
  const target = getOwnValue(config?.config.targets ?? {}, text);
  const isModel = target !== undefined && 'llm' in target && typeof target.llm === 'string';
  if (!isModel && !text.startsWith(prefix))
    return {
      problem: target === undefined ? 'there is no such judge' : 'this target is not a language model',
      hint: 'it can be llm:MODEL, or a target of a configuration that has `llm`',
    };
  const settings = isModel
    ? readLlmSettings(target.llm, environment, { target, folder: config?.folder ?? cwd })
    : readLlmSettings(text.slice(prefix.length), environment, { folder: cwd });
  return 'problem' in settings ? settings : llmJudge(text, settings);
}
