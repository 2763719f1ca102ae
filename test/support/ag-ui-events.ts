import type { ValueMap } from '../../src/index.ts';

// Events of an agent, as AG-UI writes them.

export const started: ValueMap = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
export const finished: ValueMap = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
export const failed: ValueMap = { type: 'RUN_ERROR', message: 'out of credit' };

export function text(messageId: string, ...deltas: string[]): ValueMap[] {
  return [
    { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
    ...deltas.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta })),
    { type: 'TEXT_MESSAGE_END', messageId },
  ];
}

export function toolCall(toolCallId: string, toolCallName: string, ...deltas: string[]): ValueMap[] {
  return [
    { type: 'TOOL_CALL_START', toolCallId, toolCallName },
    ...deltas.map((delta) => ({ type: 'TOOL_CALL_ARGS', toolCallId, delta })),
    { type: 'TOOL_CALL_END', toolCallId },
  ];
}

/** The result of a tool that the agent has run itself. */
export function toolResult(toolCallId: string, content: string): ValueMap {
  return { type: 'TOOL_CALL_RESULT', messageId: `${toolCallId}-own`, toolCallId, content };
}

/** A whole run, from its start to its end. */
export function run(...events: readonly (ValueMap | readonly ValueMap[])[]): ValueMap[] {
  return [started, ...(events.flat() as ValueMap[]), finished];
}

/** The same events as those of the run that was asked for. */
export function asRunOf({ threadId, runId }: ValueMap, events: readonly ValueMap[]): readonly ValueMap[] {
  return events.map((event) => ({
    ...event,
    ...(event.threadId === 't' && threadId !== undefined && { threadId }),
    ...(event.runId === 'r' && runId !== undefined && { runId }),
  }));
}
