import type { ServerResponse } from 'node:http';
import type { AppliedWireRule } from '../../../format/model/applied-wire-rule.ts';
import type { Answered } from '../../engine/ports.ts';
import { holdsGenerated, writeExpanded } from '../expand-generated.ts';
import type { Limits } from '../http-server/http-server-options.ts';
import { callWhenFlushed, isGone, noteAnswer, sendTogether } from '../http-server/response.ts';
import { reportUnapplied } from '../wire/unapplied-actions.ts';
import { writeEvent } from '../wire/write-response.ts';
import type { Channel } from './sessions/channel-session.ts';
import type { OutgoingText } from './sessions/peer-session.ts';

interface SentEvent {
  readonly number: number;
  readonly text: string;
  readonly isAnswer: boolean;
  written: Answered | undefined;
}

/**
 * A stream of server-sent events. It outlives the connection that carries it: events that were sent without a
 * connection, or lost with one, go out when the peer comes back for them.
 */
export class EventStream implements Channel {
  /** Undefined for a stream that cannot be resumed. */
  readonly number: number | undefined;
  readonly #limits: Limits;
  #carrier: ServerResponse | undefined;
  /** Events that have not gone out yet, and before them those that are kept for resumption. */
  readonly #events: SentEvent[] = [];
  #bytes = 0;
  #lastSent = 0;
  #lastWritten = 0;
  #isFinished = false;
  /** The response to which a large event is being written. */
  #busy: ServerResponse | undefined;

  constructor(number: number | undefined, limits: Limits) {
    this.number = number;
    this.#limits = limits;
  }

  get isAttached(): boolean {
    return this.#carrier !== undefined && !this.#carrier.writableEnded && !isGone(this.#carrier);
  }

  /** Whether so many events wait for the peer that it should send no more requests. */
  get isBehind(): boolean {
    const unread = this.#events.filter(({ number }) => number > this.#lastWritten);
    const { waitingPerSession, replayBytes } = this.#limits;
    return unread.length >= waitingPerSession || unread.reduce((sum, { text }) => sum + text.length, 0) > replayBytes;
  }

  /** Tells whether a peer that has seen this event has seen the whole stream. */
  isOverAfter(number: number): boolean {
    return this.#isFinished && number >= this.#lastSent;
  }

  /** Continues over this response, with everything after the last event that the peer saw. */
  attach(response: ServerResponse, headers: Record<string, string>, after = 0): void {
    // A peer that comes back has given its old connection up.
    this.#carrier?.end();
    this.#carrier = response;
    this.#lastWritten = Math.min(after, this.#lastSent);
    response.on('close', () => {
      if (this.#carrier === response) this.#carrier = undefined;
    });
    response.on('drain', () => this.#write());
    response.writeHead(200, { ...eventHeaders, ...headers });
    response.flushHeaders();
    this.#write();
  }

  /** Writes an empty event, so that the peer has an id to come back with before anything has happened. */
  prime(): void {
    this.#carrier?.write(`id: ${this.number}-${this.#lastWritten}\ndata: \n\n`);
  }

  /** Writes an event that is not a message, before any message. */
  announce(event: string, data: string): void {
    this.#carrier?.write(`event: ${event}\ndata: ${data}\n\n`);
  }

  send({ text, written, isAnswer, rule }: OutgoingText): void {
    if (rule !== undefined && this.isAttached) {
      this.#writeRuledEvent(text, written, rule, false);
      return;
    }
    const report = rule === undefined ? written : reportUnapplied(written, rule);
    // Answers are limited by the requests that they answer.
    const isFull = this.#lastSent - this.#lastWritten >= this.#limits.waitingPerSession;
    if (isFull && isAnswer !== true) return;
    this.#lastSent += 1;
    this.#events.push({ number: this.#lastSent, text, isAnswer: isAnswer === true, written: report });
    this.#bytes += text.length;
    this.#write();
  }

  /** Sends the last message as a rule of the document says; it is not kept for resumption. */
  finishRuled(text: string, written: Answered, rule: AppliedWireRule): void {
    if (this.isAttached) this.#writeRuledEvent(text, written, rule, true);
    else {
      this.send({ text, written: reportUnapplied(written, rule), isAnswer: true });
      this.finish();
    }
  }

  #writeRuledEvent(text: string, written: Answered, rule: AppliedWireRule, isLast: boolean): void {
    const carrier = this.#carrier;
    if (carrier === undefined) return;
    this.#lastSent += 1;
    this.#lastWritten = this.#lastSent;
    const id = this.number === undefined ? undefined : `${this.number}-${this.#lastSent}`;
    const event = { data: text, id, event: 'message' };
    // Events behind a slow one wait.
    this.#busy = carrier;
    writeEvent(carrier, event, isLast, rule, (performed) => {
      if (this.#busy === carrier) this.#busy = undefined;
      written(undefined, undefined, performed);
      this.#write();
    });
  }

  /** Sends the last message. It leaves with the end of the stream, because some clients read no further than it. */
  sendLast(message: OutgoingText): void {
    this.#isFinished = true;
    this.send(message);
  }

  /** Called when nothing more will be sent; earlier events can still be fetched. */
  finish(): void {
    this.#isFinished = true;
    this.#write();
  }

  /** Writes a comment: it keeps proxies from closing a silent stream, and shows when the peer has left. */
  beat(): void {
    if (this.isAttached && this.#busy !== this.#carrier && this.#carrier?.writableNeedDrain === false)
      this.#carrier.write(': \n\n');
  }

  /** Writes as much as the peer reads; the rest follows when it has caught up. */
  #write(): void {
    const carrier = this.#carrier;
    if (carrier === undefined || !this.isAttached || this.#busy === carrier) return;
    const written: SentEvent[] = [];
    sendTogether(carrier, () => this.#writeTo(carrier, written));
    if (written.length > 0)
      callWhenFlushed(carrier, (cut) => {
        for (const event of written) reportWritten(event, cut);
      });
  }

  /** Adds each event that it has written to `written`. */
  #writeTo(carrier: ServerResponse, written: SentEvent[]): void {
    for (let event = this.#nextEvent(); event !== undefined; event = this.#nextEvent()) {
      if (carrier.writableNeedDrain) break;
      this.#lastWritten = event.number;
      const id = this.number === undefined ? '' : `id: ${this.number}-${event.number}\n`;
      const text = `${id}event: message\ndata: ${event.text}\n\n`;
      if (event.isAnswer) noteAnswer(carrier);
      if (holdsGenerated(text)) {
        this.#writeLarge(carrier, event, text);
        break;
      }
      carrier.write(text);
      written.push(event);
    }
    this.#giveUpOldest();
    const isOver = this.#isFinished && this.#lastWritten === this.#lastSent && this.#busy !== carrier;
    if (isOver) carrier.end();
  }

  /** Later events wait until this one is written. */
  #writeLarge(carrier: ServerResponse, event: SentEvent, text: string): void {
    this.#busy = carrier;
    writeExpanded(carrier, text, (cut) => {
      if (this.#busy === carrier) this.#busy = undefined;
      reportWritten(event, cut);
      this.#write();
    });
  }

  #nextEvent(): SentEvent | undefined {
    const first = this.#events[0]?.number ?? 0;
    return this.#events[Math.max(0, this.#lastWritten + 1 - first)];
  }

  #giveUpOldest(): void {
    const { replayEvents, replayBytes } = this.#limits;
    for (let [first] = this.#events; first !== undefined; [first] = this.#events) {
      if (this.#events.length <= replayEvents && this.#bytes <= replayBytes) return;
      if (first.number >= this.#lastWritten) return;
      this.#events.shift();
      this.#bytes -= first.text.length;
    }
  }
}

/** Each event is reported once, however often it goes out. */
function reportWritten(event: SentEvent, cut?: string): void {
  const { written } = event;
  event.written = undefined;
  written?.(undefined, cut);
}

const eventHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  // Asks proxies not to hold events back.
  'X-Accel-Buffering': 'no',
};
