import type { Value, ValueMap } from '../../format/model/value.ts';
import type { Emit } from './run-events.ts';

// The tool that the interface offers, and the questions that it asks its caller.

export const askTool = {
  name: 'ask',
  description: 'Ask the assistant to do something with the tools that it has.',
  inputSchema: {
    type: 'object',
    properties: { prompt: { type: 'string', description: 'What to do, in your own words.' } },
    required: ['prompt'],
  },
} as const;

export interface AskRequest {
  readonly prompt: string;
  readonly meta: ValueMap;
}

const longestQuote = 2_000;

export function createConfirmation(prompt: string): Value {
  return {
    message: `Shall I do this? ${prompt.slice(0, longestQuote)}`,
    requestedSchema: {
      type: 'object',
      properties: {
        confirm: { type: 'boolean', description: 'Whether to go ahead' },
        note: { type: 'string', description: 'Anything that I should know' },
      },
      required: ['confirm'],
    },
  };
}

export function requestForAdvice(prompt: string): Value {
  const text = `How would you go about this? ${prompt.slice(0, longestQuote)}`;
  return { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 500 };
}

export interface CollectedAnswer {
  readonly emit: Emit;
  say(text: string): void;
  /** The answer as the result of a tool. */
  result(): ValueMap;
}

/** Collects the answer from the events of a run; each tool call counts as progress. */
export function collectAnswer(progress: (steps: number) => void): CollectedAnswer {
  const texts = new Map<unknown, string>();
  let failure: string | undefined;
  let steps = 0;
  return {
    emit(event) {
      const { type, messageId, delta, message } = event;
      if (type === 'TEXT_MESSAGE_CONTENT') texts.set(messageId, `${texts.get(messageId) ?? ''}${delta}`);
      else if (type === 'RUN_ERROR') failure = String(message);
      else if (type === 'TOOL_CALL_START') {
        steps += 1;
        progress(steps);
      }
    },
    say: (text) => void texts.set('said', text),
    result() {
      const text = [...texts.values(), ...(failure === undefined ? [] : [failure])].join('\n\n');
      const content = [{ type: 'text', text }];
      return failure === undefined ? { content } : { content, isError: true };
    },
  };
}
