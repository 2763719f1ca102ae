import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import { decode } from '../proto/decode.ts';
import { readLate } from '../proto/read-proto.ts';
import { eventProto } from './event-proto.ts';

// Turns a protobuf event of AG-UI into the JSON of the same event.

const eventSchema = readLate(eventProto);

/** Throws on bytes that are not an event. */
export function eventFromProto(bytes: Uint8Array): ValueMap {
  const [arm, ...others] = Object.entries(decode(eventSchema(), 'Event', bytes));
  if (arm === undefined || others.length > 0) throw new Error('not exactly one event of AG-UI');
  const [name, content] = arm;
  const { baseEvent, ...fields } = isValueMap(content) ? content : {};
  const { type: _, ...common } = isValueMap(baseEvent) ? baseEvent : {};
  const type = name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  return { type, ...common, ...inJson(type, fields) };
}

type Shape = (fields: ValueMap) => ValueMap;

/** Events that protobuf writes differently from JSON; every other event has the same fields. */
const shapes: { readonly [type: string]: Shape } = {
  RUN_FINISHED: ({ outcome, interrupts, pendingToolCallIds, ...rest }) => ({
    ...rest,
    ...outcomeOf(outcome, { interrupts, pendingToolCallIds }),
  }),
  SUBAGENT_FINISHED: ({ outcome, interruptIds, ...rest }) => ({
    ...rest,
    ...outcomeOf(outcome, { interruptIds }),
  }),
  RUN_STARTED: ({ input, ...rest }) => ({
    ...rest,
    ...(isValueMap(input) && { input: { ...input, messages: each(input.messages, messageOf) } }),
  }),
  MESSAGES_SNAPSHOT: ({ messages, ...rest }) => ({ ...rest, messages: each(messages, messageOf) }),
  TOOL_CALL_RESULT: (fields) => withContent(fields),
  STATE_DELTA: ({ delta, ...rest }) => ({ ...rest, delta: each(delta, operationOf) }),
  ACTIVITY_DELTA: ({ patch, ...rest }) => ({ ...rest, patch: each(patch, operationOf) }),
};

function inJson(type: string, fields: ValueMap): ValueMap {
  return Object.hasOwn(shapes, type) ? (shapes[type]?.(fields) ?? fields) : fields;
}

function outcomeOf(type: Value | undefined, parts: { readonly [key: string]: Value | undefined }): ValueMap {
  const said = Object.fromEntries(
    Object.entries(parts).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  ) as ValueMap;
  return type === undefined ? said : { outcome: { type, ...said } };
}

function messageOf(message: Value): Value {
  if (!isValueMap(message)) return message;
  const { activityContent, ...rest } = message;
  return activityContent === undefined ? withContent(rest) : { ...rest, content: activityContent };
}

/** Content is a text or a list of parts; protobuf has a field for each. */
function withContent({ contentParts, ...rest }: ValueMap): ValueMap {
  return contentParts === undefined ? rest : { ...rest, content: each(contentParts, partOf) };
}

/** A part or a source is written under the name of its kind. */
function partOf(part: Value): Value {
  const [kind] = isValueMap(part) ? Object.entries(part) : [];
  if (kind === undefined) return part;
  const [type, content] = kind;
  if (!isValueMap(content)) return { type };
  const { source, ...rest } = content;
  return { type, ...rest, ...(source !== undefined && { source: partOf(source) }) };
}

const operations = ['add', 'remove', 'replace', 'move', 'copy', 'test'];

/** A missing number is the first operation: protobuf does not write it. */
function operationOf(operation: Value): Value {
  if (!isValueMap(operation)) return operation;
  const { op = 0, ...rest } = operation;
  return { op: operations[Number(op)] ?? String(op), ...rest };
}

function each(list: Value | undefined, change: (item: Value) => Value): Value {
  return Array.isArray(list) ? (list as readonly Value[]).map(change) : [];
}
