import type { LlmTarget } from '../../agent/targets.ts';
import { type Environment, given, type LlmProblem, readNumbers } from './numbers.ts';
import { readKey } from './read-key.ts';

export type { Environment, LlmProblem };

/** Where a language model is, and how it is asked. */
export interface LlmSettings {
  readonly api: LlmApi;
  readonly model: string;
  readonly baseUrl: string;
  /** Absent for servers on this machine that want none. */
  readonly key?: string | undefined;
  readonly temperature?: number | undefined;
  readonly maxTokens: number;
  /** What the agent is told before everything else, in place of our own words. */
  readonly systemPrompt?: string | undefined;
  /** Whether answers are asked for piece by piece; they are unless this says no. */
  readonly stream?: boolean | undefined;
  /** How tools are offered: as the API has it, or in words to a model that has none. */
  readonly tools?: 'native' | 'text' | undefined;
  /** For a million tokens. */
  readonly prices?: { readonly input: number; readonly output: number } | undefined;
}

export const llmApis = ['openai', 'anthropic'] as const;
/** The API that a language model is asked through. */
export type LlmApi = (typeof llmApis)[number];

/** What a configuration says of it, and the folder that its paths start from. */
export interface LlmSource {
  readonly target?: Partial<Omit<LlmTarget, 'llm'>> | undefined;
  readonly folder?: string | undefined;
}

interface Service {
  readonly baseUrl: string;
  /** The variables that everybody uses for it. */
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
 * `MODEL`, or `openai/MODEL` and `anthropic/MODEL` to say which API it speaks. What OATF_LLM_… variables say wins over
 * the configuration, which wins over the variables that the services share with other programs. Keys come from the
 * environment or from files, so that none is ever in a list of processes, a shell's history or a result.
 */
export function readLlmSettings(
  spec: string,
  environment: Environment,
  { target = {}, folder = '.' }: LlmSource = {},
): LlmSettings | LlmProblem {
  const named = llmApis.find((api) => spec.startsWith(`${api}/`));
  const model = named === undefined ? spec : spec.slice(named.length + 1);
  if (model === '')
    return { problem: 'no model is named', hint: 'such as llm:gpt-5-mini or llm:anthropic/MODEL' };
  const api = named ?? (model.startsWith('claude') ? 'anthropic' : 'openai');
  const service = services[api];
  const places = [
    ['OATF_LLM_BASE_URL', environment.OATF_LLM_BASE_URL],
    ['baseUrl', target.baseUrl],
    [service.base, environment[service.base]],
  ] as const;
  const [source, baseUrl = service.baseUrl] = places.find(([, value]) => given(value) !== undefined) ?? [''];
  const misplaced = placeProblem(source, baseUrl);
  if (misplaced !== undefined) return misplaced;
  const numbers = readNumbers(environment, target);
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
  const systemPrompt = given(environment.OATF_LLM_SYSTEM_PROMPT) ?? given(target.systemPrompt);
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
  const typed = given(environment.OATF_LLM_STREAM);
  const stream = typed === undefined ? target.stream : switches[typed.toLowerCase()];
  if (typed !== undefined && stream === undefined)
    return { problem: 'OATF_LLM_STREAM is neither on nor off', hint: 'off asks for answers in one piece' };
  const tools = given(environment.OATF_LLM_TOOLS) ?? target.tools;
  if (tools !== undefined && tools !== 'native' && tools !== 'text')
    return {
      problem: 'OATF_LLM_TOOLS is neither native nor text',
      hint: 'text tells the model of tools in words',
    };
  return { ...(stream !== undefined && { stream }), ...(tools !== undefined && { tools }) };
}

/** It may hold a key, so it is not repeated. */
function placeProblem(source: string, baseUrl: string): LlmProblem | undefined {
  const hint = `${source} says where the model is, such as http://127.0.0.1:11434/v1`;
  if (!URL.canParse(baseUrl)) return { problem: `${source} is no URL`, hint };
  const { protocol, username, password } = new URL(baseUrl);
  if (!/^https?:$/.test(protocol)) return { problem: `${source} is no http or https URL`, hint };
  if (username !== '' || password !== '')
    return {
      problem: `${source} holds a name or a password`,
      hint: 'a key belongs into a variable or a file',
    };
  if (/[?#]/.test(baseUrl))
    return { problem: `${source} goes on behind its path, where the service’s own paths are added`, hint };
  return undefined;
}
