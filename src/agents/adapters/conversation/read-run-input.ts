import { isValueMap, toList, toMaps, type Value, type ValueMap } from '../../../format/model/value.ts';
import { type ChatMessage, type OfferedTool, parseCallArguments, type ToolCall } from './chat-message.ts';

/** The parts of an AG-UI RunAgentInput that we read. Every field of the input is optional. */
export interface RunInput {
  readonly threadId: string;
  readonly runId: string;
  readonly messages: readonly SubmittedMessage[];
  readonly tools: readonly OfferedTool[];
  /** The context, state and properties that the application passes on, as text. */
  readonly application: string;
  /** The answers to interrupts of earlier runs. */
  readonly resume?: readonly ValueMap[] | undefined;
}

export interface SubmittedMessage {
  readonly id: string | undefined;
  readonly message: ChatMessage;
}

export function readRunInput(value: ValueMap, freshId: () => string): RunInput {
  return {
    threadId: toTextOr(value.threadId, freshId),
    runId: toTextOr(value.runId, freshId),
    messages: toList(value.messages).filter(isValueMap).map(readSubmittedMessage),
    tools: toList(value.tools).filter(isValueMap).flatMap(readOfferedTool),
    application: formatApplication(value),
    resume: toMaps(value.resume),
  };
}

function readSubmittedMessage(value: ValueMap): SubmittedMessage {
  const id = typeof value.id === 'string' && value.id !== '' ? value.id : undefined;
  return { id, message: readChatMessage(value) };
}

function readChatMessage(value: ValueMap): ChatMessage {
  const role = typeof value.role === 'string' ? value.role : 'user';
  const content = role === 'user' ? formatInputText(dropAttachments(value.content)) : formatInputText(value.content);
  switch (role) {
    case 'user':
    case 'system':
      return { role, content };
    case 'developer':
      return { role: 'system', content };
    case 'assistant': {
      const toolCalls = toList(value.toolCalls).filter(isValueMap).flatMap(readToolCall);
      return { role, content, ...(toolCalls.length > 0 && { toolCalls }) };
    }
    case 'tool':
      return { role, content, toolCallId: typeof value.toolCallId === 'string' ? value.toolCallId : '' };
    default:
      // The role is unknown, so the text must not pass for the user's words.
      return { role: 'system', content: `${role}: ${content}` };
  }
}

function readToolCall(value: ValueMap): readonly ToolCall[] {
  const called = isValueMap(value.function) ? value.function : value;
  if (typeof value.id !== 'string' || typeof called.name !== 'string') return [];
  return [{ id: value.id, name: called.name, arguments: readArguments(called.arguments) }];
}

function readArguments(value: Value | undefined): ValueMap {
  if (value === undefined || value === null || isValueMap(value)) return value ?? {};
  return typeof value === 'string' ? parseCallArguments(value) : { value };
}

function readOfferedTool(value: ValueMap): readonly OfferedTool[] {
  if (typeof value.name !== 'string' || value.name === '') return [];
  return [
    {
      name: value.name,
      description: formatInputText(value.description),
      inputSchema: value.parameters ?? { type: 'object' },
    },
  ];
}

function isWords(part: Value): boolean {
  return !isValueMap(part) || typeof part.text === 'string' || !isValueMap(part.source);
}

/** Drops attachments, which are not part of the user's words. */
function dropAttachments(content: Value | undefined): Value | undefined {
  return Array.isArray(content) ? (content as readonly Value[]).filter(isWords) : content;
}

function listAttachments(messages: Value | undefined): readonly Value[] {
  return toList(messages)
    .filter(isValueMap)
    .flatMap(({ role, content }) => (role === 'user' ? toList(content).filter((part) => !isWords(part)) : []));
}

const plainVersion = /^\d+\.\d+$/;

function formatApplication({ context, state, forwardedProps, messages, resume, protocolVersion }: ValueMap): string {
  const parts = toList(context).map((entry) =>
    isValueMap(entry)
      ? `${formatInputText(entry.description)}: ${formatInputText(entry.value)}`
      : formatInputText(entry),
  );
  for (const [title, value] of [
    ['state', state],
    ['properties', forwardedProps],
    ['answers to what was asked', resume],
  ] as const)
    if (!isEmpty(value)) parts.push(`${title}: ${formatInputText(value)}`);
  for (const part of listAttachments(messages)) parts.push(`attachment: ${formatInputText(part)}`);
  if (typeof protocolVersion === 'string' && !plainVersion.test(protocolVersion))
    parts.push(`the application speaks version ${protocolVersion}`);
  return parts.length === 0 ? '' : `From the application:\n${parts.join('\n')}`;
}

function isEmpty(value: Value | undefined): boolean {
  return (
    value === undefined || value === null || value === '' || (isValueMap(value) && Object.keys(value).length === 0)
  );
}

function formatInputText(value: Value | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value))
    return (value as readonly Value[])
      .map((part) => (isValueMap(part) && typeof part.text === 'string' ? part.text : formatInputText(part)))
      .join('\n');
  return JSON.stringify(value);
}

function toTextOr(value: Value | undefined, otherwise: () => string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise();
}
