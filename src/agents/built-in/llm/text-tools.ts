import type { ChatMessage, Model, ModelInput, ModelOutput, OfferedTool, ToolCall } from '../model.ts';

// Tools for models without tool support: they are described in words, called in text, and their results are text.

/** Wraps a model so that its tools are described in its instructions. */
export function wrapWithTextTools(model: Model): Model {
  return {
    async complete(input) {
      const output = await model.complete(toTextInput(input));
      return input.tools.length === 0 || output.cutOff !== undefined ? output : extractToolCalls(output, input.tools);
    },
  };
}

function toTextInput(input: ModelInput): ModelInput {
  return {
    ...input,
    system: input.tools.length === 0 ? input.system : `${input.system}\n\n${formatToolOffer(input.tools)}`,
    messages: input.messages.map(toTextMessage),
    tools: [],
  };
}

function formatToolOffer(tools: readonly OfferedTool[]): string {
  const lines = tools.map(({ name, description, inputSchema }) =>
    JSON.stringify({ name, description, parameters: inputSchema }),
  );
  return [
    'You can call these tools, one JSON object for each:',
    ...lines,
    'To call one, answer with nothing but this, and wait for its result:',
    '<tool_call>{"name": "NAME", "arguments": {…}}</tool_call>',
    'When you have what you need, answer in words.',
  ].join('\n');
}

function toTextMessage(message: ChatMessage): ChatMessage {
  if (message.role === 'tool') return { role: 'user', content: `<tool_response>${message.content}</tool_response>` };
  if (message.role !== 'assistant' || message.toolCalls === undefined) return message;
  const calls = message.toolCalls.map(
    ({ name, arguments: args }) => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`,
  );
  return { role: 'assistant', content: [message.content, ...calls].filter((part) => part !== '').join('\n') };
}

/** The closing tag is optional, because small models forget it. */
const call = /<tool_call>([\s\S]*?)(?:<\/tool_call>|$)/g;
const mostCalls = 16;

function extractToolCalls(output: ModelOutput, tools: readonly OfferedTool[]): ModelOutput {
  const names = new Set(tools.map(({ name }) => name));
  const written = [...output.text.matchAll(call)].map(([, body = '']) => body);
  const toolCalls = (written.length === 0 ? [output.text] : written)
    .slice(0, mostCalls)
    .flatMap((body, index): readonly ToolCall[] => {
      const { name, arguments: args } = parseObjectText(body);
      return typeof name === 'string' && names.has(name)
        ? [{ id: `text-call-${index + 1}`, name, arguments: toToolArguments(args) }]
        : [];
    });
  if (toolCalls.length === 0) return output;
  return { ...output, text: written.length === 0 ? '' : output.text.replace(call, '').trim(), toolCalls };
}

function toToolArguments(args: unknown): ToolCall['arguments'] {
  return typeof args === 'object' && args !== null && !Array.isArray(args) ? (args as ToolCall['arguments']) : {};
}

/** Reads a text that is one JSON object, with or without a code fence. */
function parseObjectText(text: string): { readonly name?: unknown; readonly arguments?: unknown } {
  const bare = text
    .trim()
    .replace(/^```(?:json)?\s*/, '')
    .replace(/\s*```$/, '');
  if (!bare.startsWith('{')) return {};
  try {
    return JSON.parse(bare) as object;
  } catch {
    return {};
  }
}
