import type { Value, ValueMap } from '../../../format/model/value.ts';

// A chunk event is start, content and end in one: the first chunk of an id starts, each chunk carries content, and the
// next different event ends.

/** The events of a streamed text, by their role in the stream. */
export interface StreamEventNames {
  readonly start: string;
  readonly content: string;
  readonly end: string;
  readonly chunk: string | undefined;
  readonly id: string;
  /** Fields of a chunk that belong to the start event. */
  readonly named: readonly string[];
}

function nameStreamEvents(
  name: string,
  content: string,
  id: string,
  named: readonly string[],
  hasChunk = true,
): StreamEventNames {
  const chunk = hasChunk ? `${name}_chunk` : undefined;
  return { start: `${name}_start`, content: `${name}_${content}`, end: `${name}_end`, chunk, id, named };
}

export const toolCalls = nameStreamEvents('tool_call', 'args', 'toolCallId', ['toolCallName', 'parentMessageId']);
export const textMessages = nameStreamEvents('text_message', 'content', 'messageId', ['role']);

export const families: readonly StreamEventNames[] = [
  textMessages,
  toolCalls,
  nameStreamEvents('reasoning_message', 'content', 'messageId', ['role']),
  nameStreamEvents('thinking_text_message', 'content', 'messageId', [], false),
];

const byChunk = new Map(families.flatMap((each) => (each.chunk === undefined ? [] : [[each.chunk, each]])));

/** The text or call that chunks have started and no event has ended yet. */
export interface OpenChunks {
  readonly family: StreamEventNames;
  readonly id: Value | undefined;
  readonly name: Value | undefined;
}

export interface PartEvent {
  readonly method: string;
  readonly content: ValueMap;
}

interface ReadChunk {
  readonly open: OpenChunks | undefined;
  /** The parts that end before this event. */
  readonly ended: readonly PartEvent[];
  /** The parts that this event starts and carries. */
  readonly begun: readonly PartEvent[];
}

/** Events that do not affect the stream around them. */
const bystanders = new Set(['raw', 'custom', 'activity_snapshot', 'activity_delta']);

/** Works out which parts an event ends and begins, given what chunks have started. */
export function readChunk(open: OpenChunks | undefined, method: string, event: ValueMap): ReadChunk {
  const family = byChunk.get(method);
  if (family === undefined) {
    if (open === undefined || bystanders.has(method)) return { open, ended: [], begun: [] };
    return { open: undefined, ended: [createEndEvent(open)], begun: [] };
  }
  const isSame = open?.family === family && (event[family.id] ?? open.id) === open.id;
  const next = isSame ? open : { family, id: event[family.id], name: event.toolCallName };
  const ended = open === undefined || isSame ? [] : [createEndEvent(open)];
  const start = isSame ? [] : [createPartEvent(next, family.start, pick(event, family.named))];
  const { delta } = event;
  const content = typeof delta === 'string' && delta !== '' ? [createPartEvent(next, family.content, { delta })] : [];
  return { open: next, ended, begun: [...start, ...content] };
}

function createEndEvent(open: OpenChunks): PartEvent {
  return createPartEvent(open, open.family.end, {});
}

function createPartEvent({ family, id, name }: OpenChunks, method: string, fields: ValueMap): PartEvent {
  const called = family === toolCalls && name !== undefined ? { toolCallName: name } : {};
  const ids = id === undefined ? {} : { [family.id]: id };
  return { method, content: { type: method.toUpperCase(), ...ids, ...called, ...fields } };
}

function pick(event: ValueMap, keys: readonly string[]): ValueMap {
  return Object.fromEntries(keys.flatMap((key) => (event[key] === undefined ? [] : [[key, event[key]]])));
}
