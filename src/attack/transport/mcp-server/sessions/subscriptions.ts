import { isValueMap, type Value } from '../../../../format/model/value.ts';
import {
  addMeta,
  inAnyResult,
  mcp2026,
  metaKey,
  questionMethods,
  subscriptionKeys,
  withinResponse,
} from '../../../../format/registry/mcp-2026.ts';
import { frameNotification } from '../../json-rpc-frames.ts';
import type { OutgoingText, OwnMessage } from './peer-session.ts';

/** A stream that a client has opened for notifications. */
export interface Subscription {
  /** The id of the request that opened it. */
  readonly id: Value;
  /** The notifications that the client wants. */
  readonly wanted: Value;
  send(message: OutgoingText): void;
}

/** Reports a message that no stream takes. */
export type UnsentReport = (message: string) => void;

/**
 * Messages to a client since 2026-07-28 that belong to none of its requests: notifications go to the streams that asked
 * for them, questions into the answer to its next call. Until there is one they wait.
 */
export class Subscriptions {
  readonly #open = new Set<Subscription>();
  readonly #most: number;
  readonly #tell: UnsentReport;
  #waiting: OutgoingText[] = [];
  #isSettled = false;

  constructor(most: number, tell: UnsentReport) {
    this.#most = most;
    this.#tell = tell;
  }

  deliver(message: OutgoingText): void {
    const takers = message.own === undefined ? [] : [...this.#open].filter((each) => isWantedBy(each, message.own));
    takers.forEach((taker, index) => {
      taker.send(
        index === 0 ? addSubscriptionId(message, taker) : { ...addSubscriptionId(message, taker), written: () => {} },
      );
    });
    if (takers.length > 0) return;
    if (this.#waiting.length < this.#most) this.#waiting.push(message);
    if (this.#isSettled) this.#tellOf(message);
  }

  /** Called when the client has shown that it speaks this era; the waiting messages are reported. */
  settle(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    for (const message of this.#waiting) this.#tellOf(message);
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  open(subscription: Subscription): void {
    this.#open.add(subscription);
    for (const message of this.#take((each) => isWantedBy(subscription, each))) this.deliver(message);
  }

  close(id: Value): void {
    for (const subscription of this.#open) if (subscription.id === id) this.#open.delete(subscription);
  }

  /**
   * Takes the questions that wait for a call. If the call may not be answered with questions, it takes only those that
   * the document wants in any result.
   */
  takeQuestions(isAllowed: boolean): readonly OutgoingText[] {
    return this.#take((own) => isQuestion(own) && (isAllowed || own?.manner === inAnyResult));
  }

  /** Takes the messages that the document wants on the stream of a response that they do not belong to. */
  takeForResponse(): readonly OutgoingText[] {
    return this.#take(isForResponse);
  }

  /** Takes the log messages that wait for a request that wants them. */
  takeLogs(): readonly OutgoingText[] {
    return this.#take(isLog);
  }

  takeAll(): readonly OutgoingText[] {
    return this.#take(() => true);
  }

  end(): void {
    this.#waiting = [];
    this.#open.clear();
  }

  #take(isMeant: (message: OwnMessage | undefined) => boolean): readonly OutgoingText[] {
    if (this.#waiting.length === 0) return [];
    const taken = this.#waiting.filter(({ own }) => isMeant(own));
    this.#waiting = this.#waiting.filter(({ own }) => !isMeant(own));
    return taken;
  }

  #tellOf({ own }: OutgoingText): void {
    if (own === undefined) return;
    const { method } = own;
    const why = isForResponse(own)
      ? 'is there; it goes out with the next response'
      : subscriptionKeys.has(method)
        ? 'has asked to hear of it; it goes out if one is opened that does'
        : isQuestion(own)
          ? 'is there to ask it in; it goes out with the next call'
          : isLog(own)
            ? 'wants to hear it; it goes out with the next request that does'
            : 'can carry it';
    this.#tell(`${method} is not sent: in MCP ${mcp2026} it needs a stream of the client’s, and none ${why}`);
  }
}

function isWantedBy({ wanted }: Subscription, own: OwnMessage | undefined): boolean {
  if (own?.manner !== undefined) return false;
  const key = own === undefined || own.ask !== undefined ? undefined : subscriptionKeys.get(own.method);
  const asked = key !== undefined && isValueMap(wanted) ? wanted[key] : undefined;
  if (!Array.isArray(asked)) return asked === true;
  const params = isValueMap(own?.params) ? own.params : {};
  const subject = params.uri ?? params.taskId;
  return asked.some((each) => each === subject);
}

function isQuestion(own: OwnMessage | undefined): boolean {
  return own?.ask !== undefined && own.manner !== withinResponse && questionMethods.has(own.method);
}

function isForResponse(own: OwnMessage | undefined): boolean {
  return own?.manner === withinResponse;
}

function isLog(own: OwnMessage | undefined): boolean {
  return own?.method === 'notifications/message' && own.manner === undefined;
}

function addSubscriptionId(message: OutgoingText, { id }: Subscription): OutgoingText {
  const { own } = message;
  if (own === undefined) return message;
  return { ...message, text: frameNotification(own.method, tagSubscription(own.params, id)) };
}

/** Adds the id of the stream to the params. */
export function tagSubscription(params: Value | undefined, id: Value): Value {
  return addMeta(params, { [metaKey.subscriptionId]: id });
}
