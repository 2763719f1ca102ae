import { isValueMap, type Value, type ValueMap } from '../model/value.ts';
import type { PieceKindName } from '../registry/pieces.ts';
import type { ChatMessage } from './conversation/chat-message.ts';
import type { RunInput } from './conversation/run-input.ts';

/** How much of a run input an agent is given: words only, the messages with who said them, or all of it. */
export type Carries = 'prompt' | 'messages' | 'input';

/** Kinds of pieces that an agent of which no more is known cannot be handed. */
export function lackedBy(carries: Carries): readonly PieceKindName[] {
  switch (carries) {
    case 'prompt':
      return ['history', 'attachment', 'frontend_tool', 'resume', 'interrupt_response'];
    case 'messages':
      return ['attachment', 'frontend_tool', 'resume', 'interrupt_response'];
    case 'input':
      return [];
  }
}

/** What an agent has looked at of it, where it could look at all. */
export type Taken = Carries | 'one turn' | 'messages alone' | 'nothing';

export interface Handed {
  readonly input: Value;
  readonly read: RunInput;
  /** The messages that are new in this turn. */
  readonly added: readonly ChatMessage[];
}

/** What of a turn did not reach the agent, if anything did not. */
export function leftOut(carried: Taken, handed: Handed): string | undefined {
  if (carried === 'nothing') return 'it never looked at what its user said';
  if (carried === 'one turn') return 'it looked at one turn only, and not at the conversation before it';
  if (carried === 'messages alone') return 'it never looked at what the application passes along';
  if (carried === 'input') return undefined;
  for (const rule of rules) {
    const reason = rule(carried, handed);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

type Rule = (carried: 'prompt' | 'messages', handed: Handed) => string | undefined;

const rules: readonly Rule[] = [
  (_, { input }) =>
    isValueMap(input) ? undefined : 'the run input of the attack is no object, so nothing of it was said',
  (_, { added, read: { application } }) =>
    added.length === 0 && application === '' ? 'the attack says nothing new to it' : undefined,
  // A history that nobody has lived through is an attack of its own, and told as plain words it is another one.
  (carried, { added }) =>
    carried === 'prompt' && added.some(({ role }) => role !== 'user')
      ? 'it takes the user’s words only, and the history that the attack invents did not reach it'
      : undefined,
  (_, { read: { tools } }) =>
    tools.length > 0 ? 'it cannot be given the tools that the user’s application offers' : undefined,
  (_, { input }) => {
    const other = isValueMap(input) ? Object.keys(input).find((key) => !known.has(key)) : undefined;
    return other === undefined ? undefined : `it cannot be given \`${other}\` of the run input`;
  },
  (carried, { input }) => {
    const odd = messagesIn(input).find((message) => isMore(message, carried));
    return odd === undefined ? undefined : 'a message holds more than the text that it can be given';
  },
];

const known = new Set([
  'protocolVersion',
  'threadId',
  'runId',
  'parentRunId',
  'messages',
  'tools',
  'context',
  'state',
  'forwardedProps',
]);
const ofAnyMessage = ['id', 'role', 'content'];
const ofMessage = {
  prompt: new Set(ofAnyMessage),
  messages: new Set([...ofAnyMessage, 'toolCalls', 'toolCallId']),
};

function messagesIn(input: Value): readonly ValueMap[] {
  const messages = isValueMap(input) ? input.messages : undefined;
  return Array.isArray(messages) ? messages.filter(isValueMap) : [];
}

function isMore(message: ValueMap, carried: 'prompt' | 'messages'): boolean {
  const { content } = message;
  if (Object.keys(message).some((key) => !ofMessage[carried].has(key))) return true;
  if (Array.isArray(content))
    return content.some((part: Value) => !isValueMap(part) || typeof part.text !== 'string');
  return isValueMap(content);
}
