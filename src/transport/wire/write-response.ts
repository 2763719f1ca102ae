import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { WireHttp, WireOrder, WirePerformed } from '../../model/wire.ts';
import { breakOff } from './break-off.ts';
import { described, faultyBytes } from './faulty-bytes.ts';
import { writeSlowly } from './slowly.ts';

// HTTP responses as a document orders them.

export interface WholeResponse {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly text: string;
}

type Told = (performed: WirePerformed) => void;

/** What a response in one piece cannot do. */
const ofOthers = ['repeat', 'frame', 'sse', 'grpc'];

/** Writes a response in one piece. `told` is called once, when nothing more of it will be written. */
export function writeOrdered(
  response: ServerResponse,
  whole: WholeResponse,
  order: WireOrder,
  told: Told,
): void {
  const { http = {}, end, stream } = order;
  const undone = undoneOf(order, ofOthers);
  if (end?.when === 'before') return void leave(response, end.by, undone, told);
  if (stream === 'silent') return void told({ ...undone, harm: 'nothing of it was sent' });
  if (stream === 'comments') return void commentOn(response, http, undone, told);
  const { bytes: plain, harm } = faultyBytes(whole.text, order);
  const bytes = compressed(plain, http.compress);
  const isCounted = stream === undefined && order.pace?.everyMs !== 0;
  response.writeHead(http.status ?? whole.status, {
    'Content-Type': 'application/json',
    ...(isCounted && { 'Content-Length': String(bytes.length) }),
    ...whole.headers,
    ...headersOf(http),
  });
  pour(response, bytes, order, { undone, harm, isLast: true }, told);
}

/** Whether an order is for a stream of events, where there is a choice. */
export function needsEvents({ repeat = 1, sse, stream }: WireOrder): boolean {
  return repeat > 1 || sse !== undefined || stream === 'comments';
}

export interface EventFrame {
  readonly data: string;
  readonly id?: string | undefined;
  readonly event?: string | undefined;
}

/** Writes an event, on a stream that may have begun; the stream ends behind the last one. */
export function writeEvent(
  response: ServerResponse,
  { data, id, event }: EventFrame,
  isLast: boolean,
  order: WireOrder,
  told: Told,
): void {
  const { end, stream, sse = {}, repeat = 1 } = order;
  // Its head has gone out before anybody knew what was to follow.
  const undone = undoneOf(order, ['frame', 'grpc', 'http']);
  if (end?.when === 'before') return void leave(response, end.by, undone, told);
  if (stream === 'silent') return void told({ ...undone, harm: 'nothing of it was sent' });
  if (stream === 'comments') return void commentOn(response, {}, undone, told);
  const { bytes: payload, harm } = faultyBytes(data, order);
  const fields = {
    id: sse.id ?? id,
    retry: sse.retry,
    event: sse.event ?? event,
  };
  const head = Object.entries(fields)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${oneLine(value)}\n`]))
    .join('');
  const uninvited = (sse.events ?? []).map((each) => `data: ${oneLine(each)}\n\n`).join('');
  const before = ': \n\n'.repeat(sse.comments ?? 0) + uninvited;
  const one = Buffer.concat([Buffer.from(`${head}data: `), payload, Buffer.from('\n\n')]);
  const bytes = Buffer.concat([Buffer.from(before), ...Array.from({ length: repeat }, () => one)]);
  pour(response, bytes, order, { undone, harm, isLast }, told);
}

interface Pouring {
  readonly undone: Pick<WirePerformed, 'undone'>;
  readonly harm: string | undefined;
  readonly isLast: boolean;
}

function pour(
  response: ServerResponse,
  bytes: Buffer,
  { pace, end, stream, bytes: fault, http, sse }: WireOrder,
  { undone, harm, isLast }: Pouring,
  told: Told,
): void {
  // A response that is over no longer knows its connection.
  const { socket } = response;
  const isBroken = end?.when === 'during';
  const length = isBroken ? Math.floor(bytes.length / 2) : bytes.length;
  writeSlowly(response, bytes.subarray(0, length), pace, (written) => {
    const isAltered = (fault ?? http?.compress ?? sse) !== undefined || written < bytes.length;
    const wrong =
      harm ?? (written < bytes.length ? `only ${written} of ${bytes.length} bytes were written` : undefined);
    told({
      ...undone,
      ...(wrong !== undefined && { harm: wrong }),
      ...(isAltered && described(bytes.subarray(0, written))),
    });
    if (response.destroyed) return;
    if (isBroken) flushed(socket, () => breakOff(socket, end.by));
    else if (isLast && stream !== 'endless') {
      if (end?.when === 'after')
        response.once('finish', () => flushed(socket, () => breakOff(socket, end.by)));
      response.end();
    }
  });
}

/** Lets what was written leave this process, so that the peer sees the beginning before the end. */
function flushed(socket: Socket | null, then: () => void): void {
  setImmediate(() => {
    if (socket === null || socket.destroyed || socket.writableLength === 0) then();
    else flushed(socket, then);
  });
}

function leave(
  response: ServerResponse,
  by: 'reset' | 'close',
  undone: Pick<WirePerformed, 'undone'>,
  told: Told,
): void {
  breakOff(response.socket, by);
  told({ ...undone, harm: 'the connection was ended in its place' });
}

const commentEveryMs = 100;

/** Keeps a stream open that never says anything. */
function commentOn(
  response: ServerResponse,
  http: WireHttp,
  undone: Pick<WirePerformed, 'undone'>,
  told: Told,
): void {
  if (!response.headersSent)
    response.writeHead(http.status ?? 200, { 'Content-Type': 'text/event-stream', ...headersOf(http) });
  response.write(': \n\n');
  const timer = setInterval(() => response.write(': \n\n'), commentEveryMs).unref();
  response.once('close', () => clearInterval(timer));
  told({ ...undone, harm: 'comments were sent in its place' });
}

const compressions = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync } as const;

function compressed(bytes: Buffer, by: WireHttp['compress']): Buffer {
  return by === undefined ? bytes : compressions[by](bytes);
}

export function headersOf({ headers = {}, contentType, compress }: WireHttp): {
  readonly [name: string]: string;
} {
  const said = {
    ...(contentType !== undefined && { 'Content-Type': contentType }),
    ...(compress !== undefined && { 'Content-Encoding': compress }),
    ...headers,
  };
  // What HTTP cannot carry in a header would be a fault of ours.
  return Object.fromEntries(
    Object.entries(said).filter(
      (each): each is [string, string] => each[1] !== null && isHeader(each[0], each[1]),
    ),
  );
}

function isHeader(name: string, value: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}

/** Those of an order that are among what cannot be done here. */
export function undoneOf(order: WireOrder, impossible: readonly string[]): Pick<WirePerformed, 'undone'> {
  const undone = order.deeds.filter((deed) => impossible.includes(deed));
  return undone.length === 0 ? {} : { undone };
}
