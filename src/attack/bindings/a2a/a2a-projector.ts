import type { Projection, Projector } from '../../../format/model/binding-views.ts';
import type { MessageRecord } from '../../../format/model/trace-record.ts';
import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import { directionOf } from '../../../format/primitives/message-value.ts';
import { projectParsedJson } from '../parsed-json-view.ts';
import { createStreams, type WholeStream } from '../streams.ts';
import { joinTextsOfParts, readMapText } from './a2a-shapes.ts';

const cards = new Set(['agent_card/get', 'agent/getAuthenticatedExtendedCard']);
const messages = new Set(['message/send', 'message/stream']);

/**
 * Public documents look at a delegated task as if it were a tool call: an agent's name and its arguments. Artifacts
 * that come in several updates are joined. The answer to a poll of ours is also offered as an answer to the message
 * that started the task.
 */
export function createA2aProjector(): Projector {
  const cardNames = new Map<string, readonly string[]>();
  const artifacts = createStreams<ValueMap>();
  const polls = new Set<string>();
  return {
    add(record) {
      const views = projectA2aMessage(record, cardNames, artifacts, polls);
      const { wire } = record;
      return isValueMap(wire) ? [...views, projectInWireSpelling(record, wire)] : views;
    },
    finish: () => artifacts.endAll().flatMap(projectJoinedArtifact),
  };
}

/** The message in the spelling it had on the wire, for documents written for that era. */
function projectInWireSpelling(record: MessageRecord, content: ValueMap): Projection {
  const stream = { last: record, surfaces: [record.method], isWhole: true, isRespelt: true } as const;
  return { path: 'as on the wire', content, ...readProjectionPlace(record), stream };
}

function projectA2aMessage(
  record: MessageRecord,
  cardNames: Map<string, readonly string[]>,
  artifacts: ReturnType<typeof createStreams<ValueMap>>,
  polls: Set<string>,
): readonly Projection[] {
  rememberCard(cardNames, record);
  if (record.method === pollMethod) return [...projectParsedJson(record), ...projectPolledResult(polls, record)];
  if (record.origin === 'agent' && record.kind === 'event') return addUpdate(artifacts, record);
  const unfolded = projectParsedJson(record);
  if (record.kind !== 'request' || !messages.has(record.method) || !isValueMap(record.content)) return unfolded;
  const message = record.content.message;
  const views: [string, Projection['content']][] = [];
  const text = joinTextsOfParts(message, '\n');
  if (text !== '') views.push(['a2a.task.message', { a2a: { task: { message: text } } }]);
  for (const name of cardNames.get(record.actor) ?? []) views.push(['name', { name }]);
  if (message !== undefined) views.push(['arguments', { arguments: message }]);
  return [...unfolded, ...views.map(([path, content]) => ({ path, content, ...readProjectionPlace(record) }))];
}

const pollMethod = 'tasks/get';

/** A result that came only when we polled the task still answers the message that started the task. */
function projectPolledResult(polls: Set<string>, record: MessageRecord): readonly Projection[] {
  const { actor, session = null, id = null, kind, origin, pieces, content } = record;
  const call = JSON.stringify([actor, session, id]);
  // A request of the document carries pieces. A request without pieces is a poll of ours.
  if (kind === 'request' && origin === 'attacker' && pieces === undefined) polls.add(call);
  if (kind !== 'response' || !polls.delete(call) || !isValueMap(content)) return [];
  const stream = { last: record, surfaces: [...messages], isWhole: false };
  return [{ path: 'task asked for later', content, ...readProjectionPlace(record), stream }];
}

function readProjectionPlace(record: MessageRecord): Pick<Projection, 'record' | 'protocol' | 'direction' | 'own'> {
  return {
    record: record.seq,
    protocol: record.protocol,
    direction: directionOf(record),
    ...(record.origin === 'attacker' && { own: true }),
  };
}

/** Remembers the names an agent may use for the agent it delegated to: the card's name, or the id of a skill. */
function rememberCard(names: Map<string, readonly string[]>, { method, kind, actor, content }: MessageRecord): void {
  if (!cards.has(method) || kind !== 'response' || !isValueMap(content)) return;
  const skills = Array.isArray(content.skills) ? content.skills.slice(0, mostSkills) : [];
  names.set(actor, [
    ...(typeof content.name === 'string' ? [content.name] : []),
    ...skills.flatMap((skill: Value) => readMapText(skill, 'id') ?? []),
  ]);
}

const mostSkills = 50;

/** An update is recorded under the call's name and under its own, so each name has its own artifacts. */
function addUpdate(
  artifacts: ReturnType<typeof createStreams<ValueMap>>,
  record: MessageRecord,
): readonly Projection[] {
  const { actor, session = null, method, content } = record;
  if (!isValueMap(content) || !isValueMap(content.artifact)) return [];
  const { artifact } = content;
  const name = [actor, session, method, content.taskId, artifact.artifactId];
  const key = JSON.stringify(name);
  // An update that does not append starts a new artifact.
  const before = content.append === true ? [] : artifacts.end(key, 'forget');
  const evicted = artifacts.open(key, content);
  const full = artifacts.append(key, joinTextsOfParts(artifact, ''), record);
  const whole = content.lastChunk === true ? artifacts.end(key) : [];
  return [...before, ...evicted, ...full, ...whole].flatMap(projectJoinedArtifact);
}

function projectJoinedArtifact({ info, text, last, parts, isCut }: WholeStream<ValueMap>): readonly Projection[] {
  if (parts < 2) return [];
  const artifact = { ...(isValueMap(info.artifact) ? info.artifact : {}), parts: [{ kind: 'text', text }] };
  return [
    {
      ...readProjectionPlace(last),
      path: 'joined stream',
      content: { ...info, artifact },
      stream: { last, surfaces: [last.method], isWhole: true, ...(isCut && { isCut }) },
    },
  ];
}
