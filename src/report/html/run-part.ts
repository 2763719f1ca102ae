import type { Value, ValueMap } from '../../model/value.ts';
import { compactJson } from '../../primitives/compact-json.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import { formatLines } from './format-lines.ts';
import { type KeepLimits, keepLines } from './kept-lines.ts';
import {
  type MessagesPart,
  type PageMessage,
  type RunDelivery,
  type RunPart,
  type RunTrace,
  rowKinds,
} from './page-data.ts';
import { fileWithin } from './read-results.ts';
import { findMarks, type MarksByRow } from './row-marks.ts';
import { coverageOf, deliveryOf, indicatorOf } from './run-findings.ts';
import { mapIn, mapsIn, numberIn, textIn } from './stored.ts';
import { summarize } from './summarize.ts';
import { type Row, rowOf } from './trace-rows.ts';

const longestText = 160;
const partSize = { rows: 400, characters: 200_000 };

export interface RunPartOptions {
  readonly folder: string;
  readonly redactor: Redactor;
  readonly limits: KeepLimits;
  /** Receives the contents of messages, part by part, as they are ready. */
  messages(part: MessagesPart): void;
}

/** The details of a run beyond its row in the table. */
export function readRun(entry: ValueMap, options: RunPartOptions): RunPart {
  const { redactor } = options;
  const verdict = mapIn(entry, 'verdict');
  const indicators = mapsIn(verdict, 'indicator_verdicts');
  const delivery = deliveryOf(mapIn(entry, 'delivery'), redactor);
  const { trace, firstSeq } = readTrace(entry, indicators, delivery, options);
  const started = textIn(entry, 'started');
  const message = textIn(verdict, 'message');
  const taskReason = textIn(entry, 'task_reason');
  return {
    end: textIn(entry, 'end') ?? '',
    ...(started !== undefined && { started }),
    result: textIn(verdict, 'result') ?? '',
    ...(message !== undefined && { message: redactor.text(message) }),
    causes: mapsIn(entry, 'causes').map((each) => ({
      cause: textIn(each, 'cause') ?? '',
      reason: redactor.text(textIn(each, 'reason') ?? ''),
    })),
    indicators: indicators.map((indicator, index) => indicatorOf(indicator, firstSeq.get(index), redactor)),
    ...(taskReason !== undefined && { taskReason: redactor.text(taskReason) }),
    ...coverageOf(entry, redactor),
    delivery,
    diagnostics: mapsIn(entry, 'diagnostics').map((diagnostic) => {
      const path = textIn(diagnostic, 'path');
      return {
        code: textIn(diagnostic, 'code') ?? '',
        message: redactor.text(textIn(diagnostic, 'message') ?? ''),
        ...(path !== undefined && { path }),
      };
    }),
    trace,
  };
}

interface ReadTrace {
  readonly trace: RunTrace;
  /** For each indicator with evidence, the sequence number of the first record that holds some. */
  readonly firstSeq: ReadonlyMap<number, number>;
}

function readTrace(
  entry: ValueMap,
  indicators: readonly ValueMap[],
  delivery: readonly RunDelivery[],
  options: RunPartOptions,
): ReadTrace {
  const name = textIn(entry, 'trace') ?? '';
  const file = fileWithin(options.folder, name);
  const columns = createColumns(delivery);
  const firstSeq = new Map<number, number>();
  if (file === undefined)
    return {
      trace: columns.finish(name, 'its trace is not in the results folder, or cannot be read', [], []),
      firstSeq,
    };
  const wanted = new Set(
    indicators.flatMap((indicator) => numberIn(mapIn(indicator, 'match'), 'record') ?? []),
  );
  const { lines, leftOutBehind } = keepLines(file, wanted, options.limits);
  const rows: Row[] = [];
  for (const line of lines) rows.push(rowOf(line, rows.at(-1)));
  const marks = findMarks(rows, indicators);
  const flagged: [number, number][] = [];
  for (const [index, { content, request }] of [...marks].sort(([a], [b]) => a - b))
    for (const indicator of new Set([...content, ...request].map((mark) => mark.indicator))) {
      flagged.push([index, indicator]);
      if (!firstSeq.has(indicator)) firstSeq.set(indicator, rows[index]?.seq ?? 0);
    }
  const gaps = rows.flatMap(({ leftOut }, index): [number, number][] =>
    leftOut > 0 ? [[index, leftOut]] : [],
  );
  if (leftOutBehind > 0) gaps.push([rows.length, leftOutBehind]);
  columns.add(rows, options.redactor);
  const parts = writeMessages(rows, marks, options);
  return { trace: { ...columns.finish(name, undefined, flagged, gaps), parts }, firstSeq };
}

/** Writes the contents in parts that are quick to unpack. Returns the first row of each part. */
function writeMessages(rows: readonly Row[], marks: MarksByRow, options: RunPartOptions): readonly number[] {
  const { redactor } = options;
  const starts: number[] = [];
  let part: PageMessage[] = [];
  let size = 0;
  const flush = (): void => {
    if (part.length > 0) options.messages(part);
    part = [];
    size = 0;
  };
  for (const [index, row] of rows.entries()) {
    if (part.length === 0) starts.push(index);
    const own = marks.get(index);
    const lines = formatLines(row.content, own?.content ?? [], redactor);
    const { id, session } = row;
    part.push({
      ...(id !== undefined && { id: redactor.text(compactJson(id, 'own')).slice(0, longestText) }),
      ...(session !== undefined && { session: redactor.text(session).slice(0, longestText) }),
      lines,
      ...(own !== undefined &&
        own.request.length > 0 &&
        row.request !== undefined && { request: formatLines(row.request, own.request, redactor) }),
    });
    for (const { text } of lines) size += text.length + 40;
    if (part.length >= partSize.rows || size >= partSize.characters) flush();
  }
  flush();
  return starts;
}

function createColumns(delivery: readonly RunDelivery[]) {
  const actors = createNames();
  const modes = new Map<string, string>();
  for (const { actor, mode } of delivery) {
    actors.index(actor);
    modes.set(actor, mode);
  }
  const [methods, phases] = [createNames(), createNames()];
  const columns = {
    seq: [] as number[],
    ms: [] as number[],
    actor: [] as number[],
    kind: [] as number[],
    method: [] as number[],
    phase: [] as number[],
    fromAgent: [] as number[],
    text: [] as string[],
  };
  return {
    add(rows: readonly Row[], redactor: Redactor): void {
      let start: number | undefined;
      for (const row of rows) {
        const time = Date.parse(row.timestamp);
        if (!Number.isNaN(time)) start ??= time;
        if (row.actor !== undefined && row.mode !== undefined) modes.set(row.actor, row.mode);
        columns.seq.push(row.seq);
        columns.ms.push(Number.isNaN(time) ? (columns.ms.at(-1) ?? 0) : time - (start ?? time));
        columns.actor.push(actors.index(row.actor));
        columns.kind.push(rowKinds.indexOf(row.kind));
        columns.method.push(methods.index(redactor.text(row.method).slice(0, longestText)));
        columns.phase.push(phases.index(row.phase));
        columns.fromAgent.push(row.fromAgent ? 1 : 0);
        columns.text.push(shortText(row.content, redactor));
      }
    },
    finish(
      file: string,
      problem: string | undefined,
      marks: RunTrace['marks'],
      gaps: RunTrace['gaps'],
    ): RunTrace {
      return {
        file,
        ...(problem !== undefined && { problem }),
        actors: actors.list.map((name) => ({ name, mode: modes.get(name) ?? '' })),
        methods: methods.list,
        phases: phases.list,
        ...columns,
        marks,
        gaps,
        parts: [],
      };
    },
  };
}

function shortText(content: Value, redactor: Redactor): string {
  // A secret may reach beyond the cut, so the text is masked first.
  const text = redactor.text(summarize(content)).replace(/\s+/g, ' ').trim();
  return text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text;
}

function createNames() {
  const list: string[] = [];
  const indices = new Map<string, number>();
  return {
    list,
    index(name: string | undefined): number {
      if (name === undefined) return -1;
      let index = indices.get(name);
      if (index === undefined) {
        index = list.push(name) - 1;
        indices.set(name, index);
      }
      return index;
    },
  };
}
