import type { ServerResponse } from 'node:http';
import type { AppliedWireRule, WirePerformed, WireSse } from '../../../format/model/applied-wire-rule.ts';
import { isValueMap } from '../../../format/model/value.ts';
import { stopCheckingResponses } from '../http-server/sent-responses.ts';
import { readJson } from '../json-text.ts';
import { compress, createFaultyBytes, describeWritten, repeatBytes } from './faulty-bytes.ts';
import { applyRuleToHead, type Head } from './ruled-head.ts';
import { findUnapplied, listUnappliedExcept } from './unapplied-actions.ts';
import { breakOff, callWhenWritten, writeSlowly } from './write-slowly.ts';

// Writes HTTP responses as a rule of the document says.

export interface WholeResponse extends Head {
  readonly text: string;
}

type PerformedReport = (performed: WirePerformed) => void;

/** Keys of a rule that do not apply to a response in one piece. */
const ofOthers = ['repeat', 'frame', 'sse', 'grpc'];

/** Writes a response in one piece. `report` is called once, when nothing more of it will be written. */
export function writeRuled(
  response: ServerResponse,
  whole: WholeResponse,
  rule: AppliedWireRule,
  report: PerformedReport,
): void {
  const { http = {}, stream } = rule;
  if (isReplaced(response, rule, report)) return;
  const { bytes: plain, isOther, harm } = createFaultyBytes(whole.text, rule);
  const bytes = compress(plain, http.compress);
  const isCounted = stream === undefined && rule.pace?.everyMs !== 0;
  const due = {
    'Content-Type': 'application/json',
    ...(isCounted && { 'Content-Length': String(bytes.length) }),
    ...whole.headers,
  };
  const head = applyRuleToHead({ status: whole.status, headers: due }, http, {
    length: bytes.length,
    acceptEncoding: response.req.headers['accept-encoding'],
  });
  const unapplied = findUnapplied(rule, [
    ...ofOthers,
    ...(isOther ? [] : ['bytes']),
    ...(head.isOther ? [] : ['http']),
  ]);
  response.writeHead(head.status, head.headers);
  const endless = stream === 'endless' ? 'its body never ended' : undefined;
  const isOtherBody = rule.bytes !== undefined || http.compress !== undefined;
  const pouring = { unapplied, harm: harm ?? head.harm ?? endless, isLast: true, isAltered: isOtherBody };
  pour(response, bytes, rule, pouring, report);
}

/** Tells whether a rule may change where the peer sees the end of a response. */
function breaksFraming({ http }: AppliedWireRule): boolean {
  const names = Object.keys(http?.headers ?? {});
  return http?.status !== undefined || names.some((name) => framingHeaders.has(name.toLowerCase()));
}

const framingHeaders: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'connection']);

/** Tells whether a rule needs an event stream, where there is a choice. */
export function isEventStreamNeeded({ repeat = 1, sse, stream }: AppliedWireRule): boolean {
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
  rule: AppliedWireRule,
  report: PerformedReport,
): void {
  const { stream, sse = {}, repeat = 1 } = rule;
  if (isReplaced(response, rule, report)) return;
  const { bytes: payload, isOther, harm } = createFaultyBytes(data, rule);
  // The head has gone out before the rule was known.
  const unapplied = findUnapplied(rule, [
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
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${toOneLine(value)}\n`]))
    .join('');
  const uninvited = (sse.events ?? []).map((each) => `data: ${toOneLine(each)}\n\n`).join('');
  const before = ': \n\n'.repeat(sse.comments ?? 0) + uninvited;
  const one = Buffer.concat([Buffer.from(`${head}data: `), payload, Buffer.from('\n\n')]);
  const bytes = Buffer.concat([Buffer.from(before), ...repeatBytes(one, repeat)]);
  const isAltered = rule.bytes !== undefined || rule.sse !== undefined;
  const pouring = { unapplied, harm: harm ?? findEventHarm(sse, event, data), isLast, isAltered };
  pour(response, bytes, rule, pouring, report);
}

/** Finds what is lost with the events of a rule: clients ignore events with other names, and take the first response to a request as its answer. */
function findEventHarm({ event, events = [] }: WireSse, due: string | undefined, data: string): string | undefined {
  if (event !== undefined && event !== due && event !== 'message' && event !== '')
    return `it went out as the event ${event}`;
  const answered = events.flatMap((each) => readAnswerId(each) ?? []);
  return answered.length > 0 && answered.includes(readAnswerId(data) ?? '')
    ? 'another event had answered in its place'
    : undefined;
}

function readAnswerId(text: string): string | undefined {
  const json = readJson(Buffer.from(text), answerDepth);
  if (!json.ok || !isValueMap(json.value)) return undefined;
  const { id, result, error } = json.value;
  // Some clients, the official TypeScript one among them, take "2" as 2.
  return id === undefined || (result ?? error) === undefined ? undefined : String(id);
}

interface Pouring {
  readonly unapplied: Pick<WirePerformed, 'unapplied'>;
  readonly harm: string | undefined;
  readonly isLast: boolean;
  /** Whether the bytes differ from the message. */
  readonly isAltered: boolean;
}

function pour(
  response: ServerResponse,
  bytes: Buffer,
  { pace, end, stream }: AppliedWireRule,
  { unapplied, harm, isLast, isAltered }: Pouring,
  report: PerformedReport,
): void {
  // A response that is over no longer has its socket.
  const { socket } = response;
  const isBroken = end?.when === 'during';
  const length = isBroken ? Math.floor(bytes.length / 2) : bytes.length;
  writeSlowly(response, bytes.subarray(0, length), pace, (written) => {
    report(describeWritten(bytes, written, { ...unapplied, harm, isOther: isAltered }));
    if (response.destroyed) return;
    if (isBroken) callWhenWritten(socket, () => breakOff(socket, end.by));
    else if (end?.when === 'after' && !isLast) callWhenWritten(socket, () => breakOff(socket, end.by));
    else if (isLast && stream !== 'endless') {
      if (end?.when === 'after') response.once('finish', () => callWhenWritten(socket, () => breakOff(socket, end.by)));
      response.end();
    }
  });
}

/** Does what a rule wants in place of the message, if it wants none. */
function isReplaced(response: ServerResponse, rule: AppliedWireRule, report: PerformedReport): boolean {
  const { end, stream } = rule;
  if (breaksFraming(rule)) stopCheckingResponses(response);
  if (end?.when === 'before') {
    breakOff(response.socket, end.by);
    report({ ...listUnappliedExcept(rule, 'end'), harm: 'the connection was ended in its place' });
  } else if (stream === 'silent') report({ ...listUnappliedExcept(rule, 'stream'), harm: 'nothing of it was sent' });
  else if (stream === 'comments') sendComments(response, rule, report);
  else return false;
  return true;
}

const commentEveryMs = 100;

/** Keeps a stream open with comments and no message. */
function sendComments(response: ServerResponse, rule: AppliedWireRule, report: PerformedReport): void {
  const { compress: _, ...http } = rule.http ?? {};
  const due = { status: 200, headers: { 'Content-Type': 'text/event-stream' } };
  const head = applyRuleToHead(due, http, {});
  const isOther = !response.headersSent && head.isOther;
  if (!response.headersSent) response.writeHead(head.status, head.headers);
  response.write(': \n\n');
  const timer = setInterval(() => response.write(': \n\n'), commentEveryMs).unref();
  response.once('close', () => clearInterval(timer));
  const unapplied = listUnappliedExcept(rule, 'stream', ...(isOther ? ['http'] : []));
  report({ ...unapplied, harm: 'comments were sent in its place' });
}

/** Deeper than any client reads. */
const answerDepth = 512;

function toOneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}
