import { closeSync, createReadStream, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readLines } from '../cli/input/read-lines.ts';
import type { Regex } from '../expression/regex.ts';
import type { RunEntry } from '../model/results.ts';
import type { TraceRecord } from '../model/trace.ts';
import { isValueMap, setOwn, type Value, type ValueMap } from '../model/value.ts';
import { ownerOnly } from '../suite/trace-file.ts';
import { strikerFor } from './patterns.ts';
import { mask } from './shapes.ts';

const deepest = 1_000;
const masked = '****';

/** Takes secrets out of what is stored and shown: well-known shapes, and patterns of the user's. */
export interface Redactor {
  /** A stored run without the secrets in its evidence. */
  entry(entry: RunEntry): RunEntry;
  /** Rewrites a trace without its secrets, for good. */
  trace(path: string): Promise<void>;
  /** What patterns find is not shown either; well-known shapes are masked wherever something is. */
  shownRecord(record: TraceRecord): TraceRecord;
  shown<T extends object>(judged: T): T;
}

export function createRedactor(patterns: readonly Regex[]): Redactor {
  const { inText, inRecord, inJudged } = strikerFor(patterns);
  const rewrite = (line: string): string => {
    const record = jsonOf(line);
    // A disk that filled up leaves half a line.
    if (record === undefined) return inText(mask(line));
    if (!isValueMap(record)) return JSON.stringify(redactValue(record));
    const raw = rawOf(record, (text) => inText(mask(text)));
    return JSON.stringify({ ...inRecord(redactValue(record) as ValueMap), ...raw });
  };
  return {
    entry: (entry) =>
      Object.fromEntries(
        Object.entries(entry).map(([key, part]) => [
          key,
          redacted.includes(key) ? inJudged({ [key]: redactValue(part as Value) })[key] : part,
        ]),
      ) as unknown as RunEntry,
    trace: (path) => rewriteLines(path, rewrite),
    shownRecord: (record) => inRecord(record as unknown as ValueMap) as unknown as TraceRecord,
    shown: <T extends object>(judged: T): T => inJudged(judged as unknown as ValueMap) as unknown as T,
  };
}

const redacted = ['verdict', 'reason', 'diagnostics', 'program'];

/**
 * The value with secrets starred out. Texts are masked one by one, so that no shape reaches across them and
 * breaks the structure; each is looked at beside its key, because `password` says what stands behind it.
 */
function redactValue(value: Value, key = '', depth = 0): Value {
  if (depth > deepest) return masked;
  if (Array.isArray(value)) return value.map((item: Value) => redactValue(item, key, depth + 1));
  if (isValueMap(value)) {
    const copy: Record<string, Value> = {};
    for (const [name, item] of Object.entries(value))
      setOwn(copy, mask(name), redactValue(item, name, depth + 1));
    return copy;
  }
  if (value === null) return null;
  const text = mask(String(value));
  const named = `${JSON.stringify(key)}:`;
  // With the key in front more is masked: then it is the key that tells, and nothing of the value may stay.
  if (mask(`${named}${value}`) !== `${mask(named)}${text}`) return masked;
  return text === String(value) ? value : text;
}

async function rewriteLines(path: string, rewrite: (line: string) => string): Promise<void> {
  const draft = `${path}.redacted`;
  const file = openSync(draft, 'w', ownerOnly.file);
  try {
    for await (const lines of readLines(createReadStream(path, { highWaterMark: 1024 * 1024 })))
      for (const line of lines) if ('text' in line) writeFileSync(file, `${rewrite(line.text)}\n`);
    renameSync(draft, path);
  } catch (thrown) {
    rmSync(draft, { force: true });
    throw thrown;
  } finally {
    closeSync(file);
  }
}

function jsonOf(text: string): Value | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Bytes that were no message are kept in base64, where no shape would be seen. */
function rawOf({ kind, raw }: ValueMap, hide: (text: string) => string): ValueMap {
  if (kind !== 'malformed' || typeof raw !== 'string') return {};
  const bytes = Buffer.from(raw, 'base64');
  const isText = Buffer.from(bytes.toString('utf8')).equals(bytes);
  const encoding = isText ? 'utf8' : 'latin1';
  const text = bytes.toString(encoding);
  const safe = hide(text);
  return { raw: safe === text ? raw : Buffer.from(safe, encoding).toString('base64') };
}
