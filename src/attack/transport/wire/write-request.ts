import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { AppliedWireRule, WirePerformed } from '../../../format/model/applied-wire-rule.ts';
import { longestTimeout } from '../clock.ts';
import { compress, createFaultyBytes, describeWritten } from './faulty-bytes.ts';
import { applyRuleToHead } from './ruled-head.ts';
import { findUnapplied, listUnappliedExcept } from './unapplied-actions.ts';
import { breakOff, callWhenWritten, writeSlowly } from './write-slowly.ts';

// Writes HTTP requests as a rule of the document says, and reads their answers.

export interface PlainRequest {
  readonly headers: { readonly [name: string]: string };
  readonly body?: string | undefined;
}

export interface RequestEvents {
  /** Called once, when nothing more of the request will be written. */
  report(performed: WirePerformed): void;
  /** Called when we have ended the request ourselves, or stop reading its answer. The connection may still be open. */
  over(reason: string): void;
}

export interface RuledRequest {
  /** The headers of the request, with the length of its body. */
  readonly headers: { readonly [name: string]: string };
  /** Writes the body and ends the request. */
  write(request: ClientRequest): void;
  /** Takes the response, and tells whether it is to be read as usual. */
  answered(response: IncomingMessage): boolean;
  /** Called when the request is over without the event that the rule waits for. */
  failed(): void;
}

/** Actions that HTTP does not have, or that only answers have. */
const ofOthers = ['frame', 'grpc', 'sse', 'stream', 'id'];
/** How long a peer has to end its side after ours. */
const lingerMs = 1_000;
const brokenOff = 'the connection was ended from our side, as the document orders';

export function applyRuleToRequest(plain: PlainRequest, rule: AppliedWireRule, events: RequestEvents): RuledRequest {
  const { end, pace, read } = rule;
  const { status: _, ...http } = rule.http ?? {};
  const text = plain.body ?? '';
  const faulty = createFaultyBytes(text, rule);
  const bytes = compress(faulty.bytes, text === '' ? undefined : http.compress);
  const isCounted = plain.body !== undefined && pace?.everyMs !== 0;
  const due = { ...plain.headers, ...(isCounted && { 'content-length': String(bytes.length) }) };
  const head = applyRuleToHead({ status: 200, headers: due }, http, { length: bytes.length });
  const unapplied = findUnapplied(rule, [
    ...ofOthers,
    ...(faulty.isOther && text !== '' ? [] : ['bytes']),
    ...(head.isOther ? [] : ['http']),
    ...(text === '' ? ['pace'] : []),
    // The text of a request is a batch only if the protocol has batches.
    ...(text.startsWith('[') ? [] : ['batch']),
  ]);
  let isReported = false;
  let socket: Socket | null = null;

  const tell = (performed: WirePerformed): void => {
    if (!isReported) events.report(performed);
    isReported = true;
  };
  const written = (count: number): WirePerformed =>
    describeWritten(bytes, count, {
      ...unapplied,
      harm: faulty.harm ?? head.harm,
      isOther: faulty.isOther || http.compress !== undefined,
    });
  const leave = (by: 'reset' | 'close'): void => {
    breakOff(socket, by);
    if (by === 'reset') return void events.over(brokenOff);
    // After closing only our own side, we still read the peer's reaction.
    const patience = setTimeout(() => events.over(brokenOff), lingerMs);
    socket?.once('close', () => {
      clearTimeout(patience);
      events.over(brokenOff);
    });
  };

  function pour(request: ClientRequest): void {
    const isBroken = end?.when === 'during';
    const length = isBroken ? Math.floor(bytes.length / 2) : bytes.length;
    // A request without a body is broken off after its head.
    if (isBroken) request.flushHeaders();
    writeSlowly(request, bytes.subarray(0, length), pace, (count) => {
      if (end?.when !== 'answering' || count < length) tell(written(count));
      if (request.destroyed) return;
      if (isBroken) return void callWhenWritten(socket, () => leave(end.by));
      request.end(() => {
        if (read === 'none') events.over('nothing of its answer is read, as the document orders');
        else if (end?.when === 'after') callWhenWritten(socket, () => endBehind(end.by));
      });
    });
  }

  /** Ends the connection after the request; with `close`, an answer may still come. */
  function endBehind(by: 'reset' | 'close'): void {
    breakOff(socket, by);
    if (by === 'reset') events.over(brokenOff);
  }

  return {
    headers: head.headers,
    write(request) {
      callWhenConnected(request, (connected) => {
        socket = connected;
        if (end?.when !== 'before') return void pour(request);
        tell({ ...listUnappliedExcept(rule, 'end'), harm: 'the connection was ended in its place' });
        leave(end.by);
      });
    },
    answered(response) {
      tell(written(bytes.length));
      if (end?.when === 'answering') response.once('data', () => setImmediate(() => leave(end.by)));
      if (read === 'none') return false;
      if (read !== undefined) readSlowly(response, read);
      return true;
    },
    failed() {
      const { unapplied: others = [], ...rest } = written(bytes.length);
      if (end?.when === 'answering' && socket !== null) tell({ ...rest, unapplied: [...others, 'end'] });
    },
  };
}

/**
 * Reads a limited number of bytes per interval, as far as a stream can be paused: each chunk is taken, then nothing is
 * read for its share of time.
 */
function readSlowly(response: IncomingMessage, { bytes, everyMs }: { bytes: number; everyMs: number }): void {
  response.on('data', (chunk: Buffer) => {
    response.pause();
    const share = Math.ceil(chunk.length / bytes) * everyMs;
    const timer = setTimeout(() => response.resume(), Math.min(share, longestTimeout));
    response.once('close', () => clearTimeout(timer));
  });
}

function callWhenConnected(request: ClientRequest, go: (socket: Socket) => void): void {
  request.once('socket', (socket: Socket) => {
    const connected = 'encrypted' in socket ? 'secureConnect' : 'connect';
    if (socket.connecting) socket.once(connected, () => go(socket));
    else go(socket);
  });
}
