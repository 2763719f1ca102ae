import type { ValueMap } from '../../format/model/value.ts';
import type { ToolCall } from './model.ts';

/** An event of AG-UI 1.0, ready for the wire. */
export type RunEvent = ValueMap & { readonly type: string };
export type Emit = (event: RunEvent) => void;

// Chosen so that a long answer has few events, and a short one is still streamed.
const deltas = 4;
const shortestDelta = 64;

export function emitText(emit: Emit, messageId: string, text: string): void {
  if (text === '') return;
  emit({ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' });
  for (const delta of splitIntoDeltas(text)) emit({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta });
  emit({ type: 'TEXT_MESSAGE_END', messageId });
}

export function emitToolCall(emit: Emit, { id: toolCallId, name, arguments: args }: ToolCall): void {
  emit({ type: 'TOOL_CALL_START', toolCallId, toolCallName: name });
  emit({ type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(args) });
  emit({ type: 'TOOL_CALL_END', toolCallId });
}

/** Splits by characters, not code units: half of a surrogate pair is not text. */
function splitIntoDeltas(text: string): readonly string[] {
  const characters = [...text];
  const length = Math.max(shortestDelta, Math.ceil(characters.length / deltas));
  const found: string[] = [];
  for (let start = 0; start < characters.length; start += length)
    found.push(characters.slice(start, start + length).join(''));
  return found;
}
