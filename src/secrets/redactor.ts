import fields from '../../data/quoting-fields.json' with { type: 'json' };
import { type EvaluationError, isEvaluationError } from '../format/model/errors.ts';
import { stringifyJson, tryParseJson } from '../format/model/json-text-values.ts';
import type { RunEntry } from '../format/model/results-file.ts';
import type { TraceRecord } from '../format/model/trace-record.ts';
import { isValueMap, type Value } from '../format/model/value.ts';
import { type Finder, type MarkedText, type Range, stars, type TextSpan } from './cover.ts';
import type { KnownSecrets } from './given-secrets.ts';
import { type Choose, createHider, type Hider, hideWithin } from './hider.ts';
import { changeWithinBase64 } from './platform-encoding.ts';
import { coverConfigLines, coverKeyLines, shapeFinder } from './secret-shapes.ts';

export type { MarkedText, TextSpan } from './cover.ts';

/** Data that went through a redactor. Trace and result files accept nothing else. */
export type Redacted<T> = T & { readonly [redacted]: true };
declare const redacted: unique symbol;

/** Removes secrets from everything that is stored, reported and printed. */
export interface Redactor {
  /** Whether texts that look like secrets are masked. */
  readonly masksShapes: boolean;
  text(text: string): string;
  /** Masks a text with marked spans, which still mark the same parts afterwards. */
  marked(text: string, spans: readonly TextSpan[]): MarkedText;
  /** Masks a text with its key. If the key marks the value as a secret, as `password` does, all of it is masked. */
  named(key: string, text: string, spans: readonly TextSpan[]): MarkedText;
  /** Masks a text and keeps its number of lines. */
  lines(text: string): readonly string[];
  /** The lines of a configuration, with the values of variables and headers masked. */
  configLines(text: string): readonly string[];
  /** Masks any JSON value, with all of its strings and keys. */
  value<T>(value: T): T;
  /** Masks the content of a record. Patterns skip its own fields: a pattern of four digits must not mask its year. */
  record(record: TraceRecord): Redacted<TraceRecord>;
  /** Masks a line of a trace file. */
  line(line: string): string;
  /** Masks a verdict or an outcome. Patterns apply only to fields that quote others. */
  judged<T extends object>(judged: T): T;
  /** Masks the stored entry of a run. */
  entry(entry: RunEntry): Redacted<RunEntry>;
  /** The same redactor without shapes, for data that is masked again when it is shown. */
  readonly withoutShapes: Redactor;
}

/** The secrets that a redactor masks. */
export interface RedactorOptions {
  /** Whether texts that look like secrets are masked. Default: true. */
  readonly shapes?: boolean;
  readonly patterns?: readonly SecretPattern[];
  /** Secrets that were given. Values may be added later. */
  readonly given?: KnownSecrets;
  /** Whether a record is marked `covered` if something in it was masked. Default: true. */
  readonly tells?: boolean;
}

/** The fields that describe a record, as opposed to its contents. */
const envelopeFields = new Set([
  ...['seq', 'timestamp', 'actor', 'protocol', 'mode', 'phase', 'session', 'kind', 'origin', 'method'],
  ...['id', 'level', 'event', 'raw'],
]);

/** The fields of a judgement that quote others. */
const quoting = new Set(fields.judgement);

/** Whether a field of a stored run may quote others. Every field needs an entry, so that none is forgotten. */
const mayQuote: { readonly [F in keyof Required<RunEntry>]: boolean } = fields.run;

function isCovered(record: TraceRecord, hidden: TraceRecord): boolean {
  return (['content', 'request'] as const).some((field) => {
    const [before, after] = [record[field], hidden[field]];
    return before !== undefined && stringifyJson(before as Value) !== stringifyJson(after as Value);
  });
}

/** Makes a redactor for these secrets. Default: it masks whatever looks like a secret. */
export function createRedactor({ shapes = true, patterns = [], given, tells = true }: RedactorOptions = {}): Redactor {
  const shaped = shapes ? [shapeFinder] : [];
  const careful = createHider(shaped, given);
  const all = patterns.length === 0 ? careful : createHider([...shaped, ...patterns.map(createPatternFinder)], given);

  function within<T>(value: T, hider: Hider, choose: Choose): T {
    return all.isIdle ? value : (hideWithin(value, hider, choose) as T);
  }
  const value = <T>(each: T): T => within(each, all, (_name, around) => around);
  const judged = <T extends object>(each: T): T =>
    within(each, careful, (name, around) => (quoting.has(name) ? all : around));

  function record(each: TraceRecord): Redacted<TraceRecord> {
    if (all.isIdle) return each as Redacted<TraceRecord>;
    const hidden = within(each, careful, (name, around, depth) =>
      depth > 0 ? around : envelopeFields.has(name) ? careful : all,
    );
    // The bytes of a malformed message are stored in base64, in which a plain search finds nothing.
    const raw = each.kind === 'malformed' && typeof each.raw === 'string' ? each.raw : undefined;
    const whole = raw === undefined ? hidden : { ...hidden, raw: changeWithinBase64(raw, all.text) };
    return (tells && isCovered(each, hidden) ? { ...whole, covered: true } : whole) as Redacted<TraceRecord>;
  }

  return {
    masksShapes: shapes,
    text: all.text,
    marked: all.marked,
    named: all.named,
    lines: (text) => (shapes ? coverKeyLines(text) : text).split('\n').map(all.text),
    configLines: (text) => coverConfigLines(text).map(all.text),
    value,
    record,
    line(line) {
      const read = tryParseJson(line);
      // A line may be cut off, for example by a full disk.
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

/** The redactor for users who ask to see secrets, or for all others. */
export function selectRedactor(showSecrets: boolean): Redactor {
  return createRedactor({ shapes: !showSecrets });
}

/** A compiled pattern from the user. */
export interface SecretPattern {
  /** Every match that is not empty, from left to right. */
  findAll(text: string): readonly Range[] | EvaluationError;
}

function createPatternFinder(pattern: SecretPattern): Finder {
  return {
    stars,
    find(text) {
      const found = pattern.findAll(text);
      // A text that could not be searched in time may contain secrets, so all of it is masked.
      return isEvaluationError(found) ? [{ from: 0, to: text.length }] : found;
    },
  };
}
