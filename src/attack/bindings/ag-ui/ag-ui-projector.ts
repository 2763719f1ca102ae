import type { Projection, Projector } from '../../../format/model/binding-views.ts';
import { parseJson } from '../../../format/model/json-text-values.ts';
import type { MessageRecord } from '../../../format/model/trace-record.ts';
import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import { createRecentTexts, type RecentTexts } from '../recent-texts.ts';
import { createStreams, type Streams, type WholeStream } from '../streams.ts';
import { listAgUiMessages } from './ag-ui-messages.ts';
import { families, type OpenChunks, readChunk, type StreamEventNames, textMessages, toolCalls } from './chunks.ts';

/** A text or call that is being streamed. */
interface StreamedText {
  readonly family: StreamEventNames;
  readonly id: string;
  readonly role: string;
  readonly name: Value | undefined;
}

const mostConnections = 100;

/** The open streams of a connection. Ids are valid only within it. */
interface Connection {
  readonly texts: Streams<StreamedText>;
  /** The id that an event without one belongs to, by family. */
  readonly current: Map<StreamEventNames, string>;
  chunks: OpenChunks | undefined;
  /** Texts of messages that a snapshot may repeat: those we sent, and those streamed or listed before. */
  readonly known: RecentTexts;
}

/**
 * Joins streams. Chunks are offered as the parts they stand for; texts and call arguments also as a whole; and the
 * assistant's text once more under the path that public documents use.
 */
export function createAgUiProjector(): Projector {
  const connections = new Map<string, Connection>();

  function findConnection({ actor, session }: MessageRecord): Connection {
    const key = JSON.stringify([actor, session ?? null]);
    let connection = connections.get(key);
    if (connection === undefined) {
      connection = {
        texts: createStreams(),
        current: new Map(),
        chunks: undefined,
        known: createRecentTexts(),
      };
      connections.set(key, connection);
    }
    return connection;
  }

  /** Returns the unfinished texts of the oldest connection once there are too many to remember. */
  function forgetOldest(): readonly Projection[] {
    const [oldest] = connections;
    if (connections.size <= mostConnections || oldest === undefined) return [];
    const [key, { texts, known }] = oldest;
    connections.delete(key);
    return texts.endAll().flatMap((whole) => projectWhole(whole, known));
  }

  return {
    add(record) {
      const { content, method, origin } = record;
      if (!isValueMap(content)) return [];
      const connection = findConnection(record);
      if (origin !== 'agent') {
        if (method === 'run_agent_input')
          for (const { role, content: text } of listAgUiMessages(content))
            if (typeof text === 'string') connection.known.add(keyText(role, text));
        return [];
      }
      const { open, ended, begun } = readChunk(connection.chunks, method, content);
      connection.chunks = open;
      const parts = [...ended, ...begun];
      // A chunk is read through its parts; any other event is read as it is.
      const events = begun.length > 0 ? parts : [...ended, { method, content }];
      return [
        ...forgetOldest(),
        ...parts.map((part) => projectPart(record, part.method, part.content)),
        ...events.flatMap((event) => followStreams(connection, event.method, event.content, record)),
      ];
    },
    finish: () =>
      [...connections.values()].flatMap(({ texts, known }) =>
        texts.endAll().flatMap((whole) => projectWhole(whole, known)),
      ),
  };
}

/** The effect of an event on a stream. */
const meanings = new Map(
  families.flatMap((family) => [
    [family.start, { family, does: 'start' }],
    [family.content, { family, does: 'content' }],
    [family.end, { family, does: 'end' }],
  ]),
);

function followStreams(
  connection: Connection,
  method: string,
  content: ValueMap,
  record: MessageRecord,
): readonly Projection[] {
  const { texts, current, known } = connection;
  const project = (whole: WholeStream<StreamedText>): readonly Projection[] => projectWhole(whole, known);
  if (method === 'run_finished' || method === 'run_error') return texts.endAll().flatMap(project);
  if (method === 'messages_snapshot') return projectNewMessages(content, connection, record);
  const meant = meanings.get(method);
  if (meant === undefined) return [];
  const { family, does } = meant;
  const given = content[family.id];
  const id = typeof given === 'string' ? given : (current.get(family) ?? '');
  const key = `${family.start} ${id}`;
  if (does === 'end') return texts.end(key).flatMap(project);
  current.set(family, id);
  const info = {
    family,
    id,
    role: readEventText(content, 'role') ?? 'assistant',
    name: content.toolCallName,
  };
  // Without an id, only the start event separates one text from the one before it.
  const before = does === 'start' && id === '' ? texts.end(key, 'forget') : [];
  const evicted = texts.open(key, info);
  const { delta } = content;
  const full = does === 'content' && typeof delta === 'string' ? texts.append(key, delta, record) : [];
  return [...before, ...evicted, ...full].flatMap(project);
}

function readEventText(content: ValueMap, key: string): string | undefined {
  const value = content[key];
  return typeof value === 'string' ? value : undefined;
}

/** The texts in a snapshot that were not known before: some agents answer by snapshot, not by stream. */
function projectNewMessages(
  content: ValueMap,
  { texts, known }: Connection,
  record: MessageRecord,
): readonly Projection[] {
  return listAgUiMessages(content).flatMap(({ id, role, content: text }) => {
    if (typeof text !== 'string' || text === '' || unsaid.has(role) || known.has(keyText(role, text))) return [];
    if (texts.peek(`${textMessages.start} ${String(id)}`)?.startsWith(text)) return [];
    known.add(keyText(role, text));
    return [projectAssistantText(text, record)];
  });
}

/** Roles of messages that are not said to the user. */
const unsaid: ReadonlySet<Value | undefined> = new Set(['tool', 'reasoning', 'activity']);

/** Our words in another role than the one in which we said them are the agent's. */
function keyText(role: Value | undefined, text: string): string {
  return JSON.stringify([role ?? null, text]);
}

/** A part under the protocol's name for it. */
function projectPart(record: MessageRecord, method: string, content: ValueMap): Projection {
  return {
    ...readPlaceOfRecord(record),
    path: method,
    content,
    stream: { last: record, surfaces: [method], isWhole: false },
  };
}

/** `known` has the texts that we sent: under another role than the assistant's, they are the user's own words. */
function projectWhole(whole: WholeStream<StreamedText>, known: RecentTexts): readonly Projection[] {
  const { info, text, last } = whole;
  const { family, role } = info;
  const isOther = role !== 'assistant';
  const key = keyText(role, text);
  const isSaid = family === textMessages && !(isOther && known.has(key));
  const said = isSaid ? [projectAssistantText(text, last)] : [];
  if (isSaid) known.add(key);
  // A single part is already whole. Tool arguments are joined even then, because whole arguments can be parsed, and so are
  // another's words, because only the whole shows whether they repeat ours.
  return whole.parts > 1 || family === toolCalls || isOther ? [projectJoinedText(whole), ...said] : said;
}

function projectJoinedText({ info, text, last, isCut }: WholeStream<StreamedText>): Projection {
  const { family, id, name } = info;
  const isCall = family === toolCalls;
  const called = isCall && name !== undefined ? { toolCallName: name } : {};
  const content: ValueMap = {
    type: family.content.toUpperCase(),
    ...(id !== '' && { [family.id]: id }),
    ...called,
    delta: text,
    ...(isCall && { args: text, arguments: parseArguments(text) }),
  };
  const chunk = family.chunk === undefined ? [] : [family.chunk];
  const surfaces = [family.content, ...chunk, ...(isCall ? [family.end] : [])];
  return {
    ...readPlaceOfRecord(last),
    path: 'joined stream',
    content,
    stream: { last, surfaces, isWhole: true, ...(isCut && { isCut }) },
  };
}

function parseArguments(text: string): Value {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function projectAssistantText(content: string, record: MessageRecord): Projection {
  return {
    ...readPlaceOfRecord(record),
    path: 'response.content',
    content: { response: { content } },
    anyProtocol: true,
  };
}

function readPlaceOfRecord({ seq }: MessageRecord): Pick<Projection, 'record' | 'protocol' | 'direction'> {
  return { record: seq, protocol: 'ag_ui', direction: 'response' };
}
