import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import type { PieceKindName } from '../../format/registry/piece-kinds.ts';
import type { ChatMessage } from './conversation/chat-message.ts';
import type { RunInput } from './conversation/read-run-input.ts';

/** How much of a run input an agent receives: only the prompt, the messages with their roles, or all of it. */
export type CarriedInput = 'prompt' | 'messages' | 'input';

/** The kinds of pieces that such an agent cannot receive, if nothing else is known about it. */
export function listLackingKinds(carries: CarriedInput): readonly PieceKindName[] {
  switch (carries) {
    case 'prompt':
      return ['history', 'attachment', 'frontend_tool', 'resume', 'interrupt_response'];
    case 'messages':
      return ['attachment', 'frontend_tool', 'resume', 'interrupt_response'];
    case 'input':
      return [];
  }
}

/** How much of a turn an agent has read, if that can be observed. */
export type TakenInput = CarriedInput | 'one turn' | 'messages alone' | 'nothing';

export interface HandedTurn {
  readonly input: Value;
  readonly read: RunInput;
  /** The messages that are new in this turn. */
  readonly added: readonly ChatMessage[];
}

/** Describes the part of a turn that did not reach the agent, if there is one. */
export function describeOmission(carried: TakenInput, handed: HandedTurn): string | undefined {
  if (carried === 'nothing') return 'it never read what its user said';
  if (carried === 'one turn') return 'it read only one turn, and not the conversation before it';
  if (carried === 'messages alone') return 'it never read what the application passes on';
  if (carried === 'input') return undefined;
  for (const rule of rules) {
    const reason = rule(carried, handed);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

type Rule = (carried: 'prompt' | 'messages', handed: HandedTurn) => string | undefined;

const rules: readonly Rule[] = [
  (_, { input }) =>
    isValueMap(input) ? undefined : 'the run input of the attack is not an object, so nothing of it was sent',
  (_, { added, read: { application } }) =>
    added.length === 0 && application === '' ? 'the attack says nothing new to it' : undefined,
  // An invented history is an attack of its own. Passed on as plain text, it would be a different attack.
  (carried, { added }) =>
    carried === 'prompt' && added.some(({ role }) => role !== 'user')
      ? 'it takes only a prompt, so the history that the attack invents did not reach it'
      : undefined,
  (_, { read: { tools } }) =>
    tools.length > 0 ? 'it cannot be given the tools that the user’s application offers' : undefined,
  (_, { input }) => {
    const other = isValueMap(input) ? Object.keys(input).find((key) => !known.has(key)) : undefined;
    return other === undefined ? undefined : `it cannot be given \`${other}\` of the run input`;
  },
  (carried, { input }) => {
    const odd = listInputMessages(input).find((message) => isMore(message, carried));
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

function listInputMessages(input: Value): readonly ValueMap[] {
  const messages = isValueMap(input) ? input.messages : undefined;
  return Array.isArray(messages) ? messages.filter(isValueMap) : [];
}

function isMore(message: ValueMap, carried: 'prompt' | 'messages'): boolean {
  const { content } = message;
  if (Object.keys(message).some((key) => !ofMessage[carried].has(key))) return true;
  if (Array.isArray(content)) return content.some((part: Value) => !isValueMap(part) || typeof part.text !== 'string');
  return isValueMap(content);
}
