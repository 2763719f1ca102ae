import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { WireOrder, WirePerformed } from '../../model/wire.ts';
import { breakOff, flushed } from './break-off.ts';
import { compressed } from './compressed.ts';
import { described, faultyBytes } from './faulty-bytes.ts';
import { orderedHead } from './ordered-head.ts';
import { writeSlowly } from './slowly.ts';
import { allBut, undoneOf } from './undone.ts';

// HTTP requests as a document orders them, and how their answers are read.

export interface PlainRequest {
  readonly headers: { readonly [name: string]: string };
  readonly body?: string | undefined;
}

export interface RequestEvents {
  /** Called once, when nothing more of it will be written. */
  told(performed: WirePerformed): void;
  /** We have ended it ourselves, or read no more of it. The connection may still be open. */
  over(reason: string): void;
}

export interface OrderedRequest {
  /** Its headers, the length of its body among them. */
  readonly headers: { readonly [name: string]: string };
  /** Writes it in place of `end`. */
  write(request: ClientRequest): void;
  /** Takes its answer; says whether that is to be read as usual. */
  answered(response: IncomingMessage): boolean;
  /** It is over without what the order waits for. */
  failed(): void;
}

/** What HTTP has not, or what only answers have. */
const ofOthers = ['frame', 'grpc', 'sse', 'stream', 'id'];
/** How long a peer has to end its side once ours is ended. */
const lingerMs = 1_000;
const brokenOff = 'the connection was ended from our side, as the document orders';

export function orderRequest(plain: PlainRequest, order: WireOrder, events: RequestEvents): OrderedRequest {
  const { end, pace, read } = order;
  const { status: _, ...http } = order.http ?? {};
  const text = plain.body ?? '';
  const faulty = faultyBytes(text, order);
  const bytes = compressed(faulty.bytes, text === '' ? undefined : http.compress);
  const isCounted = plain.body !== undefined && pace?.everyMs !== 0;
  const due = { ...plain.headers, ...(isCounted && { 'content-length': String(bytes.length) }) };
  const head = orderedHead({ status: 200, headers: due }, http, { length: bytes.length });
  const undone = undoneOf(order, [
    ...ofOthers,
    ...(faulty.isOther && text !== '' ? [] : ['bytes']),
    ...(head.isOther ? [] : ['http']),
    ...(text === '' ? ['pace'] : []),
    // Only where the protocol has batches is the text of the request one.
    ...(text.startsWith('[') ? [] : ['batch']),
  ]);
  let isTold = false;
  let socket: Socket | null = null;

  const tell = (performed: WirePerformed): void => {
    if (!isTold) events.told(performed);
    isTold = true;
  };
  const written = (count: number): WirePerformed => {
    const isCut = count < bytes.length;
    const harm =
      faulty.harm ?? head.harm ?? (isCut ? `only ${count} of ${bytes.length} bytes were written` : undefined);
    const isAltered = faulty.isOther || http.compress !== undefined || isCut;
    return {
      ...undone,
      ...(harm !== undefined && { harm }),
      ...(isAltered && described(bytes.subarray(0, count))),
    };
  };
  const leave = (by: 'reset' | 'close'): void => {
    breakOff(socket, by);
    if (by === 'reset') return void events.over(brokenOff);
    // Who ends only its own side still hears what the peer says to that.
    const patience = setTimeout(() => events.over(brokenOff), lingerMs);
    socket?.once('close', () => {
      clearTimeout(patience);
      events.over(brokenOff);
    });
  };

  function pour(request: ClientRequest): void {
    const isBroken = end?.when === 'during';
    const length = isBroken ? Math.floor(bytes.length / 2) : bytes.length;
    // A request without a body is broken off behind its head.
    if (isBroken) request.flushHeaders();
    writeSlowly(request, bytes.subarray(0, length), pace, (count) => {
      if (end?.when !== 'answering' || count < length) tell(written(count));
      if (request.destroyed) return;
      if (isBroken) return void flushed(socket, () => leave(end.by));
      request.end(() => {
        if (read === 'none') events.over('nothing of its answer is read, as the document orders');
        else if (end?.when === 'after') flushed(socket, () => endBehind(end.by));
      });
    });
  }

  /** An answer may still come over a connection that is ended on our side only. */
  function endBehind(by: 'reset' | 'close'): void {
    breakOff(socket, by);
    if (by === 'reset') events.over(brokenOff);
  }

  return {
    headers: head.headers,
    write(request) {
      whenConnected(request, (connected) => {
        socket = connected;
        if (end?.when !== 'before') return void pour(request);
        tell({ ...allBut(order, 'end'), harm: 'the connection was ended in its place' });
        leave(end.by);
      });
    },
    answered(response) {
      if (end?.when === 'answering') {
        tell(written(bytes.length));
        response.once('data', () => setImmediate(() => leave(end.by)));
      } else tell(written(bytes.length));
      if (read === 'none') return false;
      if (read !== undefined) readSlowly(response, read);
      return true;
    },
    failed() {
      const { undone: others = [], ...rest } = written(bytes.length);
      if (end?.when === 'answering' && socket !== null) tell({ ...rest, undone: [...others, 'end'] });
    },
  };
}

/** Reads so many bytes in a while, as far as a stream can be held: what has come is taken, and then nothing for its time. */
function readSlowly(response: IncomingMessage, { bytes, everyMs }: { bytes: number; everyMs: number }): void {
  response.on('data', (chunk: Buffer) => {
    response.pause();
    const timer = setTimeout(() => response.resume(), Math.ceil(chunk.length / bytes) * everyMs);
    response.once('close', () => clearTimeout(timer));
  });
}

function whenConnected(request: ClientRequest, go: (socket: Socket) => void): void {
  request.once('socket', (socket: Socket) => {
    const connected = 'encrypted' in socket ? 'secureConnect' : 'connect';
    if (socket.connecting) socket.once(connected, () => go(socket));
    else go(socket);
  });
}
