import { isDeepStrictEqual } from 'node:util';
import { getOwnValue, isValueMap, type Value, type ValueMap } from '../../../../format/model/value.ts';
import type { Answer } from '../../../engine/actor-messages.ts';
import type { Answered } from '../../../engine/ports.ts';
import { frameAnswer } from '../../json-rpc-frames.ts';
import type { OwnMessage, PeerExchange, PeerSession, SessionReply } from './peer-session.ts';

/** A request that came in. */
export interface IncomingCall {
  readonly method: string;
  readonly id: Value;
  readonly params: Value | undefined;
}

/** A call that was answered with questions. */
export interface QuestionRound {
  readonly session: PeerSession;
  readonly call: IncomingCall;
  readonly asked: readonly OwnMessage[];
  /** The exchange of the call, if the actor already has it. */
  readonly exchange?: PeerExchange | undefined;
  /** How often the call was repeated without all the answers. */
  readonly rounds: number;
  /** The actor's answer, if it stopped waiting for the repetition. */
  held?: { readonly answer: Answer; readonly sent: Answered };
}

/** The official clients repeat a call ten times. */
const mostRounds = 10;
const mostOpen = 1_000;

/**
 * Since 2026-07-28 a server asks within the result of a call, and the client repeats the call with the answers. The
 * actor sees an ordinary question, and the repetition continues the call that it repeats.
 */
export class QuestionRounds {
  readonly #open = new Map<string, QuestionRound>();

  /** Answers a call with questions. */
  ask(reply: SessionReply, id: Value, questioned: QuestionRound, written: Answered): void {
    const requestState = crypto.randomUUID();
    this.#open.set(requestState, questioned);
    const [oldest] = this.#open.keys();
    if (this.#open.size > mostOpen && oldest !== undefined) this.#open.delete(oldest);
    const result = {
      resultType: 'input_required',
      inputRequests: createInputRequests(questioned),
      requestState,
    };
    reply.answer(frameAnswer(id, { kind: 'result', result }), written);
  }

  /** Finds the call that a request repeats, if any. With other arguments it is a new call. */
  repeatedBy(call: IncomingCall): QuestionRound | undefined {
    const params = isValueMap(call.params) ? call.params : {};
    for (const [state, questioned] of this.#open) {
      const { asked } = questioned;
      // A repetition that has lost its state may still bring answers; one with another state belongs to another call.
      const isNamed =
        params.requestState === undefined
          ? asked.some(({ ask }) => readAnswerTo(ask, params) !== undefined)
          : params.requestState === state;
      if (!isNamed || !isDeepStrictEqual(dropRepetitionFields(call), dropRepetitionFields(questioned.call))) continue;
      this.#open.delete(state);
      return questioned;
    }
    return undefined;
  }

  /** Keeps the answer to a call that waits for its repetition. */
  hold(exchange: PeerExchange, answer: Answer, sent: Answered): boolean {
    for (const questioned of this.#open.values())
      if (questioned.exchange === exchange) {
        questioned.held = { answer, sent };
        return true;
      }
    return false;
  }

  end(): void {
    this.#open.clear();
  }
}

/** Tells whether a call has been repeated without its answers too often. */
export function isTiring({ rounds }: QuestionRound): boolean {
  return rounds + 1 >= mostRounds;
}

/** The answers that a repetition brings, and those that were not asked for. */
export function readRoundAnswers(
  { params }: IncomingCall,
  { asked }: QuestionRound,
): { readonly given: readonly (readonly [ask: string, answer: Value])[]; readonly others: readonly Value[] } {
  const map = isValueMap(params) ? params : {};
  const given = asked.flatMap(({ ask }) => {
    const answer = readAnswerTo(ask, map);
    return ask === undefined || answer === undefined ? [] : [[ask, answer] as const];
  });
  const responses = isValueMap(map.inputResponses) ? map.inputResponses : {};
  const others = Object.entries(responses)
    .filter(([key]) => asked.every(({ ask }) => ask !== key))
    .map(([, value]) => value);
  return { given, others };
}

function readAnswerTo(ask: string | undefined, { inputResponses }: ValueMap): Value | undefined {
  return ask !== undefined && isValueMap(inputResponses) ? getOwnValue(inputResponses, ask) : undefined;
}

function createInputRequests({ asked }: QuestionRound): ValueMap {
  return Object.fromEntries(
    asked.flatMap(({ ask, method, params }): [string, Value][] =>
      ask === undefined ? [] : [[ask, params === undefined ? { method } : { method, params }]],
    ),
  );
}

/** A call without the fields that a repetition adds, and without its metadata. */
function dropRepetitionFields({ method, params }: IncomingCall): unknown {
  if (!isValueMap(params)) return [method, params];
  const { inputResponses: _, requestState: _state, _meta, ...rest } = params;
  return [method, rest];
}
