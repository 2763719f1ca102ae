import { isValueMap, type Value } from '../../../../format/model/value.ts';
import { mcp2026, metaKey, questionableMethods, readRequestMeta } from '../../../../format/registry/mcp-2026.ts';
import { frameAnswer, frameError } from '../../json-rpc-frames.ts';
import type { PeerSession, SessionReply } from './peer-session.ts';
import type { McpPeers } from './peers.ts';
import { type IncomingCall, isTiring, type QuestionRound, readRoundAnswers } from './question-rounds.ts';
import { findMissingMetadata } from './request-metadata.ts';

// Hands a request since 2026-07-28 to the actor.

const invalidParams = -32602;
const era = mcp2026;

export interface NotedCall extends IncomingCall {
  readonly noted?: string | undefined;
  readonly repeated?: { readonly [name: string]: string } | undefined;
}

/** Hands a request on, or continues the one that it repeats. */
export function takeRequest(call: NotedCall, session: PeerSession, reply: SessionReply, peers: McpPeers): void {
  const missing = findMissingMetadata(call.params);
  if (missing !== undefined) {
    const message = {
      kind: 'request',
      method: call.method,
      id: call.id,
      content: call.params ?? {},
      era,
    } as const;
    peers.receive({ kind: 'refused', session: session.id, message, reason: missing });
    reply.answer(frameError(call.id, invalidParams, missing), () => {});
    return;
  }
  if (call.method !== 'server/discover') settleRequest(session, peers);
  const repeated = peers.questions.repeatedBy(call);
  if (repeated !== undefined) goOn(repeated, call, reply, peers);
  else if (!askBeforeCall(call, session, reply, peers)) openExchange(call, session, reply, peers);
}

/** The client has shown that it speaks this era: it gets a session for the record, and its waiting messages. */
function settleRequest(session: PeerSession, peers: McpPeers): void {
  if (peers.session(session.id) === undefined) peers.beginSession(session);
  session.subscriptions?.settle();
}

function openExchange(call: NotedCall, session: PeerSession, reply: SessionReply, peers: McpPeers): void {
  const { method, id, params, noted, repeated } = call;
  const { key } = peers.openExchange(session, id, reply, { method, id, params });
  if (readRequestMeta(params)[metaKey.logLevel] !== undefined && reply.canStream)
    for (const log of session.subscriptions?.takeLogs() ?? []) reply.send(log);
  if (reply.canStream) for (const message of session.subscriptions?.takeForResponse() ?? []) reply.send(message);
  const beside = { ...(noted !== undefined && { noted }), ...(repeated !== undefined && { repeated }) };
  const taken = { method, id, params, era, ...beside };
  peers.receive({ kind: 'request', session: session.id, exchange: key, ...taken });
}

/** Requests that cannot be answered with questions: discovery comes first, and a subscription is answered with a stream. */
const unaskable: ReadonlySet<string> = new Set(['server/discover', 'subscriptions/listen']);

/** Asks the questions of an entry action before the call that carries them is handled. */
function askBeforeCall(call: NotedCall, session: PeerSession, reply: SessionReply, peers: McpPeers): boolean {
  if (unaskable.has(call.method)) return false;
  const questions = session.subscriptions?.takeQuestions(questionableMethods.has(call.method)) ?? [];
  if (questions.length === 0) return false;
  const asked = questions.flatMap(({ own }) => (own === undefined ? [] : [own]));
  peers.questions.ask(reply, call.id, { session, call, asked, rounds: 0 }, () => {
    for (const { written } of questions) written();
  });
  return true;
}

/** Continues a call that is repeated with answers. Missing answers are asked for again, up to a limit. */
function goOn(questioned: QuestionRound, repetition: NotedCall, reply: SessionReply, peers: McpPeers): void {
  const { session, call, asked, exchange, rounds, held } = questioned;
  const { given, others } = readRoundAnswers(repetition, questioned);
  for (const content of others) refuseAnswer(content, session, peers);
  const missing = asked.filter(({ ask }) => given.every(([key]) => key !== ask));
  const isOver = missing.length === 0;
  if (isOver && exchange !== undefined) {
    exchange.id = repetition.id;
    exchange.reply = reply;
  }
  for (const [ask, result] of given)
    peers.receive({ kind: 'answer', session: session.id, ask, answer: { kind: 'result', result }, era });
  if (!isOver) {
    const rest = { ...questioned, asked: missing, rounds: rounds + 1 };
    if (isTiring(questioned))
      reply.answer(frameError(repetition.id, invalidParams, 'inputResponses are missing'), () => {});
    else peers.questions.ask(reply, repetition.id, rest, () => {});
  } else if (held !== undefined) reply.answer(frameAnswer(repetition.id, held.answer), held.sent, held.answer);
  else if (exchange === undefined) openExchange({ ...repetition, params: call.params }, session, reply, peers);
}

function refuseAnswer(content: Value, session: PeerSession, peers: McpPeers): void {
  const value = isValueMap(content) ? content : { value: content };
  const message = { kind: 'response', content: value, era } as const;
  peers.receive({
    kind: 'refused',
    session: session.id,
    message,
    reason: 'an answer to no question of ours',
  });
}
