import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { AppliedWireRule } from '../../../format/model/applied-wire-rule.ts';
import { stringifyJson } from '../../../format/model/json-text-values.ts';
import type { ValueMap } from '../../../format/model/value.ts';
import { listSecrets, redactUrl } from '../../../secrets/given-secrets.ts';
import type { Transport } from '../../engine/ports.ts';
import { createAskingParts } from '../deferred-transport.ts';
import { createEchoRemover, type EchoRemover } from '../echo-remover.ts';
import { holdsGenerated } from '../expand-generated.ts';
import {
  type FailureEnding,
  formatConnectionFailure,
  formatRefusal,
  isAbsentError,
  readFailureEnding,
} from '../http-failure.ts';
import { readJson } from '../json-text.ts';
import { answeredEarly, type RequestSentCallback, writeBody } from '../mcp-client/http-request.ts';
import { type RefusedBytes, readLooseEvents, recordRefused } from '../mcp-server/sessions/record-refused.ts';
import { readResponse } from '../read-response.ts';
import { applyRuleToRequest } from '../wire/write-request.ts';
import { createFrameReader, decodeEvent } from './proto-events.ts';
import { createEventReader } from './read-events.ts';

/** The agent that an AG-UI client speaks to, and its limits. */
export interface AgUiClientOptions {
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
  readonly limits?: Partial<AgUiClientLimits> | undefined;
}

/** Limits on how much an agent can make us hold with its event stream. */
export interface AgUiClientLimits {
  readonly eventBytes: number;
  readonly streamBytes: number;
  readonly streamEvents: number;
  /** The nesting depth of an event. */
  readonly depth: number;
}

const defaultLimits: AgUiClientLimits = {
  eventBytes: 8 * 1024 * 1024,
  streamBytes: 64 * 1024 * 1024,
  streamEvents: 100_000,
  depth: 512,
};

/** The most bytes that are kept of an answer that is not an event stream. */
const mostKept = 64 * 1024;

type Receive = Parameters<Transport['open']>[0];
type EndRequest = (reason?: string, ending?: FailureEnding) => void;

interface Reading {
  /** Removes values that must not be recorded. */
  readonly clean: EchoRemover;
  readonly deliver: Receive;
  readonly end: EndRequest;
}

interface Posting {
  /** The body for a peer that refuses the first one. */
  readonly older?: string | undefined;
  /** The `x-wire` rule that applies to the request. */
  readonly rule?: AppliedWireRule | undefined;
}

/**
 * A client whose requests are each a POST of JSON, answered by a stream of server-sent events. It has no time limit: an
 * agent may think as long as the run lasts.
 */
export function createAgUiClient(options: AgUiClientOptions): Transport {
  const { url, headers = {}, secrets, secretsStay } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const open = new Set<ClientRequest>();
  /** Requests whose answers are never read. */
  const unread = new Set<ClientRequest>();
  let receive: Receive = () => {};
  /** Set when the peer has refused a request and accepted it in the form for peers older than the versions. */
  let isOlder = false;

  function post(ask: string, body: string, sent: RequestSentCallback, { older, rule }: Posting = {}): void {
    const target = new URL(url());
    const clean = createEchoRemover(listSecrets({ url: target.href, headers, secrets, secretsStay }));
    const send = target.protocol === 'https:' ? requestHttps : requestHttp;
    let isSent = false;
    const isMade = rule === undefined && holdsGenerated(body);
    const noteSent: RequestSentCallback = (cut, performed) => {
      if (!isSent) sent(cut, performed);
      isSent = true;
    };
    const deliver: Receive = (message) => {
      if (open.has(request)) receive(message);
    };
    const end: EndRequest = (reason, ending = {}) => {
      if (!open.delete(request)) return;
      const why = reason === undefined ? {} : { reason: clean.text(reason), ...ending };
      receive({ kind: 'end', session: ask, ask, ...why });
      // A response that is not read stays open until we close.
      if (rule?.read === 'none') unread.add(request);
      else request.destroy();
    };
    // An operator who sets `accept` asks for another encoding of the same events.
    const all = { accept: 'text/event-stream', ...headers, 'content-type': 'application/json' };
    const ruled =
      rule &&
      applyRuleToRequest({ headers: all, body }, rule, {
        report: (performed) => noteSent(undefined, performed),
        over: (reason) => end(reason),
      });
    const request = send(target, {
      method: 'POST',
      headers: ruled?.headers ?? {
        ...all,
        ...(!isMade && { 'content-length': String(Buffer.byteLength(body)) }),
      },
      // A connection is not reused: an agent that closes late must not break the next request.
      agent: false,
    });
    open.add(request);
    let breakOff: EndRequest = end;
    request.on('error', (error: NodeJS.ErrnoException) =>
      breakOff(formatConnectionFailure(error, target), { absent: isAbsentError(error) }),
    );
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      end('it switched to another protocol');
    });
    request.on('close', () => ruled?.failed());
    request.on('response', (response) => {
      if (ruled?.answered(response) === false) return;
      // An agent may answer before it has read the whole request.
      noteSent(isMade ? answeredEarly : undefined);
      const { statusCode = 0 } = response;
      if (older !== undefined && refusesForm.has(statusCode)) {
        open.delete(request);
        request.destroy();
        askAgain(ask, older, statusCode);
        return;
      }
      const read = isSseResponse(response) ? readStream : readRefusal;
      breakOff = read(response, ask, { clean, deliver, end });
    });
    if (ruled !== undefined) return void ruled.write(request);
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

  /** Records what the peer sent in place of an event. */
  function recordPeerBytes(
    what: Pick<RefusedBytes, 'bytes' | 'reason' | 'contentType' | 'contentEncoding' | 'end' | 'status'>,
    ask: string,
    { clean, deliver }: Pick<Reading, 'clean' | 'deliver'>,
  ): void {
    const sink = { limits: { ...limits, recordedBytes: mostKept }, receive: deliver };
    recordRefused(sink, { ...what, session: ask, ask, clean, messagesIn: readLooseEvents });
  }

  /** Reads the stream, and returns the function to call when it ends too early. */
  function readStream(response: IncomingMessage, ask: string, { clean, deliver, end }: Reading): EndRequest {
    let bytes = 0;
    let events = 0;
    const malformed = (bytes: Buffer, reason: string, end?: RefusedBytes['end']): void =>
      recordPeerBytes({ bytes, reason, end }, ask, { clean, deliver });
    const take = (raw: Buffer): void => {
      const data = clean.bytes(raw);
      const read = readJson(data, limits.depth);
      if (!read.ok) malformed(data, read.reason);
      else deliver({ kind: 'part', session: ask, ask, part: read.value, raw: () => data.toString('base64') });
    };
    const isProto = readMediaType(response) === protoType;
    /** A protobuf event is read as the JSON of the same event. */
    const takeFrame = (frame: Buffer): void => {
      let event: ValueMap;
      try {
        event = decodeEvent(frame);
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
    let failure: Parameters<EndRequest> = ['its stream broke off'];
    const finish = readResponse(
      response,
      (chunk) => {
        bytes += chunk.length;
        if (bytes > limits.streamBytes) end(`its stream is longer than ${limits.streamBytes} bytes`);
        else reader.push(chunk);
      },
      (isComplete) => {
        const rest = reader.end();
        const how = isComplete ? 'ended' : 'broke off';
        // A server that leaves out the last empty line still means its last event to count.
        if (rest !== undefined && isComplete && !isProto) take(rest);
        else if (rest !== undefined) malformed(rest, `the stream ${how} within this event`, 'cut off');
        if (isComplete) end();
        else end(...failure);
      },
    );
    return (...reason) => {
      failure = reason;
      finish();
    };
  }

  /** Reads a refusal, and returns the function to call when it ends too early. */
  function readRefusal(response: IncomingMessage, ask: string, { clean, deliver, end }: Reading): EndRequest {
    const { statusCode = 0, statusMessage = '' } = response;
    const type = response.headers['content-type'];
    const chunks: Buffer[] = [];
    let kept = 0;
    const finish = readResponse(
      response,
      (chunk) => {
        if (kept < mostKept) chunks.push(chunk.subarray(0, mostKept - kept));
        kept += chunk.length;
        if (kept >= mostKept) finish();
      },
      done,
    );
    function done(isComplete: boolean): void {
      const bytes = Buffer.concat(chunks);
      const raw = clean.bytes(bytes);
      chunks.length = 0;
      const isOk = statusCode >= 200 && statusCode < 300;
      const reason = isOk
        ? `it answered with ${type ?? 'no content type'} in place of an event stream`
        : // The text of a status is the agent's own.
          clean.text(formatRefusal(statusCode, statusMessage, raw));
      if (bytes.length > 0) {
        const contentEncoding = response.headers['content-encoding'];
        const missing = kept >= mostKept ? 'too large' : isComplete ? undefined : 'cut off';
        const form = { contentType: type, contentEncoding, end: missing, status: statusCode } as const;
        recordPeerBytes({ bytes, reason, ...form }, ask, { clean, deliver });
      }
      end(reason, readFailureEnding(statusCode));
    }
    return finish;
  }

  return {
    async open(receiver) {
      receive = receiver;
      return { url: redactUrl(url()) };
    },
    ask(_target, ask, _method, params, sent, { older, order: rule } = {}) {
      const asOlder = older === undefined ? undefined : stringifyJson(older);
      const written: RequestSentCallback = (cut, performed) => sent(ask, undefined, undefined, cut, performed);
      if (isOlder && asOlder !== undefined) post(ask, asOlder, written, { rule });
      // A request that the document broke on purpose is not tried again in another form.
      else if (rule !== undefined) post(ask, stringifyJson(params ?? {}), written, { rule });
      else post(ask, stringifyJson(params ?? {}), written, { older: asOlder });
    },
    ...createAskingParts(open),
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

function readMediaType({ headers }: IncomingMessage): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function isSseResponse(response: IncomingMessage): boolean {
  const { statusCode = 0 } = response;
  return statusCode >= 200 && statusCode < 300 && streamTypes.has(readMediaType(response));
}
