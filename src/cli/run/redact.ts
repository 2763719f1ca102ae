import { closeSync, createReadStream, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { RunEntry } from '../../model/results.ts';
import { isValueMap, setOwn, type Value, type ValueMap } from '../../model/value.ts';
import { mask } from '../../report/mask.ts';
import { ownerOnly } from '../../suite/trace-file.ts';
import { readLines } from '../input/read-lines.ts';

const deepest = 1_000;
const masked = '****';

/**
 * The value with secrets starred out. Texts are masked one by one, so that no shape reaches across them and
 * breaks the structure; each is looked at beside its key, because `password` says what stands behind it.
 */
export function redactValue(value: Value, key = '', depth = 0): Value {
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

const redacted = ['verdict', 'reason', 'diagnostics'];

/** A stored run without the secrets in its evidence. */
export function redactEntry(entry: RunEntry): RunEntry {
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [
      key,
      redacted.includes(key) ? redactValue(value as Value) : value,
    ]),
  ) as unknown as RunEntry;
}

/** Rewrites a trace without its secrets, for good. */
export async function redactTrace(path: string): Promise<void> {
  const draft = `${path}.redacted`;
  const file = openSync(draft, 'w', ownerOnly.file);
  try {
    for await (const lines of readLines(createReadStream(path, { highWaterMark: 1024 * 1024 })))
      for (const line of lines) if ('text' in line) writeFileSync(file, `${redactLine(line.text)}\n`);
    renameSync(draft, path);
  } catch (thrown) {
    rmSync(draft, { force: true });
    throw thrown;
  } finally {
    closeSync(file);
  }
}

function redactLine(text: string): string {
  const record = jsonOf(text);
  // A disk that filled up leaves half a line.
  if (record === undefined) return mask(text);
  if (!isValueMap(record)) return JSON.stringify(redactValue(record));
  return JSON.stringify({ ...(redactValue(record) as ValueMap), ...rawOf(record) });
}

function jsonOf(text: string): Value | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Bytes that were no message are kept in base64, where no shape would be seen. */
function rawOf({ kind, raw }: ValueMap): ValueMap {
  if (kind !== 'malformed' || typeof raw !== 'string') return {};
  const text = Buffer.from(raw, 'base64').toString('latin1');
  const safe = mask(text);
  return { raw: safe === text ? raw : Buffer.from(safe, 'latin1').toString('base64') };
}
