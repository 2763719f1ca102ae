import type { ServerResponse } from 'node:http';
import { isValueMap } from '../../model/value.ts';
import type { WireOrder, WirePerformed, WireSse } from '../../model/wire.ts';
import { readJson } from '../json-text.ts';
import { breakOff, flushed } from './break-off.ts';
import { compressed } from './compressed.ts';
import { copies, described, faultyBytes } from './faulty-bytes.ts';
import { type Head, orderedHead } from './ordered-head.ts';
import { writeSlowly } from './slowly.ts';
import { allBut, undoneOf } from './undone.ts';

// Writes HTTP responses as a document orders them.

export interface WholeResponse extends Head {
  readonly text: string;
}

type Told = (performed: WirePerformed) => void;

/** Keys of an order that do not apply to a response in one piece. */
const ofOthers = ['repeat', 'frame', 'sse', 'grpc'];

/** Writes a response in one piece. `told` is called once, when nothing more of it will be written. */
export function writeOrdered(
  response: ServerResponse,
  whole: WholeResponse,
  order: WireOrder,
  told: Told,
): void {
  const { http = {}, end, stream } = order;
  if (end?.when === 'before') return void leave(response, end.by, order, told);
  if (stream === 'silent') return void beSilent(order, told);
  if (stream === 'comments') return void commentOn(response, order, told);
  const { bytes: plain, isOther, harm } = faultyBytes(whole.text, order);
  const bytes = compressed(plain, http.compress);
  const isCounted = stream === undefined && order.pace?.everyMs !== 0;
  const due = {
    'Content-Type': 'application/json',
    ...(isCounted && { 'Content-Length': String(bytes.length) }),
    ...whole.headers,
  };
  const head = orderedHead({ status: whole.status, headers: due }, http, {
    length: bytes.length,
    acceptEncoding: response.req.headers['accept-encoding'],
  });
  const undone = undoneOf(order, [
    ...ofOthers,
    ...(isOther ? [] : ['bytes']),
    ...(head.isOther ? [] : ['http']),
  ]);
  response.writeHead(head.status, head.headers);
  const endless = stream === 'endless' ? 'its body never ended' : undefined;
  const isOtherBody = order.bytes !== undefined || http.compress !== undefined;
  const pouring = { undone, harm: harm ?? head.harm ?? endless, isLast: true, isAltered: isOtherBody };
  pour(response, bytes, order, pouring, told);
}

/** Tells whether an order needs an event stream, where there is a choice. */
export function needsEvents({ repeat = 1, sse, stream }: WireOrder): boolean {
  return repeat > 1 || sse !== undefined || stream === 'comments';
}

export interface EventFrame {
  readonly data: string;
  readonly id?: string | undefined;
  readonly event?: string | undefined;
}

/** Writes an event on a stream that may have begun; the stream ends after the last event. */
export function writeEvent(
  response: ServerResponse,
  { data, id, event }: EventFrame,
  isLast: boolean,
  order: WireOrder,
  told: Told,
): void {
  const { end, stream, sse = {}, repeat = 1 } = order;
  if (end?.when === 'before') return void leave(response, end.by, order, told);
  if (stream === 'silent') return void beSilent(order, told);
  if (stream === 'comments') return void commentOn(response, order, told);
  const { bytes: payload, isOther, harm } = faultyBytes(data, order);
  // The head has gone out before the order was known.
  const undone = undoneOf(order, [
    ...['frame', 'grpc', 'http'],
    ...(isOther ? [] : ['bytes']),
    // A stream that serves more than this answer stays open anyway.
    ...(stream === 'endless' && !isLast ? ['stream'] : []),
  ]);
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
  const bytes = Buffer.concat([Buffer.from(before), ...copies(one, repeat)]);
  const isAltered = order.bytes !== undefined || order.sse !== undefined;
  const pouring = { undone, harm: harm ?? harmOfEvent(sse, event, data), isLast, isAltered };
  pour(response, bytes, order, pouring, told);
}

/** Clients ignore events with other names, and take the first response to a request as its answer. */
function harmOfEvent(
  { event, events = [] }: WireSse,
  due: string | undefined,
  data: string,
): string | undefined {
  if (event !== undefined && event !== due && event !== 'message' && event !== '')
    return `it went out as the event ${event}`;
  const answered = events.flatMap((each) => idIn(each) ?? []);
  return answered.length > 0 && answered.includes(idIn(data) ?? '')
    ? 'another event had answered in its place'
    : undefined;
}

/** The id under which a text answers. */
function idIn(text: string): string | undefined {
  const json = readJson(Buffer.from(text), answerDepth);
  if (!json.ok || !isValueMap(json.value)) return undefined;
  const { id, result, error } = json.value;
  // Some clients, the official TypeScript one among them, take "2" as 2.
  return id === undefined || (result ?? error) === undefined ? undefined : String(id);
}

interface Pouring {
  readonly undone: Pick<WirePerformed, 'undone'>;
  readonly harm: string | undefined;
  readonly isLast: boolean;
  /** Whether the bytes differ from the message. */
  readonly isAltered: boolean;
}

function pour(
  response: ServerResponse,
  bytes: Buffer,
  { pace, end, stream }: WireOrder,
  { undone, harm, isLast, isAltered }: Pouring,
  told: Told,
): void {
  // A response that is over no longer has its socket.
  const { socket } = response;
  const isBroken = end?.when === 'during';
  const length = isBroken ? Math.floor(bytes.length / 2) : bytes.length;
  writeSlowly(response, bytes.subarray(0, length), pace, (written) => {
    const wrong =
      harm ?? (written < bytes.length ? `only ${written} of ${bytes.length} bytes were written` : undefined);
    told({
      ...undone,
      ...(wrong !== undefined && { harm: wrong }),
      ...((isAltered || written < bytes.length) && described(bytes.subarray(0, written))),
    });
    if (response.destroyed) return;
    if (isBroken) flushed(socket, () => breakOff(socket, end.by));
    else if (end?.when === 'after' && !isLast) flushed(socket, () => breakOff(socket, end.by));
    else if (isLast && stream !== 'endless') {
      if (end?.when === 'after')
        response.once('finish', () => flushed(socket, () => breakOff(socket, end.by)));
      response.end();
    }
  });
}

function leave(response: ServerResponse, by: 'reset' | 'close', order: WireOrder, told: Told): void {
  breakOff(response.socket, by);
  told({ ...allBut(order, 'end'), harm: 'the connection was ended in its place' });
}

function beSilent(order: WireOrder, told: Told): void {
  told({ ...allBut(order, 'stream'), harm: 'nothing of it was sent' });
}

const commentEveryMs = 100;

/** Keeps a stream open with comments and no message. */
function commentOn(response: ServerResponse, order: WireOrder, told: Told): void {
  const { compress: _, ...http } = order.http ?? {};
  const due = { status: 200, headers: { 'Content-Type': 'text/event-stream' } };
  const head = orderedHead(due, http, {});
  const isOther = !response.headersSent && head.isOther;
  if (!response.headersSent) response.writeHead(head.status, head.headers);
  response.write(': \n\n');
  const timer = setInterval(() => response.write(': \n\n'), commentEveryMs).unref();
  response.once('close', () => clearInterval(timer));
  const undone = allBut(order, 'stream', ...(isOther ? ['http'] : []));
  told({ ...undone, harm: 'comments were sent in its place' });
}

/** Deeper than any client reads. */
const answerDepth = 512;

function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}
