import type { Path } from '../../../format/model/path.ts';
import { findAt } from '../../../format/model/pointer.ts';
import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
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
  /** Whether a message is the result of a tool of ours. */
  isResult(message: ValueMap): boolean;
}

/** Shorter texts may be equal by chance. */
const telling = 8;
const deepest = 32;
const mostVisited = 10_000;

interface PartToVisit {
  readonly value: Value;
  readonly path: Path;
  /** The key under which the value stands. */
  readonly key?: string | undefined;
}

export function findRepeatedParts(root: Value, at: Path, ours: RunInputMatcher, key?: string): readonly Path[] {
  const paths: Path[] = [];
  const pending: PartToVisit[] = [{ value: root, path: at, key }];
  for (let visits = 0; visits < mostVisited; visits++) {
    const found = pending.pop();
    if (found === undefined) break;
    const { value, path } = found;
    if (isOwn(found, ours)) paths.push(path);
    else if (path.length - at.length < deepest) pending.push(...visitPart(value, path, ours, paths));
  }
  return paths;
}

/** The parts to look at next. The content of a message of ours is added to `paths` at once. */
function visitPart(value: Value, path: Path, ours: RunInputMatcher, paths: Path[]): readonly PartToVisit[] {
  if (Array.isArray(value))
    return value.slice(0, mostVisited).map((item: Value, index) => ({ value: item, path: [...path, index] }));
  if (!isValueMap(value)) return [];
  const says = isOwnMessage(value, ours);
  if (says) paths.push([...path, 'content']);
  return Object.entries(value)
    .filter(([key]) => !says || key !== 'content')
    .map(([key, item]) => ({ value: item, path: [...path, key], key }));
}

/** A patch writes to places of the state, so its values are compared with our values at those places. */
export function findRepeatedInPatch(patch: Value, at: Path, ours: RunInputMatcher): readonly Path[] {
  if (!Array.isArray(patch)) return [];
  return patch.slice(0, mostVisited).flatMap((operation: Value, index): readonly Path[] => {
    if (!isValueMap(operation) || operation.value === undefined) return [];
    const place = [...at, index, 'value'];
    const keys = parsePatchPointer(operation.path) ?? [];
    const before = [ours.input.state, ours.input].map((root) => findAt(root, keys));
    const isSame = before.some((each) => each !== undefined && isDeepEqual(each, operation.value as Value));
    return isSame ? [place] : findRepeatedParts(operation.value, place, ours, keys.at(-1));
  });
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

function isOwnMessage(message: ValueMap, { isText, isResult }: RunInputMatcher): boolean {
  const { role = message.type, content } = message;
  if (role === 'tool') return isResult(message);
  return otherRoles.has(role) && typeof content === 'string' && isText(content);
}
