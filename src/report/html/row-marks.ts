import { isCollection, isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import { formatCompactJson, listKeys } from '../../format/primitives/compact-json.ts';
import type { IndicatorSpan } from './format-lines.ts';
import { readNumberField, readTextField } from './stored-fields.ts';
import type { TraceRow } from './trace-rows.ts';

/** The evidence in a row: in its content, or in the request that it answers. */
export interface RowMarks {
  readonly content: IndicatorSpan[];
  readonly request: IndicatorSpan[];
}

export type MarksByRow = ReadonlyMap<number, RowMarks>;

const wholeContent: EvidenceSpan = { path: [], from: 0, to: 0 };

/** Finds the rows that hold evidence, and the spans of the evidence. */
export function findMarks(rows: readonly TraceRow[], indicators: readonly ValueMap[]): MarksByRow {
  const bySeq = new Map(rows.map(({ seq }, index) => [seq, index]));
  const marks = new Map<number, RowMarks>();
  const add = (row: number, indicator: number, part: keyof RowMarks, spans: readonly EvidenceSpan[]): void => {
    let own = marks.get(row);
    if (own === undefined) {
      own = { content: [], request: [] };
      marks.set(row, own);
    }
    for (const span of spans) own[part].push({ ...span, indicator });
  };
  for (const [indicator, { match }] of indicators.entries()) {
    if (!isValueMap(match)) continue;
    const index = bySeq.get(readNumberField(match, 'record') ?? Number.NaN);
    if (index === undefined) continue;
    const [path, from, to] = [
      readTextField(match, 'path') ?? '',
      readNumberField(match, 'from') ?? 0,
      readNumberField(match, 'to') ?? 0,
    ];
    const projection = readTextField(match, 'projection');
    if (projection === 'response.content' || (projection === 'joined stream' && path === 'delta')) {
      const parts = findStreamedParts(rows, index, from, to);
      for (const { row, span } of parts) add(row, indicator, 'content', [span]);
      if (parts.length === 0) add(index, indicator, 'content', [wholeContent]);
      continue;
    }
    const row = rows[index] as TraceRow;
    const place = findMarkedValue(row, path, projection);
    const spans = place === undefined ? [] : findEvidenceSpans(place.value, place.path, from, to);
    if (place === undefined || spans.length === 0) add(index, indicator, 'content', [wholeContent]);
    else add(index, indicator, place.part, spans);
  }
  return marks;
}

interface Place {
  readonly part: keyof RowMarks;
  readonly value: Value;
  readonly path: string;
}

const requestPath = /^_request(?:\.|(?=\[)|$)/;
const bodyPath = /^body(?:\.|(?=\[)|$)/;

/** The value that a path leads into: the message, or the request that evaluation put beside it. */
function findMarkedValue(
  { content, request }: TraceRow,
  path: string,
  projection: string | undefined,
): Place | undefined {
  const isOwn = isValueMap(content) && Object.hasOwn(content, '_request');
  if (projection === undefined && request !== undefined && !isOwn && requestPath.test(path))
    return { part: 'request', value: request, path: path.replace(requestPath, '') };
  if (projection === undefined) return { part: 'content', value: content, path };
  if (projection === 'body') return { part: 'content', value: content, path: path.replace(bodyPath, '') };
  // A delegated task is also offered as a tool call whose arguments are the message.
  if (projection === 'arguments' && isValueMap(content) && content.message !== undefined)
    return { part: 'content', value: content.message, path: path.replace(/^arguments\.?/, '') };
  return undefined;
}

const deltas = new Set(['text_message_content', 'text_message_chunk']);

/** The assistant's text was joined from parts. Finds the parts that a span covers. */
function findStreamedParts(
  rows: readonly TraceRow[],
  last: number,
  from: number,
  to: number,
): readonly { readonly row: number; readonly span: EvidenceSpan }[] {
  const { actor, session, content } = rows[last] as TraceRow;
  const message = readMessageId(content);
  const parts: { row: number; length: number }[] = [];
  for (let index = last; index >= 0; index--) {
    const row = rows[index] as TraceRow;
    if (row.actor === actor && row.session === session && row.fromAgent && readMessageId(row.content) === message) {
      if (row.method === 'text_message_start') break;
      if (deltas.has(row.method)) parts.unshift({ row: index, length: measureDelta(row.content) });
    }
    // With a left-out part, the offsets would be wrong.
    if (row.leftOut > 0) return [];
  }
  let start = 0;
  return parts.flatMap(({ row, length }) => {
    const span = { path: ['delta'], from: Math.max(0, from - start), to: Math.min(length, to - start) };
    start += length;
    return span.from < span.to ? [{ row, span }] : [];
  });
}

function readMessageId(content: Value): string | undefined {
  return isValueMap(content) ? readTextField(content, 'messageId') : undefined;
}

function measureDelta(content: Value): number {
  return isValueMap(content) ? (readTextField(content, 'delta')?.length ?? 0) : 0;
}

/** Evidence within the string that holds it. A span from 0 to 0 stands for a whole value of any type. */
export interface EvidenceSpan {
  readonly path: readonly (string | number)[];
  readonly from: number;
  readonly to: number;
}

const deepest = 200;
const mostSpans = 200;

/**
 * Finds the spans of evidence in a message. A match counts into a string, or into compact JSON with sorted keys. The
 * page shows neither compact nor sorted JSON, so a match of the second kind is split into the strings that it covers.
 */
export function findEvidenceSpans(message: Value, path: string, from: number, to: number): readonly EvidenceSpan[] {
  const segments = splitPath(path);
  const value = findValueAtPath(message, segments);
  if (value === undefined) return [];
  if (typeof value === 'string') return [from < to ? { path: segments, from, to } : { path: segments, from: 0, to: 0 }];
  const whole: EvidenceSpan = { path: segments, from: 0, to: 0 };
  if (!isCollection(value) || from >= to) return [whole];
  if (from === 0 && to >= formatCompactJson(value, 'sorted').length) return [whole];
  const spans = findSpansWithin(value, segments, from, to);
  return spans.length === 0 ? [whole] : spans;
}

/** `tools[1].description` → tools, 1, description. */
function splitPath(path: string): readonly (string | number)[] {
  return [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([segment, index]) =>
    index === undefined ? segment : Number(index),
  );
}

function findValueAtPath(message: Value, path: readonly (string | number)[]): Value | undefined {
  let value: Value | undefined = message;
  for (const segment of path) {
    if (Array.isArray(value)) value = (value as readonly Value[])[Number(segment)];
    else if (isValueMap(value) && Object.hasOwn(value, segment)) value = value[segment];
    else return undefined;
  }
  return value;
}

function findSpansWithin(value: Value, path: readonly (string | number)[], from: number, to: number): EvidenceSpan[] {
  const spans: EvidenceSpan[] = [];
  let at = 0;

  function visit(item: Value, place: readonly (string | number)[], depth: number): void {
    if (at >= to || spans.length >= mostSpans) return;
    if (!isCollection(item) || depth > deepest) {
      const text = formatCompactJson(item, 'sorted');
      if (at + text.length > from) spans.push(...locateInLeaf(item, text, place, from - at, to - at));
      at += text.length;
      return;
    }
    at += 1;
    const entries: readonly (readonly [string | number, Value])[] = Array.isArray(item)
      ? [...(item as readonly Value[]).entries()]
      : listKeys(item as ValueMap, 'sorted').map((key) => [key, (item as ValueMap)[key] as Value]);
    for (const [index, [key, child]] of entries.entries()) {
      if (index > 0) at += 1;
      if (typeof key === 'string') at += JSON.stringify(key).length + 1;
      visit(child, [...place, key], depth + 1);
    }
    at += 1;
  }

  visit(value, path, 0);
  return spans;
}

function locateInLeaf(
  item: Value,
  text: string,
  path: EvidenceSpan['path'],
  from: number,
  to: number,
): readonly EvidenceSpan[] {
  const whole: EvidenceSpan = { path, from: 0, to: 0 };
  if (typeof item !== 'string') return [whole];
  const start = toRawOffset(text, Math.max(from, 1));
  const end = toRawOffset(text, Math.min(to, text.length - 1));
  return start < end ? [{ path, from: start, to: end }] : [];
}

/** Turns an offset into a string's JSON form into an offset into the string itself. */
function toRawOffset(json: string, offset: number): number {
  let raw = 0;
  for (let at = 1; at < offset; raw++) at += json[at] !== '\\' ? 1 : json[at + 1] === 'u' ? 6 : 2;
  return raw;
}
