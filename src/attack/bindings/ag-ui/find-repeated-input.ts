import type { Echo } from '../../../format/model/binding-views.ts';
import type { Path } from '../../../format/model/path.ts';
import { findAt } from '../../../format/model/pointer.ts';
import { getOwnValue, isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import { isDeepEqual } from '../../../format/primitives/deep-equals.ts';
import { listAgUiMessages } from './ag-ui-messages.ts';
import { parsePatchPointer } from './json-patch.ts';

// Finds our run input in values that an agent shapes freely: pass-through data of a framework, custom events, state
// patches. A value is ours only if it equals ours and stands under the same key.

export interface RunInputMatcher {
  /** The last run input. */
  readonly input: ValueMap;
  /** Whether a message of ours has this text. */
  isText(text: string): boolean;
  /** The echoes in a message that is the result of a tool of ours. */
  findInResult(message: ValueMap, at: Path): readonly Echo[];
}

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

export function findRepeatedParts(root: Value, at: Path, ours: RunInputMatcher, key?: string): readonly Echo[] {
  const echoes: Echo[] = [];
  const pending: PartToVisit[] = [{ value: root, path: at, key }];
  for (let visits = 0; visits < mostVisited; visits++) {
    const found = pending.pop();
    if (found === undefined) break;
    const { value, path } = found;
    if (isOwn(found, ours)) echoes.push({ path });
    else if (path.length - at.length < deepest) pending.push(...visitPart(value, path, ours, echoes));
  }
  return echoes;
}

/** The parts to look at next. The content of a message of ours is added to `echoes` at once. */
function visitPart(value: Value, path: Path, ours: RunInputMatcher, echoes: Echo[]): readonly PartToVisit[] {
  if (Array.isArray(value))
    return value.slice(0, mostVisited).map((item: Value, index) => ({ value: item, path: [...path, index] }));
  if (!isValueMap(value)) return [];
  const inContent = findInOwnMessage(value, path, ours);
  echoes.push(...inContent);
  return Object.entries(value)
    .filter(([key]) => inContent.length === 0 || key !== 'content')
    .map(([key, item]) => ({ value: item, path: [...path, key], key }));
}

/** A patch writes to places of the state, so its values are compared with our values at those places. */
export function findRepeatedInPatch(patch: Value, at: Path, ours: RunInputMatcher): readonly Echo[] {
  if (!Array.isArray(patch)) return [];
  return patch.slice(0, mostVisited).flatMap((operation: Value, index): readonly Echo[] => {
    if (!isValueMap(operation) || operation.value === undefined) return [];
    const place = [...at, index, 'value'];
    const keys = parsePatchPointer(operation.path) ?? [];
    const before = [ours.input.state, ours.input].map((root) => findAt(root, keys)).filter(isPresent);
    const same = findAtSamePlaces(operation.value, place, before);
    return same.length > 0 ? same : findRepeatedParts(operation.value, place, ours, keys.at(-1));
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

function isOwn({ value, key }: PartToVisit, { input }: RunInputMatcher): boolean {
  const { state } = input;
  if (typeof value === 'string' ? value.length < telling : !isFull(value)) return false;
  const named = key === undefined ? [] : [state, input].map((map) => findAt(map, [key]));
  const whole = isValueMap(value) ? [state, input, ...listAgUiMessages(input)] : [];
  return [...named, ...whole].some((each) => each !== undefined && isDeepEqual(value, each));
}

function isFull(value: Value): boolean {
  return (Array.isArray(value) || isValueMap(value)) && Object.keys(value).length > 0;
}

/** Roles other than the agent's, in the words of AG-UI and of the frameworks behind it. */
export const otherRoles: ReadonlySet<Value | undefined> = new Set(['user', 'human', 'system', 'developer']);

function findInOwnMessage(message: ValueMap, at: Path, { isText, findInResult }: RunInputMatcher): readonly Echo[] {
  const { role = message.type, content } = message;
  if (role === 'tool') return findInResult(message, [...at, 'content']);
  const isOurs = otherRoles.has(role) && typeof content === 'string' && isText(content);
  return isOurs ? [{ path: [...at, 'content'] }] : [];
}
