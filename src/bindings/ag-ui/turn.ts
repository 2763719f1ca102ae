import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';

/** What the agent did in one run, as a chat history tells it. */
export interface Turn {
  readonly messages: readonly ValueMap[];
  /** Calls that nobody has answered, in their order. */
  readonly waiting: readonly ToolCall[];
}

export interface ToolCall {
  readonly id: string;
  /** The event that started it. */
  readonly start: ValueMap;
}

interface Event {
  readonly event: ValueMap;
  readonly method: string;
}

interface OpenMessage {
  readonly id: string;
  readonly role: string;
  text: string;
  readonly calls: OpenToolCall[];
}

interface OpenToolCall extends ToolCall {
  readonly name: string;
  args: string;
  result?: ValueMap;
  /** How often the agent had spoken when it last said something of this call. */
  spoken: number;
}

/** Puts the messages and tool calls of a run together from its events. */
export function turnOf(events: readonly Event[], input: ValueMap): Turn {
  const messages = new Map<string, OpenMessage>();
  const calls = new Map<string, OpenToolCall>();
  let message = '';
  let call = '';
  let spoken = 0;

  function messageFor(id: Value | undefined, role: Value | undefined): OpenMessage {
    if (typeof id === 'string') message = id;
    let open = messages.get(message);
    if (open === undefined) {
      open = { id: message, role: typeof role === 'string' ? role : 'assistant', text: '', calls: [] };
      messages.set(message, open);
    }
    return open;
  }

  function startCall(event: ValueMap): void {
    const { toolCallId: id, toolCallName: name, parentMessageId } = event;
    if (typeof id === 'string') call = id;
    if (calls.has(call) || typeof name !== 'string') return;
    const { delta: _, ...start } = event;
    const open = { id: call, name, start: { ...start, type: 'TOOL_CALL_START' }, args: '', spoken };
    calls.set(call, open);
    messageFor(parentMessageId ?? `${call}-call`, 'assistant').calls.push(open);
  }

  const readers: { readonly [method: string]: (event: ValueMap) => void } = {
    text_message_start: ({ messageId, role }) => messageFor(messageId, role),
    text_message_content: speak,
    text_message_chunk: speak,
    tool_call_start: startCall,
    tool_call_args: addArguments,
    tool_call_chunk(event) {
      startCall(event);
      addArguments(event);
    },
    tool_call_result(event) {
      const open = typeof event.toolCallId === 'string' ? calls.get(event.toolCallId) : undefined;
      if (open !== undefined) open.result = event;
    },
  };

  function speak({ messageId, role, delta }: ValueMap): void {
    const open = messageFor(messageId, role);
    if (typeof delta !== 'string' || delta === '') return;
    open.text += delta;
    spoken += 1;
  }

  function addArguments({ toolCallId, delta }: ValueMap): void {
    const open = calls.get(typeof toolCallId === 'string' ? toolCallId : call);
    if (open === undefined || typeof delta !== 'string') return;
    open.args += delta;
    open.spoken = spoken;
  }

  for (const { event, method } of events) if (Object.hasOwn(readers, method)) readers[method]?.(event);
  const declared = namesOf(input.tools);
  return {
    messages: [...messages.values()].flatMap(toMessages),
    // An agent that spoke on after a call of a tool that we never offered was not waiting for us.
    waiting: [...calls.values()].filter(
      (each) => each.result === undefined && (declared.has(each.name) || each.spoken === spoken),
    ),
  };
}

function namesOf(tools: Value | undefined): ReadonlySet<Value> {
  return new Set(
    (Array.isArray(tools) ? tools : []).flatMap((tool) => (isValueMap(tool) ? (tool.name ?? []) : [])),
  );
}

/** An assistant's message with its calls, and behind it the results that the agent had itself. */
function toMessages({ id, role, text, calls }: OpenMessage): readonly ValueMap[] {
  if (text === '' && calls.length === 0) return [];
  const toolCalls = calls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.args },
  }));
  return [
    { id, role, ...(text !== '' && { content: text }), ...(calls.length > 0 && { toolCalls }) },
    ...calls.flatMap((call) =>
      call.result === undefined
        ? []
        : [
            {
              id: call.result.messageId ?? `${call.id}-result`,
              role: 'tool',
              toolCallId: call.id,
              content: call.result.content ?? '',
            },
          ],
    ),
  ];
}
