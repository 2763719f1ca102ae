import { isUtf8 } from 'node:buffer';
import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import { partTexts, stateIn } from '../conversation/a2a-parts.ts';

/**
 * The texts of a message or a task for the user, in the agent's order, without messages of the history that were heard
 * before.
 */
export function textsOf(answer: Value, heard: ReadonlySet<Value | undefined>): readonly string[] {
  if (!isValueMap(answer)) return typeof answer === 'string' ? [answer] : [];
  const { artifacts, history, parts } = answer;
  const texts = [
    // When the state of a task changes, servers move its earlier status messages into the history.
    ...mapsIn(history).flatMap((message) =>
      !heard.has(message.messageId) && !isOurs(message) ? textsIn(message.parts) : [],
    ),
    ...textsIn(statusMessage(answer).parts),
    ...mapsIn(artifacts).flatMap(artifactTexts),
    ...textsIn(parts),
  ].filter((text) => text.trim() !== '');
  // A rejection without a reason has no text, so the state is used.
  return texts.length === 0 && stateIn(answer) === 'rejected' ? ['rejected'] : texts;
}

/** The answer without our own messages, which servers keep in the history of a task. */
export function withoutOurs(answer: Value): Value {
  if (!isValueMap(answer) || !Array.isArray(answer.history)) return answer;
  return { ...answer, history: mapsIn(answer.history).filter((message) => !isOurs(message)) };
}

function isOurs({ role }: ValueMap): boolean {
  return /user/i.test(String(role));
}

/** The ids of the messages in an answer. */
export function messageIdsIn(answer: Value): readonly Value[] {
  if (!isValueMap(answer)) return [];
  return [answer, statusMessage(answer), ...mapsIn(answer.history)].flatMap(
    ({ messageId }) => messageId ?? [],
  );
}

const longestReason = 200;
const open: ReadonlySet<Value | undefined> = new Set(['submitted', 'working']);
/** A rejected task is an answer. */
const done: ReadonlySet<Value | undefined> = new Set(['completed', 'input-required', 'rejected']);
const failures: ReadonlyMap<Value | undefined, string> = new Map([
  ['failed', 'its task failed'],
  ['canceled', 'its task was canceled'],
  ['auth-required', 'its task waits for a login'],
]);

/** Whether the task is still open, so that more may come. */
export function isOpen(answer: Value): boolean {
  return open.has(stateIn(answer));
}

/** Why an answer does not count as one, with the agent's own text about it. */
export function failureIn(answer: Value): string | undefined {
  if (!isValueMap(answer)) return 'its answer is neither a message nor a task';
  if (answer.status === undefined)
    return answer.parts === undefined ? 'its answer is neither a message nor a task' : undefined;
  const state = stateIn(answer);
  if (done.has(state)) return undefined;
  const failure =
    failures.get(state) ??
    `its task is ${JSON.stringify(state) ?? 'in no state'}, which is not a final state of A2A 0.3`;
  const words = textsIn(statusMessage(answer).parts).join(' ').replace(/\s+/g, ' ').trim();
  return words === '' ? failure : `${failure}: ${words.slice(0, longestReason)}`;
}

function statusMessage({ status }: ValueMap): ValueMap {
  return isValueMap(status) && isValueMap(status.message) ? status.message : {};
}

function artifactTexts({ name, description, parts }: ValueMap): readonly string[] {
  const title = [name, description].filter((text) => typeof text === 'string' && text !== '').join(': ');
  return [title, ...textsIn(parts)];
}

function textsIn(parts: Value | undefined): readonly string[] {
  return Array.isArray(parts) ? (parts as readonly Value[]).flatMap(partText) : partTexts(parts);
}

function partText(part: Value): readonly string[] {
  const file = isValueMap(part) && isValueMap(part.file) ? part.file : undefined;
  const text = file === undefined ? undefined : textOfFile(file);
  if (file === undefined || text === undefined) return partTexts([part]);
  return [...(typeof file.name === 'string' ? [file.name] : []), text];
}

/** The text of an attached file, if it is text. */
function textOfFile({ bytes }: ValueMap): string | undefined {
  if (typeof bytes !== 'string') return undefined;
  const content = Buffer.from(bytes, 'base64');
  return content.length > 0 && isUtf8(content) && !content.includes(0) ? content.toString('utf8') : undefined;
}

function mapsIn(list: Value | undefined): readonly ValueMap[] {
  return Array.isArray(list) ? (list as readonly Value[]).filter(isValueMap) : [];
}
