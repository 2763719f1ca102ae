import { createHmac, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Value } from '../../../format/model/value.ts';
import type { Limits } from '../http-server/http-server-options.ts';
import { EventStream } from './resumable-stream.ts';
import { OpenAsks, type OutgoingText, type PeerExchange, type PeerSession } from './sessions/peer-session.ts';

/** One peer's session: its streams, its open requests, and the messages that wait for it. */
export class HttpSession implements PeerSession {
  readonly id: string;
  readonly exchanges = new Set<PeerExchange>();
  readonly #limits: Limits;
  /** Streams by number, oldest first: those of the peer's GETs and those of its POSTs. */
  readonly #streams = new Map<number, EventStream>();
  readonly #standalone = new Set<EventStream>();
  readonly #asks: OpenAsks;
  #waiting: OutgoingText[] = [];
  #lastStream = 0;

  constructor(id: string, limits: Limits) {
    this.id = id;
    this.#limits = limits;
    this.#asks = new OpenAsks(limits.waitingPerSession);
  }

  get isIdle(): boolean {
    return this.exchanges.size === 0 && ![...this.#streams.values()].some((stream) => stream.isAttached);
  }

  /** Sends a message that belongs to no request, now or as soon as there is a stream for it. */
  deliver(message: OutgoingText): void {
    const carrier = this.#findCarrier();
    if (carrier !== undefined) carrier.send(message);
    else if (this.#waiting.length < this.#limits.waitingPerSession) this.#waiting.push(message);
  }

  /** Sends the messages that waited for a stream, if there is one now. */
  deliverWaiting(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const message of waiting) this.deliver(message);
  }

  expectAnswer(ask: string): void {
    this.#asks.expect(ask);
  }

  takeAsk(id: Value): string | undefined {
    return this.#asks.take(id);
  }

  /** Opens a stream for the answers to a POST. */
  openStream(): EventStream {
    this.#lastStream += 1;
    const stream = new EventStream(this.#lastStream, this.#limits);
    this.#streams.set(this.#lastStream, stream);
    if (this.#streams.size > this.#limits.streamsPerSession) this.#giveUpStream();
    return stream;
  }

  /** Opens a stream of the session's own. There may be several; a message goes out over the newest alone. */
  openStandalone(response: ServerResponse, prime: boolean): void {
    const stream = this.openStream();
    this.#standalone.add(stream);
    stream.attach(response, {});
    if (prime) stream.prime();
    this.deliverWaiting();
  }

  /**
   * Resumes the stream that an event id belongs to. `nothing left`: the stream is over and was read to its end;
   * `unknown`: the stream was dropped, or never existed.
   */
  resume(response: ServerResponse, lastEventId: string): 'resumed' | 'nothing left' | 'unknown' {
    const [, number, after] = /^(\d+)-(\d+)$/.exec(lastEventId) ?? [];
    const stream = this.#streams.get(Number(number));
    if (stream === undefined) return 'unknown';
    if (stream.isOverAfter(Number(after))) return 'nothing left';
    stream.attach(response, {}, Number(after));
    this.deliverWaiting();
    return 'resumed';
  }

  beat(): void {
    for (const stream of this.#streams.values()) stream.beat();
  }

  end(): void {
    for (const stream of this.#streams.values()) stream.finish();
    this.#streams.clear();
    this.#standalone.clear();
    this.#waiting = [];
  }

  #findCarrier(): { send(message: OutgoingText): void } | undefined {
    const streams = [...this.#standalone].filter((stream) => stream.isAttached);
    if (streams.length > 0) return streams.at(-1);
    return [...this.exchanges].findLast(({ reply }) => reply.carriesOthers)?.reply;
  }

  /** Drops the oldest stream that is not being read, or else the oldest of the peer's GETs. */
  #giveUpStream(): void {
    const streams = [...this.#streams.values()].slice(0, -1);
    const oldest =
      streams.find((stream) => !stream.isAttached) ?? streams.find((stream) => this.#standalone.has(stream));
    if (oldest === undefined) return;
    oldest.finish();
    if (oldest.number !== undefined) this.#streams.delete(oldest.number);
    this.#standalone.delete(oldest);
  }
}

// Makes session ids and recognizes them. `post.ts` and `get.ts` check that the session of a request is open.

export interface SessionIds {
  fresh(): string;
  /** Whether an id was issued at this address, by this run or an earlier one. */
  areOurs(id: string): boolean;
}

const randomPart = 12;
const checkPart = 4;

/**
 * Ids that look like any random UUID. Their last bytes are derived from the others and the address, so that an agent
 * that continues the session of an earlier run is recognized without a stored list.
 */
export function createSessionIds(place: string): SessionIds {
  const computeCheck = (random: Buffer): Buffer =>
    createHmac('sha256', `session at ${place}`).update(random).digest().subarray(0, checkPart);
  return {
    fresh() {
      const random = randomBytes(randomPart);
      // The bits that make it a UUID of version 4.
      random[6] = ((random[6] as number) & 0x0f) | 0x40;
      random[8] = ((random[8] as number) & 0x3f) | 0x80;
      const hex = Buffer.concat([random, computeCheck(random)]).toString('hex');
      return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    },
    areOurs(id) {
      if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)) return false;
      const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
      return computeCheck(bytes.subarray(0, randomPart)).equals(bytes.subarray(randomPart));
    },
  };
}
