import type { LlmTarget, TargetContext } from '../../adapters/targets.ts';
import { dropEmpty, type Environment, type LlmProblem, readLlmNumbers } from './llm-numbers.ts';
import { readKey } from './read-key.ts';

export type { LlmProblem };

/** The address of a language model, and the parameters of its requests. */
export interface LlmSettings {
  readonly api: LlmApi;
  readonly model: string;
  readonly baseUrl: string;
  /** Absent for local servers that need none. */
  readonly key?: string | undefined;
  readonly temperature?: number | undefined;
  readonly maxTokens: number;
  /** The system prompt of the agent, instead of ours. */
  readonly systemPrompt?: string | undefined;
  /** Whether answers are streamed. Default: true. */
  readonly stream?: boolean | undefined;
  /** How tools are offered: through the API, or described in words for a model without tools. */
  readonly tools?: 'native' | 'text' | undefined;
  /** The prices of a million tokens. */
  readonly prices?: { readonly input: number; readonly output: number } | undefined;
}

export const llmApis = ['openai', 'anthropic'] as const;
/** The API of a language model. */
export type LlmApi = (typeof llmApis)[number];

interface Service {
  readonly baseUrl: string;
  /** The environment variables that other programs also use for this service. */
  readonly keys: string;
  readonly base: string;
}

const services: { readonly [A in LlmApi]: Service } = {
  openai: { baseUrl: 'https://api.openai.com/v1', keys: 'OPENAI_API_KEY', base: 'OPENAI_BASE_URL' },
  anthropic: {
    baseUrl: 'https://api.anthropic.com',
    keys: 'ANTHROPIC_API_KEY',
    base: 'ANTHROPIC_BASE_URL',
  },
};

/**
 * Reads `MODEL`, or `openai/MODEL` and `anthropic/MODEL`, which name the API. The OATF_LLM_… variables win over the
 * configuration, and the configuration wins over the variables that the services share with other programs. Keys come
 * only from the environment or from files, so that they never appear in a process list, a shell history or a result.
 */
export function readLlmSettings(
  spec: string,
  environment: TargetContext['environment'],
  {
    target = {},
    folder = '.',
  }: {
    /** The settings of a configuration. */
    readonly target?: Partial<Omit<LlmTarget, 'llm'>> | undefined;
    /** The folder that its paths start from. */
    readonly folder?: string | undefined;
  } = {},
): LlmSettings | LlmProblem {
  const named = llmApis.find((api) => spec.startsWith(`${api}/`));
  const model = named === undefined ? spec : spec.slice(named.length + 1);
  if (model === '') return { problem: 'no model is named', hint: 'such as llm:gpt-5-mini or llm:anthropic/MODEL' };
  const api = named ?? (model.startsWith('claude') ? 'anthropic' : 'openai');
  const service = services[api];
  const places = [
    ['OATF_LLM_BASE_URL', environment.OATF_LLM_BASE_URL],
    ['baseUrl', target.baseUrl],
    [service.base, environment[service.base]],
  ] as const;
  const [source, baseUrl = service.baseUrl] = places.find(([, value]) => dropEmpty(value) !== undefined) ?? [''];
  const misplaced = findBaseUrlProblem(source, baseUrl);
  if (misplaced !== undefined) return misplaced;
  const numbers = readLlmNumbers(environment, target);
  if ('problem' in numbers) return numbers;
  const found = readKey(environment, target, folder, service.keys);
  if ('problem' in found) return found;
  const { key } = found;
  if (key === undefined && baseUrl === service.baseUrl)
    return {
      problem: `there is no key for ${service.baseUrl}`,
      hint: `set ${service.keys}, or ${service.base} for a server without one`,
    };
  const choices = readChoices(environment, target);
  if ('problem' in choices) return choices;
  const systemPrompt = dropEmpty(environment.OATF_LLM_SYSTEM_PROMPT) ?? dropEmpty(target.systemPrompt);
  return { api, model, baseUrl: baseUrl.replace(/\/+$/, ''), key, systemPrompt, ...choices, ...numbers };
}

const switches: { readonly [text: string]: boolean } = {
  on: true,
  true: true,
  1: true,
  off: false,
  false: false,
  0: false,
};

function readChoices(
  environment: Environment,
  target: Partial<Omit<LlmTarget, 'llm'>>,
): Pick<LlmSettings, 'stream' | 'tools'> | LlmProblem {
  const typed = dropEmpty(environment.OATF_LLM_STREAM);
  const stream = typed === undefined ? target.stream : switches[typed.toLowerCase()];
  if (typed !== undefined && stream === undefined)
    return { problem: 'OATF_LLM_STREAM is neither on nor off', hint: 'off turns streaming off' };
  const tools = dropEmpty(environment.OATF_LLM_TOOLS) ?? target.tools;
  if (tools !== undefined && tools !== 'native' && tools !== 'text')
    return {
      problem: 'OATF_LLM_TOOLS is neither native nor text',
      hint: 'text describes tools to the model in words',
    };
  return { ...(stream !== undefined && { stream }), ...(tools !== undefined && { tools }) };
}

/** The URL may hold a key, so messages do not quote it. */
function findBaseUrlProblem(source: string, baseUrl: string): LlmProblem | undefined {
  const hint = `${source} says where the model is, such as http://127.0.0.1:11434/v1`;
  if (!URL.canParse(baseUrl)) return { problem: `${source} is not a URL`, hint };
  const { protocol, username, password } = new URL(baseUrl);
  if (!/^https?:$/.test(protocol)) return { problem: `${source} is not an http or https URL`, hint };
  if (username !== '' || password !== '')
    return {
      problem: `${source} holds a name or a password`,
      hint: 'put the key in an environment variable or a file',
    };
  if (/[?#]/.test(baseUrl))
    return {
      problem: `${source} has a query or a fragment, but the service’s own paths are added to it`,
      hint,
    };
  return undefined;
}
