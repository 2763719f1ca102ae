import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Transport } from '../engine/ports.ts';
import { stringifyJson } from '../model/json.ts';
import type { ValueMap } from '../model/value.ts';
import type { WireOrder } from '../model/wire.ts';
import { secretsIn, shownUrl } from '../secrets/given.ts';
import { holdsGenerated } from './expanded.ts';
import { connectionFailure, type Ending, endingBy, isAbsentError, refusalReason } from './http-failure.ts';
import { answeredEarly, type HowWritten, writeBody } from './json-rpc-client/http-request.ts';
import { readJson } from './json-text.ts';
import { looseEvents, type Refused, recordRefused } from './sessions/record-refused.ts';
import { eventFromProto } from './sse-client/event-from-proto.ts';
import { createEventReader } from './sse-client/read-events.ts';
import { createFrameReader } from './sse-client/read-frames.ts';
import { orderRequest } from './wire/write-request.ts';
import { type WithoutEchoes, withoutEchoes } from './without-echoes.ts';

/** The agent that an AG-UI client speaks to, and its limits. */
export interface SseClientOptions {
  /** The URL for requests; called for the first one. */
  url(): string;
  readonly headers?: { readonly [name: string]: string } | undefined;
  /** Values that are removed from the agent's messages, in addition to headers with secret names. */
  readonly secrets?: readonly string[] | undefined;
  /**
   * Whether these values stay in the agent's messages, because an attack may aim at them; the code that stores the
   * messages then removes them.
   */
  readonly secretsStay?: boolean | undefined;
  readonly limits?: Partial<SseClientLimits> | undefined;
}

/** Limits on how much an agent can make us hold with its event stream. */
export interface SseClientLimits {
  readonly eventBytes: number;
  readonly streamBytes: number;
  readonly streamEvents: number;
  /** The nesting depth of an event. */
  readonly depth: number;
}

const defaultLimits: SseClientLimits = {
  eventBytes: 8 * 1024 * 1024,
  streamBytes: 64 * 1024 * 1024,
  streamEvents: 100_000,
  depth: 512,
};

/** The most bytes that are kept of an answer that is not an event stream. */
const mostKept = 64 * 1024;

type Receive = Parameters<Transport['open']>[0];
type End = (reason?: string, ending?: Ending) => void;

interface Reading {
  /** Removes values that must not be recorded. */
  readonly clean: WithoutEchoes;
  readonly deliver: Receive;
  readonly end: End;
}

interface Posting {
  /** The body for a peer that refuses the first one. */
  readonly older?: string | undefined;
  /** The document's order for the request. */
  readonly order?: WireOrder | undefined;
}

/**
 * A client whose requests are each a POST of JSON, answered by a stream of server-sent events. It has no time limit: an
 * agent may think as long as the run lasts.
 */
export function createSseClient(options: SseClientOptions): Transport {
  const { url, headers = {}, secrets, secretsStay } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const open = new Set<ClientRequest>();
  /** Requests whose answers are never read. */
  const unread = new Set<ClientRequest>();
  let receive: Receive = () => {};
  /** Set when the peer has refused a request and accepted it in the form for peers older than the versions. */
  let isOlder = false;

  function post(ask: string, body: string, sent: HowWritten, { older, order }: Posting = {}): void {
    const target = new URL(url());
    const clean = withoutEchoes(secretsIn({ url: target.href, headers, secrets, secretsStay }));
    const send = target.protocol === 'https:' ? requestHttps : requestHttp;
    let isSent = false;
    const isMade = order === undefined && holdsGenerated(body);
    const noteSent: HowWritten = (cut, performed) => {
      if (!isSent) sent(cut, performed);
      isSent = true;
    };
    const deliver: Receive = (message) => {
      if (open.has(request)) receive(message);
    };
    const end: End = (reason, ending = {}) => {
      if (!open.delete(request)) return;
      const told = reason === undefined ? {} : { reason: clean.text(reason), ...ending };
      receive({ kind: 'end', session: ask, ask, ...told });
      // A response that is not read stays open until we close.
      if (order?.read === 'none') unread.add(request);
      else request.destroy();
    };
    // An operator who sets `accept` asks for another encoding of the same events.
    const all = { accept: 'text/event-stream', ...headers, 'content-type': 'application/json' };
    const ordered =
      order &&
      orderRequest({ headers: all, body }, order, {
        told: (performed) => noteSent(undefined, performed),
        over: (reason) => end(reason),
      });
    const request = send(target, {
      method: 'POST',
      headers: ordered?.headers ?? {
        ...all,
        ...(!isMade && { 'content-length': String(Buffer.byteLength(body)) }),
      },
      // A connection is not reused: an agent that closes late must not break the next request.
      agent: false,
    });
    open.add(request);
    let breakOff: End = end;
    request.on('error', (error: NodeJS.ErrnoException) =>
      breakOff(connectionFailure(error, target), { absent: isAbsentError(error) }),
    );
    request.on('upgrade', () => end('it switched to another protocol'));
    request.on('close', () => ordered?.failed());
    request.on('response', (response) => {
      if (ordered?.answered(response) === false) return;
      // An agent may answer before it has read the whole request.
      noteSent(isMade ? answeredEarly : undefined);
      const { statusCode = 0 } = response;
      if (older !== undefined && refusesForm.has(statusCode)) {
        open.delete(request);
        request.destroy();
        askAgain(ask, older, statusCode);
        return;
      }
      const read = isEventStream(response) ? readStream : readRefusal;
      breakOff = read(response, ask, { clean, deliver, end });
    });
    if (ordered !== undefined) return void ordered.write(request);
    request.on('finish', () => noteSent());
    if (isMade) writeBody(request, body, noteSent);
    else request.end(body);
  }

  /** A peer that refuses an unknown field may accept the rest. */
  function askAgain(ask: string, older: string, status: number): void {
    const message = `it answered ${status}; the request is repeated in the form for agents older than version 1.0`;
    receive({ kind: 'log', session: ask, level: 'info', message });
    isOlder = true;
    post(ask, older, () => {});
  }

  /** Reads the stream, and returns the function to call when it breaks off. */
  function readStream(response: IncomingMessage, ask: string, { clean, deliver, end }: Reading): End {
    let bytes = 0;
    let events = 0;
    const malformed = (bytes: Buffer, reason: string, end?: Refused['end']): void =>
      recordRefused(
        { limits: { ...limits, recordedBytes: mostKept }, receive: deliver },
        {
          bytes,
          reason,
          session: ask,
          ask,
          clean,
          messagesIn: looseEvents,
          ...(end !== undefined && { end }),
        },
      );
    const take = (raw: Buffer): void => {
      const data = clean.bytes(raw);
      const read = readJson(data, limits.depth);
      if (!read.ok) malformed(data, read.reason);
      else deliver({ kind: 'part', session: ask, ask, part: read.value, raw: () => data.toString('base64') });
    };
    const isProto = mediaTypeOf(response) === protoType;
    /** A protobuf event is read as the JSON of the same event. */
    const takeFrame = (frame: Buffer): void => {
      let event: ValueMap;
      try {
        event = eventFromProto(frame);
      } catch (thrown) {
        malformed(
          clean.bytes(frame),
          `not a protobuf event: ${String(thrown instanceof Error ? thrown.message : thrown)}`,
        );
        return;
      }
      take(Buffer.from(stringifyJson(event)));
    };
    const reader = (isProto ? createFrameReader : createEventReader)(
      {
        data(raw) {
          events += 1;
          if (events > limits.streamEvents) end(`its stream has more than ${limits.streamEvents} events`);
          else if (isProto) takeFrame(raw);
          else take(raw);
        },
        tooLong(raw) {
          malformed(raw, `an event of more than ${limits.eventBytes} bytes`, 'too large');
          end(`its stream has an event of more than ${limits.eventBytes} bytes`);
        },
      },
      limits.eventBytes,
    );
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > limits.streamBytes) end(`its stream is longer than ${limits.streamBytes} bytes`);
      else reader.push(chunk);
    });
    response.on('end', () => {
      // A server that leaves out the last empty line still means its last event to count.
      const rest = reader.end();
      if (rest !== undefined && isProto) malformed(rest, 'the stream ended within this event', 'cut off');
      else if (rest !== undefined) take(rest);
      end();
    });
    response.on('error', () => breakOff('its stream broke off'));
    response.on('close', () => breakOff('its stream broke off'));
    function breakOff(reason?: string): void {
      if (response.complete) return;
      // Data from before an error may still wait to be read.
      response.read();
      const rest = reader.end();
      if (rest !== undefined) malformed(rest, 'the stream broke off within this event', 'cut off');
      end(reason);
    }
    return breakOff;
  }

  /** Reads a refusal, and returns the function to call when it breaks off. */
  function readRefusal(response: IncomingMessage, ask: string, { clean, deliver, end }: Reading): End {
    const { statusCode = 0, statusMessage = '' } = response;
    const type = response.headers['content-type'];
    const chunks: Buffer[] = [];
    let kept = 0;
    response.on('data', (chunk: Buffer) => {
      if (kept < mostKept) chunks.push(chunk.subarray(0, mostKept - kept));
      kept += chunk.length;
      if (kept >= mostKept) done();
    });
    response.on('end', done);
    response.on('close', done);
    response.on('error', done);
    function done(): void {
      const bytes = Buffer.concat(chunks);
      const raw = clean.bytes(bytes);
      chunks.length = 0;
      const isOk = statusCode >= 200 && statusCode < 300;
      const reason = isOk
        ? `it answered with ${type ?? 'no content type'} in place of an event stream`
        : // The text of a status is the agent's own.
          clean.text(refusalReason(statusCode, statusMessage, raw));
      if (bytes.length > 0)
        recordRefused(
          { limits: { ...limits, recordedBytes: mostKept }, receive: deliver },
          {
            bytes,
            reason,
            session: ask,
            ask,
            clean,
            contentType: type,
            contentEncoding: response.headers['content-encoding'],
            messagesIn: looseEvents,
            ...(kept >= mostKept && { end: 'too large' }),
          },
        );
      end(reason, endingBy(statusCode));
    }
    return done;
  }

  return {
    async open(receiver) {
      receive = receiver;
      return { url: shownUrl(url()) };
    },
    ask(_target, ask, _method, params, sent, { older, order } = {}) {
      const asOlder = older === undefined ? undefined : stringifyJson(older);
      const written: HowWritten = (cut, performed) => sent(ask, undefined, undefined, cut, performed);
      if (isOlder && asOlder !== undefined) post(ask, asOlder, written, { order });
      // A request that the document broke on purpose is not tried again in another form.
      else if (order !== undefined) post(ask, stringifyJson(params ?? {}), written, { order });
      else post(ask, stringifyJson(params ?? {}), written, { older: asOlder });
    },
    // Between its requests this client neither answers nor sends notifications.
    answer: () => {},
    notify: () => {},
    openSessions: () => open.size,
    isConnected: () => open.size > 0,
    async close() {
      receive = () => {};
      for (const request of [...open, ...unread]) request.destroy();
      open.clear();
    },
  };
}

/** Statuses of servers that check a request against a schema. */
const refusesForm: ReadonlySet<number> = new Set([400, 422]);

const protoType = 'application/vnd.ag-ui.event+proto';
/** Media types of streamed answers. */
export const streamTypes: ReadonlySet<string> = new Set(['text/event-stream', protoType]);

function mediaTypeOf({ headers }: IncomingMessage): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function isEventStream(response: IncomingMessage): boolean {
  const { statusCode = 0 } = response;
  return statusCode >= 200 && statusCode < 300 && streamTypes.has(mediaTypeOf(response));
}
