import { isUtf8 } from 'node:buffer';
import { isValueMap, toMaps, type Value, type ValueMap } from '../../../format/model/value.ts';
import { readPartTexts, readTaskState } from '../conversation/a2a-parts.ts';

/**
 * The texts of a message or a task for the user, in the agent's order, without messages of the history that were
 * received before.
 */
export function collectAnswerTexts(answer: Value, heard: ReadonlySet<Value | undefined>): readonly string[] {
  if (!isValueMap(answer)) return typeof answer === 'string' ? [answer] : [];
  const { artifacts, history, parts } = answer;
  const texts = [
    // When the state of a task changes, servers move its earlier status messages into the history.
    ...toMaps(history).flatMap((message) =>
      !heard.has(message.messageId) && !isOurs(message) ? collectPartTexts(message.parts) : [],
    ),
    ...collectPartTexts(readStatusMessage(answer).parts),
    ...toMaps(artifacts).flatMap(readArtifactTexts),
    ...collectPartTexts(parts),
  ].filter((text) => text.trim() !== '');
  // A rejection without a reason has no text, so the state is used.
  return texts.length === 0 && readTaskState(answer) === 'rejected' ? ['rejected'] : texts;
}

/** The answer without our own messages, which servers keep in the history of a task. */
export function dropOwnMessages(answer: Value): Value {
  if (!isValueMap(answer) || !Array.isArray(answer.history)) return answer;
  return { ...answer, history: toMaps(answer.history).filter((message) => !isOurs(message)) };
}

function isOurs({ role }: ValueMap): boolean {
  return /user/i.test(String(role));
}

/** The ids of the messages in an answer. */
export function listMessageIds(answer: Value): readonly Value[] {
  if (!isValueMap(answer)) return [];
  return [answer, readStatusMessage(answer), ...toMaps(answer.history)].flatMap(({ messageId }) => messageId ?? []);
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
export function isTaskOpen(answer: Value): boolean {
  return open.has(readTaskState(answer));
}

/** Why an answer does not count as one, with the agent's own text about it. */
export function findAnswerFailure(answer: Value): string | undefined {
  if (!isValueMap(answer)) return 'its answer is neither a message nor a task';
  if (answer.status === undefined)
    return answer.parts === undefined ? 'its answer is neither a message nor a task' : undefined;
  const state = readTaskState(answer);
  if (done.has(state)) return undefined;
  const failure =
    failures.get(state) ??
    `its task is ${JSON.stringify(state) ?? 'in no state'}, which is not a final state of A2A 0.3`;
  const words = collectPartTexts(readStatusMessage(answer).parts).join(' ').replace(/\s+/g, ' ').trim();
  return words === '' ? failure : `${failure}: ${words.slice(0, longestReason)}`;
}

function readStatusMessage({ status }: ValueMap): ValueMap {
  return isValueMap(status) && isValueMap(status.message) ? status.message : {};
}

function readArtifactTexts({ name, description, parts }: ValueMap): readonly string[] {
  const title = [name, description].filter((text) => typeof text === 'string' && text !== '').join(': ');
  return [title, ...collectPartTexts(parts)];
}

function collectPartTexts(parts: Value | undefined): readonly string[] {
  return Array.isArray(parts) ? (parts as readonly Value[]).flatMap(readPartText) : readPartTexts(parts);
}

function readPartText(part: Value): readonly string[] {
  const file = isValueMap(part) && isValueMap(part.file) ? part.file : undefined;
  const text = file === undefined ? undefined : decodeFileText(file);
  if (file === undefined || text === undefined) return readPartTexts([part]);
  return [...(typeof file.name === 'string' ? [file.name] : []), text];
}

/** The text of an attached file, if it is text. */
function decodeFileText({ bytes }: ValueMap): string | undefined {
  if (typeof bytes !== 'string') return undefined;
  const content = Buffer.from(bytes, 'base64');
  return content.length > 0 && isUtf8(content) && !content.includes(0) ? content.toString('utf8') : undefined;
}
