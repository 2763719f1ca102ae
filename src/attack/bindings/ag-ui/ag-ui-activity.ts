import type { AgentActivity } from '../../../format/model/binding-views.ts';
import { isBlank } from '../../../format/model/escape-invisible.ts';
import type { MessageRecord } from '../../../format/model/trace-record.ts';
import { isValueMap, toList, type Value, type ValueMap } from '../../../format/model/value.ts';
import { createRecentTexts } from '../recent-texts.ts';
import { listAgUiMessages } from './ag-ui-messages.ts';
import { otherRoles } from './find-repeated-input.ts';
import { isLangGraphInterrupt, readAgUiRunEnd } from './run-progress.ts';

const atWork: AgentActivity = { alive: true, use: true };
const none: AgentActivity = {};
/** An agent that interrupts its run or shares state works with a front end, not only with a user's words. */
const sharesState: AgentActivity = { surface: 'ag-ui' };
const asks: AgentActivity = { ...atWork, ...sharesState };

type ActivityReader = (event: ValueMap) => AgentActivity;

const readDelta: ActivityReader = ({ delta }) => (isText(delta) ? atWork : none);

/** Reads what each AG-UI event shows of the agent. An event that is not listed shows nothing. */
const byEvent: { readonly [event: string]: ActivityReader } = {
  text_message_content: readDelta,
  text_message_chunk: readDelta,
  tool_call_start: () => atWork,
  tool_call_chunk: () => atWork,
  messages_snapshot: ({ messages }) => (isEndingWithAnswer(messages) ? atWork : none),
  run_finished: (event) => (readAgUiRunEnd(event).kind === 'interrupt' ? asks : none),
  custom: (event) => (isLangGraphInterrupt('custom', event) ? asks : none),
  state_snapshot: () => sharesState,
  state_delta: () => sharesState,
  run_error: ({ message }) => ({
    trouble: `its run ended in an error${typeof message === 'string' ? `: ${message}` : ''}`,
    refuses: true,
  }),
};

export function readAgUiActivity({ origin, method, content }: MessageRecord): AgentActivity {
  if (origin !== 'agent' || !isValueMap(content)) return none;
  return Object.hasOwn(byEvent, method) ? (byEvent[method]?.(content) ?? none) : none;
}

const mostMessages = 10_000;

/** Reads the activity in a stream, in order. Text that the agent streams under another role is not its answer. */
export function createAgUiActivityReader(): (record: MessageRecord) => AgentActivity {
  /** Whether the text of a message is the agent's own, by the id of the message. */
  const isOwn = new Map<Value | undefined, boolean>();
  let latest: Value | undefined;
  let hasForgotten = false;
  const sent = createRecentTexts();
  return (record) => {
    const { origin, method, content } = record;
    if (origin === 'attacker' && method === 'run_agent_input' && isValueMap(content))
      for (const message of listAgUiMessages(content))
        if (typeof message.content === 'string') sent.add(message.content);
    // A snapshot repeats our messages. Our own words at its end are no answer, whoever is said to have spoken them.
    if (method === 'messages_snapshot' && isValueMap(content) && isEndingWith(content.messages, sent.has)) return none;
    if (origin !== 'agent' || !method.startsWith('text_message_') || !isValueMap(content))
      return readAgUiActivity(record);
    // A chunk without an id continues the message before it.
    const { messageId = latest, role } = content;
    latest = messageId;
    if (method === 'text_message_start' || role !== undefined) {
      isOwn.delete(messageId);
      isOwn.set(messageId, !otherRoles.has(role));
      const [oldest] = isOwn.keys();
      if (isOwn.size > mostMessages) hasForgotten = isOwn.delete(oldest);
    }
    // A forgotten message may have had another role.
    return (isOwn.get(messageId) ?? !hasForgotten) ? readAgUiActivity(record) : none;
  };
}

function isText(value: Value | undefined): boolean {
  return typeof value === 'string' && !isBlank(value);
}

/** A snapshot repeats our messages. An answer of the agent stands at its end. */
function isEndingWithAnswer(messages: Value | undefined): boolean {
  const last = toList(messages).at(-1);
  return isValueMap(last) && last.role === 'assistant' && isText(last.content);
}

function isEndingWith(messages: Value | undefined, isSent: (text: string) => boolean): boolean {
  const last = toList(messages).at(-1);
  return isValueMap(last) && typeof last.content === 'string' && isSent(last.content);
}
