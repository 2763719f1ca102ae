import type { ServerResponse } from 'node:http';
import type { Answered } from '../../engine/ports.ts';
import type { WireOrder } from '../../model/wire.ts';
import { holdsGenerated, writeExpanded } from '../expanded.ts';
import type { Channel } from '../sessions/channel-session.ts';
import type { Outgoing } from '../sessions/session.ts';
import { unordered } from '../wire/undone.ts';
import { writeEvent } from '../wire/write-response.ts';
import type { Limits } from './options.ts';
import { isGone } from './response.ts';

interface Event {
  readonly number: number;
  readonly text: string;
  written: Answered | undefined;
}

/**
 * A stream of server-sent events. It outlives the connection that carries it: what is sent while there is none,
 * or was lost with one, goes out when the peer comes back for it.
 */
export class EventStream implements Channel {
  /** Left out for a stream that nobody can come back to. */
  readonly number: number | undefined;
  readonly #limits: Limits;
  #carrier: ServerResponse | undefined;
  /** What has not gone out yet, and before that what is kept for resumption. */
  readonly #events: Event[] = [];
  #bytes = 0;
  #lastSent = 0;
  #lastWritten = 0;
  #isFinished = false;
  /** The response that a large event is being written to. */
  #busy: ServerResponse | undefined;

  constructor(number: number | undefined, limits: Limits) {
    this.number = number;
    this.#limits = limits;
  }

  get isAttached(): boolean {
    return this.#carrier !== undefined && !this.#carrier.writableEnded && !isGone(this.#carrier);
  }

  /** Whether so much waits for the peer to read that it should send nothing that has to be answered. */
  get isBehind(): boolean {
    const unread = this.#events.filter(({ number }) => number > this.#lastWritten);
    const { waitingPerSession, replayBytes } = this.#limits;
    return (
      unread.length >= waitingPerSession ||
      unread.reduce((sum, { text }) => sum + text.length, 0) > replayBytes
    );
  }

  /** Whether a peer that has seen this event has seen everything there will ever be. */
  isOverAfter(number: number): boolean {
    return this.#isFinished && number >= this.#lastSent;
  }

  /** Goes on over this response, with everything after the event that the peer saw last. */
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

  /** An empty event, so that the peer has an id to come back with before anything has happened. */
  prime(): void {
    this.#carrier?.write(`id: ${this.number}-${this.#lastWritten}\ndata: \n\n`);
  }

  /** Says something that is no message, before any message. */
  announce(event: string, data: string): void {
    this.#carrier?.write(`event: ${event}\ndata: ${data}\n\n`);
  }

  send({ text, written, isAnswer, order }: Outgoing): void {
    if (order !== undefined && this.isAttached) {
      this.#writeOrdered(text, written, order, false);
      return;
    }
    const told = order === undefined ? written : unordered(written, order);
    // Answers are bounded by the requests that they answer.
    const isFull = this.#lastSent - this.#lastWritten >= this.#limits.waitingPerSession;
    if (isFull && isAnswer !== true) return;
    this.#lastSent += 1;
    this.#events.push({ number: this.#lastSent, text, written: told });
    this.#bytes += text.length;
    this.#write();
  }

  /** The last message, in the way that a document orders; it is not kept for whoever comes back. */
  finishOrdered(text: string, written: Answered, order: WireOrder): void {
    if (this.isAttached) this.#writeOrdered(text, written, order, true);
    else {
      this.send({ text, written: unordered(written, order), isAnswer: true });
      this.finish();
    }
  }

  #writeOrdered(text: string, written: Answered, order: WireOrder, isLast: boolean): void {
    const carrier = this.#carrier;
    if (carrier === undefined) return;
    this.#lastSent += 1;
    this.#lastWritten = this.#lastSent;
    const id = this.number === undefined ? undefined : `${this.number}-${this.#lastSent}`;
    const event = { data: text, id, event: 'message' };
    // What comes behind a slow event waits.
    this.#busy = carrier;
    writeEvent(carrier, event, isLast, order, (performed) => {
      if (this.#busy === carrier) this.#busy = undefined;
      written(undefined, undefined, performed);
      this.#write();
    });
  }

  /** Nothing more will be sent; what was sent can still be fetched. */
  finish(): void {
    this.#isFinished = true;
    this.#write();
  }

  /** A comment: keeps what is in between from closing a silent stream, and finds out when the peer is gone. */
  beat(): void {
    if (this.isAttached && this.#busy !== this.#carrier && this.#carrier?.writableNeedDrain === false)
      this.#carrier.write(': \n\n');
  }

  /** Writes as much as the peer keeps up with reading; the rest when it has caught up. */
  #write(): void {
    const carrier = this.#carrier;
    if (carrier === undefined || !this.isAttached || this.#busy === carrier) return;
    for (let event = this.#nextEvent(); event !== undefined; event = this.#nextEvent()) {
      if (carrier.writableNeedDrain) break;
      this.#lastWritten = event.number;
      const id = this.number === undefined ? '' : `id: ${this.number}-${event.number}\n`;
      const text = `${id}event: message\ndata: ${event.text}\n\n`;
      if (holdsGenerated(text)) {
        this.#writeLarge(carrier, event, text);
        return;
      }
      carrier.write(text);
      tell(event);
    }
    this.#giveUpOldest();
    if (this.#isFinished && this.#lastWritten === this.#lastSent) carrier.end();
  }

  /** What comes behind it waits. */
  #writeLarge(carrier: ServerResponse, event: Event, text: string): void {
    this.#busy = carrier;
    writeExpanded(carrier, text, (cut) => {
      if (this.#busy === carrier) this.#busy = undefined;
      tell(event, cut);
      this.#write();
    });
  }

  #nextEvent(): Event | undefined {
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

/** Each event is told of once, however often it goes out. */
function tell(event: Event, cut?: string): void {
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
