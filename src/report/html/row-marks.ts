import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import { type EvidenceSpan, findEvidenceSpans } from './evidence-spans.ts';
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
