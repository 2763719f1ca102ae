import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import { argumentsFrom } from './call-arguments.ts';
import type { ChatMessage, OfferedTool, ToolCall } from './chat-message.ts';

/** The parts of an AG-UI RunAgentInput that we read. Every field of the input is optional. */
export interface RunInput {
  readonly threadId: string;
  readonly runId: string;
  readonly messages: readonly SubmittedMessage[];
  readonly tools: readonly OfferedTool[];
  /** The context, state and properties that the application passes on, as text. */
  readonly application: string;
}

export interface SubmittedMessage {
  readonly id: string | undefined;
  readonly message: ChatMessage;
}

export function readRunInput(value: ValueMap, freshId: () => string): RunInput {
  return {
    threadId: textOr(value.threadId, freshId),
    runId: textOr(value.runId, freshId),
    messages: listOf(value.messages).filter(isValueMap).map(submitted),
    tools: listOf(value.tools).filter(isValueMap).flatMap(offered),
    application: applicationText(value),
  };
}

function submitted(value: ValueMap): SubmittedMessage {
  const id = typeof value.id === 'string' && value.id !== '' ? value.id : undefined;
  return { id, message: chatMessage(value) };
}

function chatMessage(value: ValueMap): ChatMessage {
  const role = typeof value.role === 'string' ? value.role : 'user';
  const content = role === 'user' ? textOf(wordsIn(value.content)) : textOf(value.content);
  switch (role) {
    case 'user':
    case 'system':
      return { role, content };
    case 'developer':
      return { role: 'system', content };
    case 'assistant': {
      const toolCalls = listOf(value.toolCalls).filter(isValueMap).flatMap(toolCall);
      return { role, content, ...(toolCalls.length > 0 && { toolCalls }) };
    }
    case 'tool':
      return { role, content, toolCallId: typeof value.toolCallId === 'string' ? value.toolCallId : '' };
    default:
      // The role is unknown, so the text must not pass for the user's words.
      return { role: 'system', content: `${role}: ${content}` };
  }
}

function toolCall(value: ValueMap): readonly ToolCall[] {
  const called = isValueMap(value.function) ? value.function : value;
  if (typeof value.id !== 'string' || typeof called.name !== 'string') return [];
  return [{ id: value.id, name: called.name, arguments: readArguments(called.arguments) }];
}

function readArguments(value: Value | undefined): ValueMap {
  if (value === undefined || value === null || isValueMap(value)) return value ?? {};
  return typeof value === 'string' ? argumentsFrom(value) : { value };
}

function offered(value: ValueMap): readonly OfferedTool[] {
  if (typeof value.name !== 'string' || value.name === '') return [];
  return [
    {
      name: value.name,
      description: textOf(value.description),
      inputSchema: value.parameters ?? { type: 'object' },
    },
  ];
}

function isWords(part: Value): boolean {
  return !isValueMap(part) || typeof part.text === 'string' || !isValueMap(part.source);
}

/** Drops attachments, which are not part of the user's words. */
function wordsIn(content: Value | undefined): Value | undefined {
  return Array.isArray(content) ? (content as readonly Value[]).filter(isWords) : content;
}

function attachmentsIn(messages: Value | undefined): readonly Value[] {
  return listOf(messages)
    .filter(isValueMap)
    .flatMap(({ role, content }) =>
      role === 'user' ? listOf(content).filter((part) => !isWords(part)) : [],
    );
}

const plainVersion = /^\d+\.\d+$/;

function applicationText({
  context,
  state,
  forwardedProps,
  messages,
  resume,
  protocolVersion,
}: ValueMap): string {
  const parts = listOf(context).map((entry) =>
    isValueMap(entry) ? `${textOf(entry.description)}: ${textOf(entry.value)}` : textOf(entry),
  );
  for (const [title, value] of [
    ['state', state],
    ['properties', forwardedProps],
    ['answers to what was asked', resume],
  ] as const)
    if (!isEmpty(value)) parts.push(`${title}: ${textOf(value)}`);
  for (const part of attachmentsIn(messages)) parts.push(`attachment: ${textOf(part)}`);
  if (typeof protocolVersion === 'string' && !plainVersion.test(protocolVersion))
    parts.push(`the application speaks version ${protocolVersion}`);
  return parts.length === 0 ? '' : `From the application:\n${parts.join('\n')}`;
}

function isEmpty(value: Value | undefined): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    (isValueMap(value) && Object.keys(value).length === 0)
  );
}

function textOf(value: Value | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value))
    return (value as readonly Value[])
      .map((part) => (isValueMap(part) && typeof part.text === 'string' ? part.text : textOf(part)))
      .join('\n');
  return JSON.stringify(value);
}

function textOr(value: Value | undefined, otherwise: () => string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise();
}

function listOf(value: Value | undefined): readonly Value[] {
  return Array.isArray(value) ? (value as readonly Value[]) : [];
}
