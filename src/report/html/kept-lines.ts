import { closeSync, readSync } from 'node:fs';

export interface KeptLine {
  readonly text: string;
  /** The number of records left out just before this one. */
  readonly leftOut: number;
}

export interface KeptLines {
  readonly lines: readonly KeptLine[];
  /** The number of records left out after the last kept one. */
  readonly leftOutBehind: number;
}

export interface KeepLimits {
  readonly records: number;
  readonly characters: number;
}

/** The limits of one trace, low enough that ten thousand traces stay within the limit of all of them together. */
const eachTrace = { least: 8 * 1024, most: 16 * 1024 * 1024, records: 20_000 };

/** The limits for a trace with this share of the page's characters. */
export function computeKeepLimits(share: number): KeepLimits {
  return {
    records: eachTrace.records,
    characters: Math.min(eachTrace.most, Math.max(eachTrace.least, share)),
  };
}

const newline = 0x0a;
const chunkBytes = 1024 * 1024;
const longestLine = 8 * 1024 * 1024;

interface Numbered {
  readonly text: string;
  readonly number: number;
}

/**
 * The records of a trace that fit into a report: the first, the last, and those with evidence between them. The limits
 * bound the memory, however long the trace is. The file is open, and is closed.
 */
export function keepLines(file: number, wanted: ReadonlySet<number>, limits: KeepLimits): KeptLines {
  const half: KeepLimits = { records: limits.records / 2, characters: limits.characters / 2 };
  const head: Numbered[] = [];
  const evidence: Numbered[] = [];
  let tail: Numbered[] = [];
  let tailStart = 0;
  let [headSize, tailSize, number] = [0, 0, 0];

  function add(text: string | undefined): void {
    const line = { text: text ?? '', number: number++ };
    if (text === undefined) return;
    if (evidence.length + tail.length === 0 && head.length < half.records && headSize < half.characters) {
      head.push(line);
      headSize += text.length;
      return;
    }
    tail.push(line);
    tailSize += text.length;
    while (tail.length - tailStart > half.records || (tailSize > half.characters && tail.length - tailStart > 1)) {
      const dropped = tail[tailStart++] as Numbered;
      tailSize -= dropped.text.length;
      if (wanted.has(readSeq(dropped.text))) evidence.push(dropped);
    }
    if (tailStart > 1_000 && tailStart * 2 > tail.length) {
      tail = tail.slice(tailStart);
      tailStart = 0;
    }
  }

  for (const line of readTraceLines(file)) add(line);
  let next = 0;
  const lines = [...head, ...evidence, ...tail.slice(tailStart)].map((line): KeptLine => {
    const leftOut = line.number - next;
    next = line.number + 1;
    return { text: line.text, leftOut };
  });
  return { lines, leftOutBehind: number - next };
}

/** Our own records begin with `seq`; in other records it is looked for. */
function readSeq(line: string): number {
  const own = /^\{"seq":(\d{1,15})[,}]/.exec(line);
  if (own !== null) return Number(own[1]);
  try {
    return Number(JSON.parse(line).seq);
  } catch {
    return Number.NaN;
  }
}

/** Lines that are not blank; `undefined` stands for a line that is too long. */
function* readTraceLines(descriptor: number): Generator<string | undefined> {
  try {
    let rest: Buffer[] = [];
    let length = 0;
    const finish = (last: Buffer): string | undefined => {
      const bytes = rest.length === 0 ? last : Buffer.concat([...rest, last]);
      const text = length + last.length > longestLine ? undefined : bytes.toString('utf8');
      rest = [];
      length = 0;
      return text;
    };
    for (;;) {
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const read = readSync(descriptor, chunk, 0, chunkBytes, null);
      if (read === 0) break;
      const bytes = chunk.subarray(0, read);
      let from = 0;
      for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, from)) {
        const line = finish(bytes.subarray(from, at));
        if (line === undefined || line.trim() !== '') yield line;
        from = at + 1;
      }
      length += read - from;
      if (length > longestLine) rest = [];
      else if (from < read) rest.push(bytes.subarray(from));
    }
    const last = finish(Buffer.alloc(0));
    if (last === undefined || last.trim() !== '') yield last;
  } finally {
    closeSync(descriptor);
  }
}
