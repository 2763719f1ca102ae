import type { ChatMessage, ModelOutput, OfferedTool } from '../../src/agents/built-in/model.ts';
import { isValueMap, type Value, type ValueMap } from '../../src/format/model/value.ts';
import type { About, Dialect } from './dialect.ts';
import { listOf, mapOf, resultText, stringOf, textIn } from './read-value.ts';

/** Google's generateContent. A call has an id only if the service gives it one. */
export const generateContent: Dialect = {
  speaksAt: (path) => /:(?:streamG|g)enerateContent$/.test(path),
  isStreamed: (path) => path.endsWith(':streamGenerateContent'),
  read: ({ systemInstruction, contents, tools }) => ({
    system: textIn(mapOf(systemInstruction).parts),
    messages: listOf(contents).filter(isValueMap).flatMap(chatMessages),
    tools: listOf(tools)
      .flatMap((tool) => listOf(mapOf(tool).functionDeclarations))
      .filter(isValueMap)
      .map(offered),
  }),
  whole: reply,
  streamed: (output, about) => [JSON.stringify(reply(output, about))],
};

function chatMessages({ role, parts }: ValueMap): readonly ChatMessage[] {
  const all = listOf(parts).filter(isValueMap);
  // The user's words are a separate part, after the part with the agent's facts about the session.
  if (role !== 'model') return all.map(userPart);
  const toolCalls = all.flatMap(({ functionCall }) => {
    const { id, name, args } = mapOf(functionCall);
    return typeof name === 'string' ? [{ id: stringOf(id) || name, name, arguments: mapOf(args) }] : [];
  });
  return [{ role: 'assistant', content: textIn(parts), ...(toolCalls.length > 0 && { toolCalls }) }];
}

function userPart(part: ValueMap): ChatMessage {
  return part.functionResponse === undefined ? { role: 'user', content: stringOf(part.text) } : toolResult(part);
}

function toolResult({ functionResponse }: ValueMap): ChatMessage {
  const { id, name, response } = mapOf(functionResponse);
  const { output, error } = mapOf(response);
  return {
    role: 'tool',
    toolCallId: stringOf(id) || stringOf(name),
    content: resultText(output ?? error ?? response),
    isError: error !== undefined,
  };
}

function offered({ name, description, parametersJsonSchema, parameters }: ValueMap): OfferedTool {
  return {
    name: stringOf(name),
    description: stringOf(description),
    inputSchema: parametersJsonSchema ?? parameters ?? { type: 'object' },
  };
}

function reply({ text, toolCalls }: ModelOutput, { id, model }: About): ValueMap {
  const calls = toolCalls.map(
    ({ id: callId, name, arguments: args }): Value => ({ functionCall: { id: callId, name, args } }),
  );
  const parts = text === '' && calls.length > 0 ? calls : [{ text }, ...calls];
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: model,
    responseId: id,
  };
}
