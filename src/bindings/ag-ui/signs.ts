import type { MessageRecord } from '../../model/trace.ts';
import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import type { Signs } from '../../model/views.ts';
import { isBlank } from '../../primitives/is-blank.ts';
import { isLangGraphInterrupt, outcomeOf } from './outcome.ts';
import { otherRoles } from './repeated.ts';

const atWork: Signs = { alive: true, use: true };
const none: Signs = {};

/** The built-in agent's error code for a model service that is unreachable or refuses access. */
const absentCode = 'not_there';

type Sign = (event: ValueMap) => Signs;

const words: Sign = ({ delta }) => (isText(delta) ? atWork : none);

/** The signs of the agent's behaviour in each AG-UI event. Events not listed show none. */
const byEvent: { readonly [event: string]: Sign } = {
  text_message_content: words,
  text_message_chunk: words,
  tool_call_start: () => atWork,
  tool_call_chunk: () => atWork,
  messages_snapshot: ({ messages }) => (endsWithWords(messages) ? atWork : none),
  run_finished: (event) => (outcomeOf(event).kind === 'interrupt' ? atWork : none),
  custom: (event) => (isLangGraphInterrupt('custom', event) ? atWork : none),
  run_error: ({ message, code }) => ({
    trouble: `its run ended in an error${typeof message === 'string' ? `: ${message}` : ''}`,
    ...(code === absentCode ? { absent: true } : { refuses: true }),
  }),
};

export function agUiSigns({ origin, method, content }: MessageRecord): Signs {
  if (origin !== 'agent' || !isValueMap(content)) return none;
  return Object.hasOwn(byEvent, method) ? (byEvent[method]?.(content) ?? none) : none;
}

const mostMessages = 10_000;

/** Reads the signs of a stream in order. Words that the agent puts in another's mouth are not its answer. */
export function agUiSignReader(): (record: MessageRecord) => Signs {
  /** Whether the words of a message are the agent's, by its id. */
  const isOwn = new Map<Value | undefined, boolean>();
  let latest: Value | undefined;
  let hasForgotten = false;
  return (record) => {
    const { origin, method, content } = record;
    if (origin !== 'agent' || !method.startsWith('text_message_') || !isValueMap(content))
      return agUiSigns(record);
    // A chunk without an id continues the message before it.
    const { messageId = latest, role } = content;
    latest = messageId;
    if (method === 'text_message_start' || role !== undefined) {
      isOwn.delete(messageId);
      isOwn.set(messageId, !otherRoles.has(role));
      const [oldest] = isOwn.keys();
      if (isOwn.size > mostMessages) hasForgotten = isOwn.delete(oldest);
    }
    // A message that was forgotten may have been another's.
    return (isOwn.get(messageId) ?? !hasForgotten) ? agUiSigns(record) : none;
  };
}

function isText(value: Value | undefined): boolean {
  return typeof value === 'string' && !isBlank(value);
}

/** A snapshot repeats our messages. An answer of the agent stands at its end. */
function endsWithWords(messages: Value | undefined): boolean {
  const last = Array.isArray(messages) ? (messages as readonly Value[]).at(-1) : undefined;
  return isValueMap(last) && last.role === 'assistant' && isText(last.content);
}
