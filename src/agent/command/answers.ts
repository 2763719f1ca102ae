import type { JsonPath } from '../../expression/json-path.ts';
import type { Value } from '../../model/value.ts';
import { readJson } from '../../transport/json-text.ts';
import { LineReader } from '../../transport/stdio-server/line-reader.ts';
import type { Said } from '../prompt-voice.ts';
import { beginning, plainText } from './plain-text.ts';

/** What a program's output is, and where in it the answer is. */
export interface OutputFormat {
  readonly output: 'text' | 'json' | 'jsonl';
  readonly answer?: { readonly path: string; readonly find: JsonPath } | undefined;
  readonly pieces: boolean;
}

/** Reads the whole output of a program. `mask` makes what is told of it fit to be told. */
export function readOutput(output: Buffer, format: OutputFormat, mask: (text: string) => string): Said {
  return readers[format.output](output, format, mask);
}

type OutputReader = (output: Buffer, format: OutputFormat, mask: (text: string) => string) => Said;

const readers: { readonly [Output in OutputFormat['output']]: OutputReader } = {
  text(output) {
    const text = plainText(output.toString('utf8')).trim();
    return text === '' ? { text, failure: silence } : { text };
  },
  json(output, format, mask) {
    const shown = beginning(mask(output.toString('utf8')));
    const read = readAnswer(output, format);
    if ('text' in read) return read;
    if (output.length === 0) return { text: '', failure: silence };
    return read.kind === 'unreadable'
      ? { text: '', failure: `its output cannot be read as JSON; it begins with ${shown}` }
      : { text: '', failure: `${format.answer?.path} finds no answer in its output, ${shown}` };
  },
  jsonl(output, format, mask) {
    const texts: string[] = [];
    let failure: string | undefined;
    const lines = linesOf(output);
    for (const line of lines.slice(0, mostLines)) {
      const read = readAnswer(line, format);
      if ('text' in read) texts.push(read.text);
      else if (read.kind === 'unreadable') failure ??= unreadableLine(line, mask);
    }
    const text = texts.join(format.pieces ? '' : '\n');
    if (lines.length > mostLines) failure ??= `its output has more than ${mostLines} lines`;
    if (lines.length === 0) failure = silence;
    else if (texts.length === 0)
      failure ??= `${format.answer?.path} finds no answer in any line of its output; it begins with ${beginning(mask(output.toString('utf8')))}`;
    return { text, failure };
  },
};

export type Read = { readonly text: string } | { readonly kind: 'unreadable' | 'no answer' };

/** One JSON value of a program's output: its answer is what the path finds, or all of it without a path. */
export function readAnswer(bytes: Buffer, { answer }: OutputFormat): Read {
  const read = readJson(bytes, mostDepth);
  if (!read.ok) return { kind: 'unreadable' };
  const found = answer === undefined ? read.value : answer.find(read.value);
  return found === undefined || found === null ? { kind: 'no answer' } : { text: textOf(found) };
}

export function unreadableLine(line: Buffer, mask: (text: string) => string): string {
  return `a line of its output cannot be read as JSON: ${beginning(mask(line.toString('utf8')))}`;
}

const silence = 'it wrote nothing to its standard output';
const mostDepth = 512;
/** Each takes time to be read, however short it is. */
export const mostLines = 100_000;

function textOf(value: Value): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function linesOf(output: Buffer): readonly Buffer[] {
  const reader = new LineReader({ lineBytes: output.length, recordedBytes: output.length });
  reader.push(output);
  const lines: Buffer[] = [];
  for (let line = reader.next(); line !== undefined; line = reader.next()) {
    lines.push(line.bytes);
    if (lines.length > mostLines) return lines;
  }
  const rest = reader.rest();
  return rest === undefined ? lines : [...lines, rest.bytes];
}
