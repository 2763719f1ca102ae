import type { Projection, Projector } from '../../../format/model/binding-views.ts';
import { parseJson } from '../../../format/model/json-text-values.ts';
import type { MessageRecord } from '../../../format/model/trace-record.ts';
import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import { createRecentTexts, type RecentTexts } from '../recent-texts.ts';
import { createStreams, type Streams, type WholeStream } from '../streams.ts';
import { listAgUiMessages, readMessageKey } from './ag-ui-messages.ts';
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
  /** Messages that a snapshot may repeat: those we sent, and those streamed or listed before. */
  readonly known: RecentTexts;
}

/**
 * Joins streams. Chunks are offered as the parts they stand for; texts and call arguments also as a whole; and the
 * assistant's text once more under the path that public documents use.
 */
export function createAgUiProjector(): Projector {
  const connections = new Map<string, Connection>();

  function connectionOf({ actor, session }: MessageRecord): Connection {
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
    const [key, { texts }] = oldest;
    connections.delete(key);
    return texts.endAll().flatMap(projectWhole);
  }

  return {
    add(record) {
      const { content, method, origin } = record;
      if (!isValueMap(content)) return [];
      const connection = connectionOf(record);
      if (origin !== 'agent') {
        if (method === 'run_agent_input')
          for (const each of listAgUiMessages(content)) connection.known.add(readMessageKey(each));
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
    finish: () => [...connections.values()].flatMap(({ texts }) => texts.endAll().flatMap(projectWhole)),
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
  if (method === 'run_finished' || method === 'run_error') return texts.endAll().flatMap(projectWhole);
  if (method === 'messages_snapshot') return projectNewMessages(content, connection, record);
  const meant = meanings.get(method);
  if (meant === undefined) return [];
  const { family, does } = meant;
  const given = content[family.id];
  const id = typeof given === 'string' ? given : (current.get(family) ?? '');
  const key = `${family.start} ${id}`;
  if (does === 'end') {
    if (family === textMessages) known.add(JSON.stringify(id));
    return texts.end(key).flatMap(projectWhole);
  }
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
  return [...before, ...evicted, ...full].flatMap(projectWhole);
}

function readEventText(content: ValueMap, key: string): string | undefined {
  const value = content[key];
  return typeof value === 'string' ? value : undefined;
}

/** The assistant's messages in a snapshot that were not known before: some agents answer by snapshot, not by stream. */
function projectNewMessages(
  content: ValueMap,
  { texts, known }: Connection,
  record: MessageRecord,
): readonly Projection[] {
  return listAgUiMessages(content).flatMap((message) => {
    const name = readMessageKey(message);
    if (known.has(name) || texts.has(`${textMessages.start} ${message.id}`)) return [];
    known.add(name);
    const isSaid = message.role === 'assistant' && typeof message.content === 'string' && message.content !== '';
    return isSaid ? [projectAssistantText(message.content as string, record)] : [];
  });
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

function projectWhole(whole: WholeStream<StreamedText>): readonly Projection[] {
  const { info, text, last } = whole;
  const { family, role } = info;
  const said = family === textMessages && role === 'assistant' ? [projectAssistantText(text, last)] : [];
  // A single part is already whole. Tool arguments are joined even then, because whole arguments can be parsed.
  return whole.parts > 1 || family === toolCalls ? [projectJoinedText(whole), ...said] : said;
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
