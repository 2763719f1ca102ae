import { disclosureStates } from '../../format/model/results-file.ts';
import { dropUndefined, type Value, type ValueMap } from '../../format/model/value.ts';
import { formatCompactJson } from '../../format/primitives/compact-json.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import { nameDisclosure } from '../format-figures.ts';
import { formatLines } from './format-lines.ts';
import { type KeepLimits, keepLines } from './kept-lines.ts';
import { type MessagesPart, type PageMessage, type RunPart, type RunTrace, rowKinds } from './page-data.ts';
import { openNamed } from './read-report-results.ts';
import { findMarks, type MarksByRow } from './row-marks.ts';
import { createRunIndicator, readCoverage, readDelivery } from './run-findings.ts';
import { readMapField, readMapsField, readNumberField, readTextField, readTextsField } from './stored-fields.ts';
import { createTraceRow, summarizeMessage, type TraceRow } from './trace-rows.ts';

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
export function readRunPart(entry: ValueMap, options: RunPartOptions): RunPart {
  const { redactor } = options;
  const verdict = readMapField(entry, 'verdict');
  const indicators = readMapsField(verdict, 'indicator_verdicts');
  const actors = readMapField(entry, 'delivery');
  const delivery = Object.fromEntries(
    Object.keys(actors).map((actor) => [actor, redactor.judged(readDelivery(readMapField(actors, actor)))]),
  );
  const coverage = readCoverage(readMapField(entry, 'coverage'));
  const { trace, firstSeq } = readTracePart(entry, indicators, delivery, options);
  const message = readTextField(verdict, 'message');
  const taskReason = readTextField(entry, 'task_reason');
  const aside = readTextsField(entry, 'set_aside');
  return dropUndefined({
    end: readTextField(entry, 'end') ?? '',
    started: readTextField(entry, 'started'),
    result: readTextField(verdict, 'result') ?? '',
    message: message && redactor.text(message),
    causes: readMapsField(entry, 'causes').map((each) => ({
      cause: readTextField(each, 'cause') ?? '',
      reason: redactor.text(readTextField(each, 'reason') ?? ''),
    })),
    indicators: indicators.map((indicator, index) =>
      createRunIndicator(indicator, firstSeq.get(index), redactor, aside),
    ),
    taskReason: taskReason && redactor.text(taskReason),
    disclosure: readDisclosure(entry, redactor),
    demand: readTextField(entry, 'demand'),
    coverage: coverage && redactor.judged(coverage),
    delivery,
    diagnostics: readMapsField(entry, 'diagnostics').map((diagnostic) =>
      dropUndefined({
        code: readTextField(diagnostic, 'code') ?? '',
        message: redactor.text(readTextField(diagnostic, 'message') ?? ''),
        path: readTextField(diagnostic, 'path'),
      }),
    ),
    trace,
  });
}

function readDisclosure(entry: ValueMap, redactor: Redactor): RunPart['disclosure'] {
  const details = readMapField(entry, 'disclosure_details');
  const disclosure = disclosureStates.find((state) => state === entry.disclosure);
  const words = nameDisclosure(disclosure, readTextField(details, 'decided_by'));
  if (words === undefined) return undefined;
  const [reason, sentence] = [readTextField(details, 'reason'), readTextField(details, 'sentence')];
  return dropUndefined({
    words,
    reason: reason && redactor.text(reason),
    sentence: sentence && redactor.text(sentence),
  });
}

interface ReadTrace {
  readonly trace: RunTrace;
  /** For each indicator with evidence, the sequence number of the first record that holds some. */
  readonly firstSeq: ReadonlyMap<number, number>;
}

function readTracePart(
  entry: ValueMap,
  indicators: readonly ValueMap[],
  delivery: RunPart['delivery'],
  options: RunPartOptions,
): ReadTrace {
  const name = readTextField(entry, 'trace') ?? '';
  const file = openNamed(options.folder, name);
  const columns = createColumns(delivery);
  const firstSeq = new Map<number, number>();
  if (file === undefined)
    return {
      trace: columns.finish(name, 'its trace is not in the results folder, or cannot be read', [], []),
      firstSeq,
    };
  const wanted = new Set(
    indicators.flatMap((indicator) => readNumberField(readMapField(indicator, 'match'), 'record') ?? []),
  );
  const { lines, leftOutBehind } = keepLines(file, wanted, options.limits);
  const rows: TraceRow[] = [];
  for (const line of lines) rows.push(createTraceRow(line, rows.at(-1)));
  const marks = findMarks(rows, indicators);
  const flagged: [number, number][] = [];
  for (const [index, { content, request }] of [...marks].sort(([a], [b]) => a - b))
    for (const indicator of new Set([...content, ...request].map((mark) => mark.indicator))) {
      flagged.push([index, indicator]);
      if (!firstSeq.has(indicator)) firstSeq.set(indicator, rows[index]?.seq ?? 0);
    }
  const gaps = rows.flatMap(({ leftOut }, index): [number, number][] => (leftOut > 0 ? [[index, leftOut]] : []));
  if (leftOutBehind > 0) gaps.push([rows.length, leftOutBehind]);
  columns.add(rows, options.redactor);
  const parts = writeMessages(rows, marks, options);
  return { trace: { ...columns.finish(name, undefined, flagged, gaps), parts }, firstSeq };
}

/** Writes the contents in parts that are quick to unpack. Returns the first row of each part. */
function writeMessages(rows: readonly TraceRow[], marks: MarksByRow, options: RunPartOptions): readonly number[] {
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
      ...(id !== undefined && { id: redactor.text(formatCompactJson(id, 'own')).slice(0, longestText) }),
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

function createColumns(delivery: RunPart['delivery']) {
  const actors = createNames();
  const modes = new Map<string, string>();
  for (const [actor, { mode }] of Object.entries(delivery)) {
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
    add(rows: readonly TraceRow[], redactor: Redactor): void {
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
        columns.text.push(formatShortText(row.content, redactor));
      }
    },
    finish(file: string, problem: string | undefined, marks: RunTrace['marks'], gaps: RunTrace['gaps']): RunTrace {
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

function formatShortText(content: Value, redactor: Redactor): string {
  // A secret may reach beyond the cut, so the text is masked first.
  const text = redactor.text(summarizeMessage(content)).replace(/\s+/g, ' ').trim();
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
