import type { NormalizedDocument } from '../../format/model/normalized.ts';
import type { MarkerRecord, MessageRecord, TraceRecord } from '../../format/model/trace-record.ts';
import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import { getProtocol, isClientMode } from '../../format/registry/known-modes.ts';
import { isAskedByServers, isStreamed } from '../../format/registry/protocol-operations.ts';

/** A record of a trace (`foreign` if another tool wrote it), or the error in the line. */
export type ReadRecord =
  | { readonly ok: true; readonly record: TraceRecord; readonly foreign: boolean }
  | { readonly ok: false; readonly message: string };

const messageKinds = new Set(['request', 'response', 'notification', 'event']);
const markerKinds = new Set(['phase', 'log', 'connection', 'malformed', 'wire', 'end']);

/**
 * Reads one line of a trace file, given as JSON: a record of ours, or one of ThoughtJack's (with `direction` incoming or
 * outgoing). The protocol and mode of the latter come from the document's actor of that name.
 */
export function readRecord(value: Value, document: NormalizedDocument): ReadRecord {
  if (!isValueMap(value)) return reportWrongRecord('a record must be an object');
  const { seq, timestamp, actor, kind, direction } = value;
  if (typeof seq !== 'number') return reportWrongRecord('`seq` must be a number');
  if (typeof timestamp !== 'string') return reportWrongRecord('`timestamp` must be a string');
  if (typeof kind === 'string' && markerKinds.has(kind))
    return { ok: true, record: value as unknown as MarkerRecord, foreign: false };
  if (typeof actor !== 'string') return reportWrongRecord('`actor` must be a string');
  if (typeof value.method !== 'string') return reportWrongRecord('`method` must be a string');
  if (!Object.hasOwn(value, 'content')) return reportWrongRecord('`content` is missing');
  if (kind === undefined && (direction === 'incoming' || direction === 'outgoing'))
    return readForeign(value, direction, document);
  if (typeof kind !== 'string' || !messageKinds.has(kind))
    return reportWrongRecord(
      '`kind` must be request, response, notification, event, phase, log, connection, malformed, wire or end',
    );
  for (const field of ['protocol', 'mode'])
    if (typeof value[field] !== 'string') return reportWrongRecord(`\`${field}\` must be a string`);
  if (value.origin !== 'agent' && value.origin !== 'attacker')
    return reportWrongRecord('`origin` must be agent or attacker');
  return { ok: true, record: value as unknown as MessageRecord, foreign: false };
}

function readForeign(value: ValueMap, direction: 'incoming' | 'outgoing', document: NormalizedDocument): ReadRecord {
  const { actors } = document.attack.execution;
  const actor = actors.find(({ name }) => name === value.actor) ?? (actors.length === 1 ? actors[0] : undefined);
  if (actor === undefined) return reportWrongRecord(`the document has no actor named ${JSON.stringify(value.actor)}`);
  const { method, content } = readDelegation(actor.mode, String(value.method), value.content as Value);
  const { seq, timestamp, phase } = value;
  const record: MessageRecord = {
    seq: seq as number,
    timestamp: timestamp as string,
    actor: actor.name,
    protocol: getProtocol(actor.mode),
    mode: actor.mode,
    ...(typeof phase === 'string' && { phase }),
    kind: classifyRecord(actor.mode, direction, method),
    origin: direction === 'incoming' ? 'agent' : 'attacker',
    method,
    content,
  };
  return { ok: true, record, foreign: true };
}

/**
 * ThoughtJack's context mode records the delegation to an A2A agent as the call of a tool: its name, and the message among
 * its arguments. It is the message that the agent sent, and keeps the shape of the call beside that.
 */
function readDelegation(
  mode: string,
  method: string,
  content: Value,
): { readonly method: string; readonly content: Value } {
  if (getProtocol(mode) !== 'a2a' || isClientMode(mode) || method !== 'tools/call') return { method, content };
  const given = isValueMap(content) && isValueMap(content.arguments) ? content.arguments.message : undefined;
  const message = typeof given === 'string' ? { role: 'user', parts: [{ kind: 'text', text: given }] } : given;
  const isRequest = isValueMap(content) && isValueMap(message);
  return { method: 'message/send', content: isRequest ? { ...content, message } : content };
}

function classifyRecord(mode: string, direction: 'incoming' | 'outgoing', method: string): MessageRecord['kind'] {
  if (method.startsWith('notifications/')) return 'notification';
  const protocol = getProtocol(mode);
  const isSentByClient = isClientMode(mode) === (direction === 'outgoing');
  if (!isSentByClient && isStreamed(protocol, method)) return 'event';
  return isSentByClient !== isAskedByServers(protocol, method) ? 'request' : 'response';
}

function reportWrongRecord(message: string): ReadRecord {
  return { ok: false, message };
}
