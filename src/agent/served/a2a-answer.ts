import { isUtf8 } from 'node:buffer';
import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import { partTexts, stateIn } from '../conversation/a2a-parts.ts';

/**
 * What an agent says to its user with a message or a task, in its order, without the messages of its history that were
 * heard before.
 */
export function textsOf(answer: Value, heard: ReadonlySet<Value | undefined>): readonly string[] {
  if (!isValueMap(answer)) return typeof answer === 'string' ? [answer] : [];
  const { artifacts, history, parts } = answer;
  const texts = [
    // Servers move what a task has said on its way there when its state changes.
    ...mapsIn(history).flatMap((message) =>
      !heard.has(message.messageId) && !isOurs(message) ? textsIn(message.parts) : [],
    ),
    ...textsIn(statusMessage(answer).parts),
    ...mapsIn(artifacts).flatMap(artifactTexts),
    ...textsIn(parts),
  ].filter((text) => text.trim() !== '');
  // Without a reason the state is all that it said.
  return texts.length === 0 && stateIn(answer) === 'rejected' ? ['rejected'] : texts;
}

/** The answer without what we said, which servers keep in the history of a task. */
export function withoutOurs(answer: Value): Value {
  if (!isValueMap(answer) || !Array.isArray(answer.history)) return answer;
  return { ...answer, history: mapsIn(answer.history).filter((message) => !isOurs(message)) };
}

function isOurs({ role }: ValueMap): boolean {
  return /user/i.test(String(role));
}

/** The messages that an answer holds, by their ids. */
export function messageIdsIn(answer: Value): readonly Value[] {
  if (!isValueMap(answer)) return [];
  return [answer, statusMessage(answer), ...mapsIn(answer.history)].flatMap(
    ({ messageId }) => messageId ?? [],
  );
}

const longestReason = 200;
const open: ReadonlySet<Value | undefined> = new Set(['submitted', 'working']);
/** Who rejects a task has answered. */
const done: ReadonlySet<Value | undefined> = new Set(['completed', 'input-required', 'rejected']);
const failures: ReadonlyMap<Value | undefined, string> = new Map([
  ['failed', 'its task failed'],
  ['canceled', 'its task was canceled'],
  ['auth-required', 'its task waits for somebody to log in'],
]);

/** Whether more is to come of it. */
export function isOpen(answer: Value): boolean {
  return open.has(stateIn(answer));
}

/** Why an answer is none, with what the agent itself says of it. */
export function failureIn(answer: Value): string | undefined {
  if (!isValueMap(answer)) return 'its answer is neither a message nor a task';
  if (answer.status === undefined)
    return answer.parts === undefined ? 'its answer is neither a message nor a task' : undefined;
  const state = stateIn(answer);
  if (done.has(state)) return undefined;
  const failure =
    failures.get(state) ??
    `its task is ${JSON.stringify(state) ?? 'in no state'}, which A2A 0.3 has for no end`;
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

/** A file that came along, where it is a text. */
function textOfFile({ bytes }: ValueMap): string | undefined {
  if (typeof bytes !== 'string') return undefined;
  const content = Buffer.from(bytes, 'base64');
  return content.length > 0 && isUtf8(content) && !content.includes(0) ? content.toString('utf8') : undefined;
}

function mapsIn(list: Value | undefined): readonly ValueMap[] {
  return Array.isArray(list) ? (list as readonly Value[]).filter(isValueMap) : [];
}
