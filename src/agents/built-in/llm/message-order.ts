import type { ChatMessage, ToolCall } from '../model.ts';

type Result = Extract<ChatMessage, { readonly role: 'tool' }>;

/** The name of the call that is added for a result without one: an attack may invent a result. */
const unknownTool = 'unknown_tool';

/**
 * Puts messages into the order that services require: each tool result directly after its call, every call answered,
 * every result with a call, and no id used twice. A result moves to its call, a result without a call gets one, and a
 * call without a result gets a result that says so. No message is left out.
 */
export function sortForWire(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const results = groupResultsById(messages);
  const placed = new Set<ChatMessage>();
  const freeId = createIdDeduplicator();

  function answered(call: ToolCall, from: number): readonly [ToolCall, Result] {
    const found = results.get(call.id)?.find(({ index, result }) => index > from && !placed.has(result));
    const id = freeId(call.id);
    if (found === undefined)
      return [
        { ...call, id },
        { role: 'tool', toolCallId: id, content: 'no result' },
      ];
    placed.add(found.result);
    return [
      { ...call, id },
      { ...found.result, toolCallId: id },
    ];
  }

  return messages.flatMap((message, index): readonly ChatMessage[] => {
    if (message.role === 'tool') {
      if (placed.has(message)) return [];
      const id = freeId(message.toolCallId);
      const call = { id, name: unknownTool, arguments: {} };
      return [
        { role: 'assistant', content: '', toolCalls: [call] },
        { ...message, toolCallId: id },
      ];
    }
    if (message.role !== 'assistant' || message.toolCalls === undefined) return [message];
    const pairs = message.toolCalls.map((call) => answered(call, index));
    return [{ ...message, toolCalls: pairs.map(([call]) => call) }, ...pairs.map(([, result]) => result)];
  });
}

interface PlacedResult {
  readonly index: number;
  readonly result: Result;
}

function groupResultsById(messages: readonly ChatMessage[]): ReadonlyMap<string, readonly PlacedResult[]> {
  const results = new Map<string, PlacedResult[]>();
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'tool') continue;
    const same = results.get(message.toolCallId) ?? [];
    same.push({ index, result: message });
    results.set(message.toolCallId, same);
  }
  return results;
}

/** Returns each id unchanged the first time, and a new one after that. */
function createIdDeduplicator(): (id: string) => string {
  const used = new Set<string>();
  const counts = new Map<string, number>();
  return (id) => {
    let free = id;
    let count = counts.get(id) ?? 1;
    for (; free === '' || used.has(free); count++) free = `${id || 'call'}-${count + 1}`;
    counts.set(id, count);
    used.add(free);
    return free;
  };
}
