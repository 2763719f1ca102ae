import type { Value, ValueMap } from '../../format/model/value.ts';

/** The questions that a server may ask the agent during its work, and their answers. */
export interface QuestionHandler {
  /** Takes the texts of log messages and of progress. Absent if the agent does not read them. */
  readonly hear?: ((server: string, text: string) => void) | undefined;
  sample(server: string, request: SamplingQuestion): Promise<SamplingAnswer>;
  elicit(server: string, request: ElicitationQuestion): Promise<ElicitationAnswer>;
}

export interface SamplingQuestion {
  readonly systemPrompt?: string | undefined;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
  readonly maxTokens?: number | undefined;
}

export type SamplingAnswer =
  | { readonly ok: true; readonly text: string; readonly cut: boolean }
  | { readonly ok: false; readonly reason: string };

export interface ElicitationQuestion {
  readonly message: string;
  readonly requestedSchema: Value;
}

export type ElicitationAnswer =
  | { readonly action: 'accept'; readonly content: ValueMap }
  | { readonly action: 'decline' };
