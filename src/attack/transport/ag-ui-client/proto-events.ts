import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import { decodeProto } from '../proto/decode-proto.ts';
import { readPackagedSchema } from '../proto/read-proto.ts';
import type { EventSink } from './read-events.ts';

// AG-UI's protobuf streams: the length of an event in four bytes, big-endian, then the event, which becomes the JSON of the
// same event.

const eventSchema = readPackagedSchema('ag-ui-1.0.proto');

/** Throws on bytes that are not an event. */
export function decodeEvent(bytes: Uint8Array): ValueMap {
  const [arm, ...others] = Object.entries(decodeProto(eventSchema(), 'Event', bytes));
  if (arm === undefined || others.length > 0) throw new Error('not exactly one event of AG-UI');
  const [name, content] = arm;
  const { baseEvent, ...fields } = isValueMap(content) ? content : {};
  const { type: _, ...common } = isValueMap(baseEvent) ? baseEvent : {};
  const type = name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  return { type, ...common, ...toJsonEvent(type, fields) };
}

type Shape = (fields: ValueMap) => ValueMap;

/** Events that protobuf writes differently from JSON; every other event has the same fields. */
const shapes: { readonly [type: string]: Shape } = {
  RUN_FINISHED: ({ outcome, interrupts, pendingToolCallIds, ...rest }) => ({
    ...rest,
    ...toJsonOutcome(outcome, { interrupts, pendingToolCallIds }),
  }),
  SUBAGENT_FINISHED: ({ outcome, interruptIds, ...rest }) => ({
    ...rest,
    ...toJsonOutcome(outcome, { interruptIds }),
  }),
  RUN_STARTED: ({ input, ...rest }) => ({
    ...rest,
    ...(isValueMap(input) && { input: { ...input, messages: mapList(input.messages, toJsonMessage) } }),
  }),
  MESSAGES_SNAPSHOT: ({ messages, ...rest }) => ({ ...rest, messages: mapList(messages, toJsonMessage) }),
  TOOL_CALL_RESULT: (fields) => toJsonContent(fields),
  STATE_DELTA: ({ delta, ...rest }) => ({ ...rest, delta: mapList(delta, toJsonOperation) }),
  ACTIVITY_DELTA: ({ patch, ...rest }) => ({ ...rest, patch: mapList(patch, toJsonOperation) }),
};

function toJsonEvent(type: string, fields: ValueMap): ValueMap {
  return Object.hasOwn(shapes, type) ? (shapes[type]?.(fields) ?? fields) : fields;
}

function toJsonOutcome(type: Value | undefined, parts: { readonly [key: string]: Value | undefined }): ValueMap {
  const present = Object.fromEntries(
    Object.entries(parts).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  ) as ValueMap;
  return type === undefined ? present : { outcome: { type, ...present } };
}

function toJsonMessage(message: Value): Value {
  if (!isValueMap(message)) return message;
  const { activityContent, ...rest } = message;
  return activityContent === undefined ? toJsonContent(rest) : { ...rest, content: activityContent };
}

/** Content is a text or a list of parts; protobuf has a field for each. */
function toJsonContent({ contentParts, ...rest }: ValueMap): ValueMap {
  return contentParts === undefined ? rest : { ...rest, content: mapList(contentParts, toJsonPart) };
}

/** A part or a source is written under the name of its kind. */
function toJsonPart(part: Value): Value {
  const [kind] = isValueMap(part) ? Object.entries(part) : [];
  if (kind === undefined) return part;
  const [type, content] = kind;
  if (!isValueMap(content)) return { type };
  const { source, ...rest } = content;
  return { type, ...rest, ...(source !== undefined && { source: toJsonPart(source) }) };
}

const operations = ['add', 'remove', 'replace', 'move', 'copy', 'test'];

/** A missing number is the first operation: protobuf does not write it. */
function toJsonOperation(operation: Value): Value {
  if (!isValueMap(operation)) return operation;
  const { op = 0, ...rest } = operation;
  return { op: operations[Number(op)] ?? String(op), ...rest };
}

function mapList(list: Value | undefined, change: (item: Value) => Value): Value {
  return Array.isArray(list) ? (list as readonly Value[]).map(change) : [];
}

const headerLength = 4;

/** Reads frames from bytes as they come. `end` returns the rest of an incomplete frame. */
export function createFrameReader(
  sink: EventSink,
  longest: number,
): { push(chunk: Buffer): void; end(): Buffer | undefined } {
  let pending: Buffer[] = [];
  let held = 0;
  /** The bytes that the current frame needs, its header included; undefined until the header has come. */
  let wanted: number | undefined;
  let stopped = false;

  function take(length: number): Buffer {
    const all = pending.length === 1 && pending[0] !== undefined ? pending[0] : Buffer.concat(pending);
    pending = all.length > length ? [all.subarray(length)] : [];
    held -= length;
    return all.subarray(0, length);
  }

  return {
    push(chunk) {
      if (stopped || chunk.length === 0) return;
      pending.push(chunk);
      held += chunk.length;
      while (held >= (wanted ?? headerLength)) {
        if (wanted === undefined) {
          const header = take(headerLength);
          wanted = header.readUInt32BE(0);
          // A frame that announces too many bytes is refused at once: its bytes would not be accepted.
          if (wanted > longest) {
            stopped = true;
            sink.tooLong(Buffer.concat([header, ...pending]));
            pending = [];
            return;
          }
          continue;
        }
        const frame = take(wanted);
        wanted = undefined;
        sink.data(frame, undefined);
        if (stopped) return;
      }
    },
    end() {
      const isWhole = wanted === undefined && held === 0;
      stopped = true;
      const rest = Buffer.concat(pending);
      pending = [];
      return isWhole ? undefined : rest;
    },
  };
}
