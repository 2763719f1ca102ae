import type { LlmTarget } from '../../adapters/targets.ts';

/** Environment variables by name, as in `process.env`. */
export type Environment = { readonly [name: string]: string | undefined };

/** Why a language model cannot be used, with a hint. */
export type LlmProblem = { readonly problem: string; readonly hint: string };

const defaultMaxTokens = 4_096;

interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly isWhole?: true;
  readonly hint: string;
}

const bounds = {
  temperature: { least: 0, most: 2, hint: 'a number from 0 to 2' },
  maxTokens: { least: 1, most: 1_000_000, isWhole: true, hint: 'a whole number from 1 on' },
  price: { least: 0, most: 1_000_000, hint: 'what a million tokens cost, such as 0.25' },
} satisfies { readonly [name: string]: Bounds };

export interface LlmNumbers {
  readonly temperature?: number;
  readonly maxTokens: number;
  readonly prices?: { readonly input: number; readonly output: number };
}

/** Reads the numeric settings; the environment wins over the configuration. */
export function readLlmNumbers(
  environment: Environment,
  { temperature, maxTokens, prices }: Partial<LlmTarget>,
): LlmNumbers | LlmProblem {
  const read = {
    temperature: readNumber('OATF_LLM_TEMPERATURE', environment, 'temperature', temperature, bounds.temperature),
    maxTokens: readNumber('OATF_LLM_MAX_TOKENS', environment, 'maxTokens', maxTokens, bounds.maxTokens),
    input: readNumber('OATF_LLM_PRICE_INPUT', environment, 'prices.input', prices?.input, bounds.price),
    output: readNumber('OATF_LLM_PRICE_OUTPUT', environment, 'prices.output', prices?.output, bounds.price),
  };
  for (const each of Object.values(read)) if ('problem' in each) return each;
  const { temperature: warmth, maxTokens: most, input, output } = read as { readonly [name: string]: FoundNumber };
  if ((input?.value === undefined) !== (output?.value === undefined))
    return {
      problem: 'there is a price for only one kind of tokens',
      hint: 'OATF_LLM_PRICE_INPUT and OATF_LLM_PRICE_OUTPUT, or `prices` with both',
    };
  return {
    maxTokens: most?.value ?? defaultMaxTokens,
    ...(warmth?.value !== undefined && { temperature: warmth.value }),
    ...(input?.value !== undefined &&
      output?.value !== undefined && { prices: { input: input.value, output: output.value } }),
  };
}

interface FoundNumber {
  readonly value: number | undefined;
}

function readNumber(
  variable: string,
  environment: Environment,
  name: string,
  configured: number | undefined,
  { least, most, isWhole, hint }: Bounds,
): FoundNumber | LlmProblem {
  const typed = dropEmpty(environment[variable]);
  if (typed === undefined && configured === undefined) return { value: undefined };
  const value = typed === undefined ? (configured as number) : /^\d*\.?\d+$/.test(typed) ? Number(typed) : Number.NaN;
  const isRight = value >= least && value <= most && (!isWhole || Number.isInteger(value));
  if (isRight) return { value };
  return {
    problem: `${typed === undefined ? name : variable}: ${typed ?? configured} is not valid`,
    hint,
  };
}

export function dropEmpty(value: string | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : value;
}
