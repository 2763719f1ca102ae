import type { MessageRecord } from '../../model/trace.ts';
import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import type { Signs } from '../../model/views.ts';
import { isBlank } from '../../primitives/is-blank.ts';
import { isLangGraphInterrupt, outcomeOf } from './outcome.ts';

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

function isText(value: Value | undefined): boolean {
  return typeof value === 'string' && !isBlank(value);
}

/** A snapshot repeats our messages. An answer of the agent stands at its end. */
function endsWithWords(messages: Value | undefined): boolean {
  const last = Array.isArray(messages) ? (messages as readonly Value[]).at(-1) : undefined;
  return isValueMap(last) && last.role === 'assistant' && isText(last.content);
}
