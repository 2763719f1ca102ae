import type { Echo } from '../../../format/model/binding-views.ts';
import type { Path } from '../../../format/model/path.ts';
import { findAt } from '../../../format/model/pointer.ts';
import { getOwnValue, isValueMap, type Value } from '../../../format/model/value.ts';
import { isDeepEqual } from '../../../format/primitives/deep-equals.ts';
import { createEcho } from '../own-texts.ts';
import { listAgUiMessages } from './ag-ui-messages.ts';
import { parsePatchPointer } from './json-patch.ts';
import type { OwnConversation } from './own-conversations.ts';

// Finds our run input in values that an agent shapes freely: events of its framework, state patches, refusals.

/** Shorter texts may be equal by chance. */
const telling = 8;
const deepest = 32;
const mostVisited = 10_000;
/** Items of lists are compared with each other. */
const mostItems = 200;

interface PartToVisit {
  readonly value: Value;
  readonly path: Path;
  /** The key under which the value stands. */
  readonly key?: string | undefined;
}

/** The echoes in a part, or undefined if the values in it are to be looked at. */
type FindInPart = (part: PartToVisit) => readonly Echo[] | undefined;

/** Our messages in a value, in the role in which we said them. */
export function findRepeatedMessages(root: Value, at: Path, said: OwnConversation): readonly Echo[] {
  return findInParts(root, at, (part) => findOwnMessage(part, said));
}

/** A request that is quoted: whole or in parts, and its texts within other texts. */
export function findQuotedRequest(root: Value, at: Path, said: OwnConversation): readonly Echo[] {
  return findInParts(root, at, (part) => {
    if (isOwnPart(part, said)) return [{ path: part.path }];
    if (typeof part.value !== 'string') return findOwnMessage(part, said);
    const quoted = said.texts.split(part.value);
    return quoted === undefined ? [] : [createEcho(part.path, quoted)];
  });
}

/** Values that are not ours are looked through in turn. The content of a message of ours is not. */
function findInParts(root: Value, at: Path, find: FindInPart): readonly Echo[] {
  const echoes: Echo[] = [];
  const pending: PartToVisit[] = [{ value: root, path: at }];
  for (let visits = 0; visits < mostVisited; visits++) {
    const part = pending.pop();
    if (part === undefined) break;
    const { value, path } = part;
    const found = find(part);
    echoes.push(...(found ?? []));
    const isWhole = found?.some((echo) => echo.path.length === path.length) === true;
    if (!isWhole && path.length - at.length < deepest)
      pending.push(...listParts(value, path, found !== undefined && found.length > 0));
  }
  return echoes;
}

function listParts(value: Value, path: Path, isRead: boolean): readonly PartToVisit[] {
  if (Array.isArray(value))
    return value.slice(0, mostVisited).map((item: Value, index) => ({ value: item, path: [...path, index] }));
  if (!isValueMap(value)) return [];
  return Object.entries(value)
    .filter(([key]) => !isRead || key !== 'content')
    .map(([key, item]) => ({ value: item, path: [...path, key], key }));
}

/** A patch writes to places of the state, so its values are compared with our values at those places. */
export function findRepeatedInPatch(patch: Value, at: Path, said: OwnConversation): readonly Echo[] {
  if (!Array.isArray(patch)) return [];
  return patch.slice(0, mostVisited).flatMap((operation: Value, index): readonly Echo[] => {
    if (!isValueMap(operation) || operation.value === undefined) return [];
    const place = [...at, index, 'value'];
    const keys = parsePatchPointer(operation.path) ?? [];
    const before = [said.input.state, said.input].map((root) => findAt(root, keys)).filter(isPresent);
    const same = findAtSamePlaces(operation.value, place, before);
    return same.length > 0 ? same : findRepeatedMessages(operation.value, place, said);
  });
}

/** The echoes in a value that may repeat any of ours, compared place by place. A value that was changed is the agent's. */
export function findAtSamePlaces(value: Value, at: Path, ours: readonly Value[], depth = 0): readonly Echo[] {
  if (ours.some((own) => isDeepEqual(value, own))) return [{ path: at }];
  if (depth >= deepest || ours.length === 0) return [];
  if (Array.isArray(value)) {
    const items = ours.flatMap((own): readonly Value[] => (Array.isArray(own) ? own : [])).slice(0, mostItems);
    return value
      .slice(0, mostItems)
      .flatMap((item: Value, index) => findAtSamePlaces(item, [...at, index], items, depth + 1));
  }
  if (!isValueMap(value)) return [];
  const maps = ours.filter(isValueMap);
  return Object.entries(value).flatMap(([key, item]) =>
    findAtSamePlaces(item, [...at, key], maps.map((own) => getOwnValue(own, key)).filter(isPresent), depth + 1),
  );
}

function isPresent(value: Value | undefined): value is Value {
  return value !== undefined;
}

/** Whether a value is our run input or a part of it under the same key. */
function isOwnPart({ value, key }: PartToVisit, { input }: OwnConversation): boolean {
  const { state } = input;
  if (typeof value === 'string' ? value.length < telling : !isFull(value)) return false;
  const named = key === undefined ? [] : [state, input].map((map) => findAt(map, [key]));
  const whole = isValueMap(value) ? [state, input] : [];
  return [...named, ...whole].some((each) => each !== undefined && isDeepEqual(value, each));
}

function isFull(value: Value): boolean {
  return (Array.isArray(value) || isValueMap(value)) && Object.keys(value).length > 0;
}

/** Roles other than the agent's, in the words of AG-UI and of the frameworks behind it. */
export const otherRoles: ReadonlySet<Value | undefined> = new Set(['user', 'human', 'system', 'developer']);

/** The name in AG-UI of a role that a framework names otherwise. */
const rolesByFrameworkName: ReadonlyMap<Value | undefined, string> = new Map([['human', 'user']]);

function findOwnMessage({ value, path }: PartToVisit, said: OwnConversation): readonly Echo[] | undefined {
  if (!isValueMap(value)) return undefined;
  if (listAgUiMessages(said.input).some((own) => isDeepEqual(value, own))) return [{ path }];
  const { role = value.type, content } = value;
  if (role === 'tool') return said.findInResult(value, [...path, 'content']);
  const texts = otherRoles.has(role) ? said.textsOf(rolesByFrameworkName.get(role) ?? role) : undefined;
  return typeof content === 'string' && texts?.has(content) ? [{ path: [...path, 'content'] }] : undefined;
}
