import { isUtf8 } from 'node:buffer';
import { readJson } from '../../../attack/transport/json-text.ts';
import type { compileJsonPaths } from '../../../format/expression/json-path.ts';
import { isValueMap, type Value } from '../../../format/model/value.ts';
import { isBlank } from '../../../format/primitives/is-blank.ts';
import type { TurnAnswer } from '../prompt-voice.ts';
import type { TargetHttpAnswer } from './http-exchange.ts';

type Find = Exclude<ReturnType<typeof compileJsonPaths>, { readonly failure: string }>;

/** The path of the text in an answer, and its source in the target. */
export interface HttpAnswerPath {
  readonly find: Find;
  readonly source: string;
}

const maxDepth = 512;
const longestError = 200;
const unanswered = new Set([202, 204, 205]);
/** The charsets that we read: UTF-8 and its subsets. */
const charsets = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);
/** Text types that hold no plain answer: web pages and event streams. */
const unreadable = new Set(['text/html', 'text/event-stream']);

/** The text of an answer, with a failure if it reports an error. Throws the reason if it has none. */
export function readHttpAnswer(answer: TargetHttpAnswer, path: HttpAnswerPath | undefined): TurnAnswer {
  const { status, encoding } = answer;
  if (unanswered.has(status))
    throw new Error(`it answered HTTP ${status}: it accepted the request and has not answered`);
  if (encoding !== 'identity')
    throw new Error(`its answer is encoded (content-encoding: ${encoding}), which was not asked for`);
  const error = findBodyError(answer);
  return {
    text: path === undefined ? readPlainAnswer(answer) : readAnswerAtPath(answer, path),
    ...(error !== undefined && { failure: `it answered with an error: ${error}` }),
  };
}

/** The error in a body, because many servers report a failure with a success status. */
function findBodyError({ body }: TargetHttpAnswer): string | undefined {
  const read = readJson(body, maxDepth);
  if (!read.ok || !isValueMap(read.value)) return undefined;
  const { error, errors, success, ok, status } = read.value;
  const told = [error, errors].find((each) => isErrorReported(each));
  if (told !== undefined) return toAnswerText(told).slice(0, longestError);
  const hasFailed = success === false || ok === false || failures.has(String(status).toLowerCase());
  return hasFailed ? toAnswerText(read.value).slice(0, longestError) : undefined;
}

/** Values of `status` by which a server says that it failed. */
const failures = new Set(['error', 'failed', 'failure']);

function isErrorReported(error: Value | undefined): boolean {
  return error !== undefined && error !== false && !isNothing(toAnswerText(error).trim());
}

function readPlainAnswer({ type, body }: TargetHttpAnswer): string {
  const [media = '', ...parameters] = type.split(';').map((part) => part.trim().toLowerCase());
  if (!isReadable(media))
    throw new Error(
      `it answered with ${media}, which is neither plain text nor JSON; \`answer\` says where in JSON its words are`,
    );
  const charset = parameters.map((part) => /^charset="?([^"]*)"?$/.exec(part)?.[1]).find(Boolean);
  if (charset !== undefined && !charsets.has(charset))
    throw new Error(`it answered in the charset ${charset}, and only utf-8 is read`);
  if (!isUtf8(body)) throw new Error('its answer is not valid UTF-8');
  const text = body.toString('utf8');
  if (isNothing(text.trim())) throw new Error(`it answered with nothing${appendDetail(text.trim())}`);
  return text;
}

/** Whether the media type is readable; a missing type counts as readable. */
function isReadable(media: string): boolean {
  if (media === '' || media === 'application/json' || media.endsWith('+json')) return true;
  return media.startsWith('text/') && !unreadable.has(media);
}

/** Joins all values at the path, because an answer may come in several pieces. */
function readAnswerAtPath({ type, body }: TargetHttpAnswer, { find, source }: HttpAnswerPath): string {
  const read = readJson(body, maxDepth);
  if (!read.ok) throw new Error(`its answer (${type || 'no content type'}) is ${read.reason}`);
  const found = find(read.value);
  if (found.length === 0) throw new Error(`its answer has nothing at ${source}`);
  const texts = found.map(toAnswerText).filter((text) => !isNothing(text.trim()));
  if (texts.length === 0) throw new Error(`what its answer has at ${source} is empty`);
  return texts.join('\n');
}

function toAnswerText(value: Value): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const nothings = new Set(['null', '""', '{}', '[]']);

function isNothing(text: string): boolean {
  return isBlank(text) || nothings.has(text);
}

function appendDetail(text: string): string {
  return text === '' ? '' : `: ${text}`;
}
