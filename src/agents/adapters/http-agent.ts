import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { AgentRefused, AgentUnreachable, type FailureContent } from '../../attack/transport/http-failure.ts';
import { readJson } from '../../attack/transport/json-text.ts';
import { readLoosely } from '../../attack/transport/loose/read-loosely.ts';
import { compileJsonPaths } from '../../format/expression/json-path.ts';
import { isBlank } from '../../format/model/escape-invisible.ts';
import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import type { AgentUnderTest } from './agent-under-test.ts';
import { toChatCompletions } from './conversation/chat-message.ts';
import { chainLookups, fillValue, findPlaceholders, type Lookup } from './placeholders.ts';
import { type AgentTurn, type CarriedInput, createPromptAgent, type TurnAnswer } from './prompt-agent.ts';
import { askOverHttp, type TargetHttpAnswer } from './served/http-exchange.ts';
import { fillAt } from './served/known-placeholders.ts';
import { fillHeaders } from './served/request-headers.ts';
import { type HostVisit, TargetHost } from './served/target-host.ts';
import type { HttpTarget, TargetContext } from './targets.ts';
import { listLackingKinds } from './turn-omissions.ts';

export { checkHttpTarget, findHttpProblems } from './served/served-target-problems.ts';

const usualBody: ValueMap = { prompt: '{{prompt}}' };

/** A server with its own JSON endpoint: each turn is a request, and the answer is a value of the response. */
export function httpAgent(name: string, target: HttpTarget, context: TargetContext): AgentUnderTest {
  const { http: url, answer } = target;
  const body = (target.body ?? usualBody) as Value;
  const host = new TargetHost({ target: { ...target, body }, url, context });
  const path = answer === undefined ? undefined : compileAnswerPath(answer);
  return {
    ...host.describe(name, 'http'),
    speaks: ['ag_ui'],
    lacks: listLackingKinds(findCarriedParts(body)),
    launch: (briefing) =>
      host.launch(briefing, (visit) => {
        checkFilled(target, body, visit.lookup);
        const { peer, missed } = createPromptAgent({
          carries: () => findCarriedParts(body),
          remembers: canRemember(target, body),
          say: (turn) => say(turn, visit),
        });
        return { addresses: { ag_ui: peer }, missed };
      }),
  };

  async function say(turn: AgentTurn, { lookup, secrets, explained }: HostVisit): Promise<TurnAnswer> {
    const filling = chainLookups(createTurnLookup(turn), lookup);
    const outcome = await askOverHttp({
      method: target.method ?? 'POST',
      url,
      headers: fillHeaders(target.headers, filling),
      body: fillValue(body, filling),
      signal: turn.signal,
      secrets,
    });
    if (outcome.ok) return readHttpAnswer(outcome, path);
    if (outcome.why === 'refused')
      throw new AgentRefused(outcome.reason, outcome.answer.status, readRefusal(outcome.answer, path, outcome.unread));
    const reason = outcome.why === 'broken' ? await explained(outcome.reason) : outcome.reason;
    throw outcome.isAbsent ? new AgentUnreachable(reason) : new Error(reason);
  }
}

function compileAnswerPath(source: string): HttpAnswerPath {
  const find = compileJsonPaths(source);
  if ('failure' in find) throw new Error(`answer: ${find.failure}`);
  return { find, source };
}

/** How much of a run input the body has placeholders for. */
function findCarriedParts(body: Value): CarriedInput {
  const open = findPlaceholders(body);
  return open.includes('input') ? 'input' : open.includes('messages') ? 'messages' : 'prompt';
}

/** An endpoint that receives the id of the conversation, or all of it, can know the earlier turns. */
function canRemember({ headers = {} }: HttpTarget, body: Value): boolean {
  const open = findPlaceholders([body, headers]);
  return ['thread', 'messages', 'input'].some((name) => open.includes(name));
}

function createTurnLookup(turn: AgentTurn): Lookup {
  return (name) => {
    switch (name) {
      case 'prompt':
        return turn.prompt;
      case 'messages':
        return toChatCompletions(addApplication(turn));
      case 'input':
        return turn.input;
      case 'thread':
        return turn.thread;
      default:
        return undefined;
    }
  };
}

/** The text that the application passes on comes before the user's words, as in the prompt. */
function addApplication({ messages, application }: AgentTurn): AgentTurn['messages'] {
  if (application === '') return messages;
  const last = messages.at(-1);
  return last?.role === 'user'
    ? [...messages.slice(0, -1), { ...last, content: `${application}\n\n${last.content}` }]
    : [...messages, { role: 'user', content: application }];
}

/** Checks placeholders that no turn can fill, before the first turn. */
function checkFilled({ headers }: HttpTarget, body: Value, lookup: Lookup): void {
  const later = chainLookups(lookup, (name) => (turnNames.has(name) ? '' : undefined));
  fillHeaders(headers, later);
  fillAt('body', body, later, () => fillValue(body, later));
}

const turnNames = new Set(['prompt', 'messages', 'input', 'thread']);

type Find = Exclude<ReturnType<typeof compileJsonPaths>, { readonly failure: string }>;

/** The path of the text in an answer, and its source in the target. */
interface HttpAnswerPath {
  readonly find: Find;
  readonly source: string;
}

const maxDepth = 512;
/** The most bytes of an answer that came with a failure, after decompression. */
const mostRefusalBytes = 16 * 1024 * 1024;
const longestError = 200;
const unanswered = new Set([202, 204, 205]);
/** The charsets that we read: UTF-8 and its subsets. */
const charsets = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);
/** Text types that hold no plain answer: web pages and event streams. */
const unreadable = new Set(['text/html', 'text/event-stream']);

/** The text of an answer, with a failure if it reports an error. Throws the reason if it has none. */
function readHttpAnswer(answer: TargetHttpAnswer, path: HttpAnswerPath | undefined): TurnAnswer {
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

/** The text of an answer that came with a failure: at the path, and all of it, in whatever form. */
function readRefusal(
  { type, encoding, body }: TargetHttpAnswer,
  path: HttpAnswerPath | undefined,
  missing: string | undefined,
): FailureContent {
  const form = { depth: maxDepth, most: mostRefusalBytes, contentType: type, contentEncoding: encoding };
  const { values, unread = missing } = readLoosely(body, form);
  const found = path === undefined ? [] : values.flatMap((value) => path.find(value));
  const messageId = randomUUID();
  const texts = new Set([found.map(toAnswerText).join('\n'), ...values.map(toAnswerText)]);
  return {
    events: [...texts]
      .filter((text) => !isBlank(text))
      .map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta })),
    ...(unread !== undefined && { unread: { bytes: body, reason: unread } }),
  };
}

/** The error in a body, because many servers report a failure with a success status. */
function findBodyError({ body }: TargetHttpAnswer): string | undefined {
  const read = readJson(body, maxDepth);
  if (!read.ok || !isValueMap(read.value)) return undefined;
  const { error, errors, success, ok, status } = read.value;
  const reported = [error, errors].find((each) => isErrorReported(each));
  if (reported !== undefined) return toAnswerText(reported).slice(0, longestError);
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
