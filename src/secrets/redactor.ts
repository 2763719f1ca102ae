import { parseJson, stringifyJson } from '../model/json.ts';
import type { RunEntry } from '../model/results.ts';
import type { TraceRecord } from '../model/trace.ts';
import { isValueMap, type Value } from '../model/value.ts';
import { coveredLines } from './config-lines.ts';
import type { MarkedText, Span } from './cover.ts';
import type { GivenValues } from './given.ts';
import { type Choose, createHider, type Hider, hideWithin } from './hider.ts';
import { patternFinder, type SecretPattern } from './patterns.ts';
import { withinBase64 } from './platform.ts';
import { coverKeyLines, shapeFinder } from './shapes.ts';

export type { Finder, MarkedText, Range, Span } from './cover.ts';
export type { SecretPattern } from './patterns.ts';

/** What went through a redactor. Files of traces and results take nothing else. */
export type Redacted<T> = T & { readonly [redacted]: true };
declare const redacted: unique symbol;

/** The way out: takes secrets out of what is stored, reported and shown. */
export interface Redactor {
  /** Whether well-known shapes of secrets are masked. */
  readonly masksShapes: boolean;
  text(text: string): string;
  /** A text of which spans are marked; they stay on what they were on. */
  marked(text: string, spans: readonly Span[]): MarkedText;
  /** The same beside its key: where the key tells, as `password` does, nothing of the text is left. */
  named(key: string, text: string, spans: readonly Span[]): MarkedText;
  /** A text with as many lines as before. */
  lines(text: string): readonly string[];
  /** The lines of a configuration, without what variables and headers are set to. */
  configLines(text: string): readonly string[];
  /** Whatever JSON can hold, with all of its texts and keys. */
  value<T>(value: T): T;
  /** What a record carries. Patterns leave its own fields: one of four digits must not take its year. */
  record(record: TraceRecord): Redacted<TraceRecord>;
  /** A line of a trace file. */
  line(line: string): string;
  /** A verdict or an outcome. Patterns look only into what quotes others. */
  judged<T extends object>(judged: T): T;
  /** What is stored of a run. */
  entry(entry: RunEntry): Redacted<RunEntry>;
  /** The same without shapes, for what is masked again by whoever shows it. */
  readonly withoutShapes: Redactor;
}

/** Which secrets are taken out. */
export interface Secrets {
  /** What looks like a secret; it is masked unless this says no. */
  readonly shapes?: boolean;
  readonly patterns?: readonly SecretPattern[];
  /** What was given; values may be added later. */
  readonly given?: GivenValues;
  /** Whether a record says so when something was taken out of it; it does unless this says no. */
  readonly tells?: boolean;
}

/** What a record is told by, rather than what was said. */
const envelope = new Set([
  ...['seq', 'timestamp', 'actor', 'protocol', 'mode', 'phase', 'session', 'kind', 'origin', 'method'],
  ...['id', 'level', 'event', 'raw'],
]);

/** What quotes others in a judgement. */
const quoting = new Set([
  'evidence',
  'reason',
  'task_reason',
  'refusal',
  'raised',
  'message',
  'hint',
  'stderr',
  'path',
  'trouble',
  'missed',
  'missing',
  'label',
  'sentence',
  'value',
  'suggestion',
]);

/** Whether a field of a stored run may quote others. Every field has to say, so that none is forgotten. */
const mayQuote: { readonly [F in keyof Required<RunEntry>]: boolean } = {
  document: false,
  agent: false,
  repeat: false,
  attempts: false,
  verdict: true,
  outcome: false,
  reason: true,
  cause: false,
  causes: true,
  demand: false,
  coverage: true,
  task: false,
  task_reason: true,
  task_checks: true,
  twin: false,
  tier: false,
  refusal: true,
  raised: true,
  not_there: false,
  end: false,
  delivery: true,
  started: false,
  duration_ms: false,
  seed: false,
  usage: false,
  judge: false,
  voided: false,
  program: true,
  trace: false,
  diagnostics: true,
};

function isCovered(record: TraceRecord, hidden: TraceRecord): boolean {
  return (['content', 'request'] as const).some((field) => {
    const [before, after] = [record[field], hidden[field]];
    return before !== undefined && stringifyJson(before as Value) !== stringifyJson(after as Value);
  });
}

/** A redactor that takes out these secrets; what looks like one, where nothing is said. */
export function createRedactor({
  shapes = true,
  patterns = [],
  given,
  tells = true,
}: Secrets = {}): Redactor {
  const shaped = shapes ? [shapeFinder] : [];
  const careful = createHider(shaped, given);
  const all =
    patterns.length === 0 ? careful : createHider([...shaped, ...patterns.map(patternFinder)], given);

  function within<T>(value: T, hider: Hider, choose: Choose): T {
    return all.isIdle ? value : (hideWithin(value, hider, choose) as T);
  }
  const value = <T>(each: T): T => within(each, all, (_name, around) => around);
  const judged = <T extends object>(each: T): T =>
    within(each, careful, (name, around) => (quoting.has(name) ? all : around));

  function record(each: TraceRecord): Redacted<TraceRecord> {
    if (all.isIdle) return each as Redacted<TraceRecord>;
    const hidden = within(each, careful, (name, around, depth) =>
      depth > 0 ? around : envelope.has(name) ? careful : all,
    );
    // Bytes that were no message are kept in base64, where nothing would be found.
    const raw = each.kind === 'malformed' && typeof each.raw === 'string' ? each.raw : undefined;
    const whole = raw === undefined ? hidden : { ...hidden, raw: withinBase64(raw, all.text) };
    const told = tells && isCovered(each, hidden) ? { ...whole, covered: true } : whole;
    return told as Redacted<TraceRecord>;
  }

  return {
    masksShapes: shapes,
    text: all.text,
    marked: all.marked,
    named: all.named,
    lines: (text) => (shapes ? coverKeyLines(text) : text).split('\n').map(all.text),
    configLines: (text) => coveredLines(text).map(all.text),
    value,
    record,
    line(line) {
      const read = jsonOf(line);
      // A disk that filled up leaves half a line.
      if (read === undefined) return all.text(line);
      return stringifyJson(isValueMap(read) ? record(read as unknown as TraceRecord) : value(read));
    },
    judged,
    entry: (entry) =>
      Object.fromEntries(
        Object.entries(entry).map(([name, part]) => [
          name,
          mayQuote[name as keyof RunEntry] ? judged({ [name]: part })[name] : part,
        ]),
      ) as unknown as Redacted<RunEntry>,
    get withoutShapes() {
      return createRedactor({ shapes: false, patterns, ...(given !== undefined && { given }) });
    },
  };
}

/** For whoever asks to see secrets, and for everybody else. */
export function redactorFor(showSecrets: boolean): Redactor {
  return createRedactor({ shapes: !showSecrets });
}

function jsonOf(text: string): Value | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
