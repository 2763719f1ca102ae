/** Where a language model is, and how it is asked. */
export interface LlmSettings {
  readonly api: LlmApi;
  readonly model: string;
  readonly baseUrl: string;
  /** Absent for servers on this machine that want none. */
  readonly key?: string | undefined;
  readonly temperature?: number | undefined;
  readonly maxTokens: number;
}

export const llmApis = ['openai', 'anthropic'] as const;
export type LlmApi = (typeof llmApis)[number];

export type Environment = { readonly [name: string]: string | undefined };

export type Problem = { readonly problem: string; readonly hint: string };

const services: {
  readonly [A in LlmApi]: { readonly baseUrl: string; readonly keys: string; readonly base: string };
} = {
  openai: { baseUrl: 'https://api.openai.com/v1', keys: 'OPENAI_API_KEY', base: 'OPENAI_BASE_URL' },
  anthropic: {
    baseUrl: 'https://api.anthropic.com',
    keys: 'ANTHROPIC_API_KEY',
    base: 'ANTHROPIC_BASE_URL',
  },
};

const defaultMaxTokens = 4_096;

/**
 * `MODEL`, or `openai/MODEL` and `anthropic/MODEL` to say which API it speaks. Keys come from the environment only, so
 * that none is ever in a list of processes, a shell's history or a result.
 */
export function readLlmSettings(spec: string, environment: Environment): LlmSettings | Problem {
  const named = llmApis.find((api) => spec.startsWith(`${api}/`));
  const model = named === undefined ? spec : spec.slice(named.length + 1);
  if (model === '')
    return { problem: 'no model is named', hint: 'such as llm:gpt-5-mini or llm:anthropic/MODEL' };
  const api = named ?? (model.startsWith('claude') ? 'anthropic' : 'openai');
  const { keys, base, baseUrl: usual } = services[api];
  const baseUrl = given(environment.OATF_LLM_BASE_URL) ?? given(environment[base]) ?? usual;
  if (!URL.canParse(baseUrl))
    return { problem: `"${baseUrl}" is no URL`, hint: `${base} says where the model is` };
  const key = given(environment.OATF_LLM_KEY) ?? given(environment[keys]);
  if (key === undefined && baseUrl === usual)
    return {
      problem: `there is no key for ${usual}`,
      hint: `set ${keys}, or ${base} for a server without one`,
    };
  return { api, model, baseUrl: baseUrl.replace(/\/+$/, ''), key, maxTokens: defaultMaxTokens };
}

function given(value: string | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : value;
}
