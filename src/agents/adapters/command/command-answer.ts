import { readJson } from '../../../attack/transport/json-text.ts';
import { decodeText } from '../../../attack/transport/loose/decode-text.ts';
import { LineReader } from '../../../attack/transport/mcp-server/stdio/line-reader.ts';
import type { Value } from '../../../format/model/value.ts';
import type { TurnAnswer } from '../prompt-agent.ts';
import { formatSize } from './byte-size.ts';
import { quoteBeginning, stripControlSequences } from './plain-text.ts';

/** The format of a program's output, and the path of the answer in it. */
export interface OutputFormat {
  readonly output: 'text' | 'json' | 'jsonl';
  readonly answer?: CommandAnswerPath | undefined;
  readonly pieces: boolean;
}

export interface CommandAnswerPath {
  readonly path: string;
  /** Every value at the path: an answer may have several parts. */
  find(value: Value): readonly Value[];
}

/** Reads the whole output of a program. `mask` takes secrets out of texts that are quoted in messages. */
export function readOutput(output: Buffer, format: OutputFormat, mask: (text: string) => string): TurnAnswer {
  return readers[format.output](output, format, mask);
}

type OutputReader = (output: Buffer, format: OutputFormat, mask: (text: string) => string) => TurnAnswer;

const readers: { readonly [Output in OutputFormat['output']]: OutputReader } = {
  text(output) {
    const text = decodeOutput(output);
    if (text === undefined) return { text: '', failure: notText };
    return text === '' ? { text, failure: silence } : { text };
  },
  json(output, format, mask) {
    const beginning = quoteBeginning(mask(output.toString('utf8')));
    if (output.length === 0) return { text: '', failure: silence };
    const read = readCommandAnswer(output, format);
    switch (read.kind) {
      case 'answer':
        return { text: read.text };
      case 'unreadable':
        return { text: '', failure: `its output cannot be read as JSON; it begins with ${beginning}` };
      case 'no answer':
        return { text: '', failure: `${describeMissingAnswer(format)} its output, ${beginning}` };
      case 'too long':
        return { text: '', failure: answerTooLong };
    }
  },
  jsonl(output, format, mask) {
    const texts: string[] = [];
    let length = 0;
    let failure: string | undefined;
    const lines = splitOutputLines(output);
    for (const line of lines.slice(0, mostLines)) {
      const read = readCommandAnswer(line, format);
      if (read.kind === 'unreadable') failure ??= describeUnreadableLine(line, mask);
      if (read.kind === 'answer') {
        texts.push(read.text);
        length += read.text.length;
      }
      if (read.kind !== 'too long' && length <= longestText) continue;
      failure = answerTooLong;
      break;
    }
    const text = texts.join(format.pieces ? '' : '\n');
    if (lines.length > mostLines) failure ??= `its output has more than ${mostLines} lines`;
    if (lines.length === 0) failure = silence;
    else if (texts.length === 0)
      failure ??= `${describeMissingAnswer(format)} any line of its output; it begins with ${quoteBeginning(mask(output.toString('utf8')))}`;
    return { text, failure };
  },
};

/** The text of an output in any encoding; undefined if it is not text. */
export function decodeOutput(output: Buffer): string | undefined {
  const text = output.length === 0 ? '' : decodeText(output);
  return text === undefined ? undefined : stripControlSequences(text).trim();
}

export const notText = 'its output is not text';

export type CommandAnswerReading =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'unreadable' | 'no answer' | 'too long' };

/**
 * Reads one JSON value of a program's output. The answer is every value that the path finds, or the whole value without
 * a path.
 */
export function readCommandAnswer(bytes: Buffer, { answer, pieces }: OutputFormat): CommandAnswerReading {
  const read = readJson(bytes, mostDepth);
  if (!read.ok) return { kind: 'unreadable' };
  const texts: string[] = [];
  let length = 0;
  for (const value of answer === undefined ? [read.value] : answer.find(read.value)) {
    const text = formatAnswerValue(value);
    if (text !== '') texts.push(text);
    length += text.length;
    if (length > longestText) return { kind: 'too long' };
  }
  return texts.length === 0 ? { kind: 'no answer' } : { kind: 'answer', text: texts.join(pieces ? '' : '\n') };
}

export function describeUnreadableLine(line: Buffer, mask: (text: string) => string): string {
  return `a line of its output cannot be read as JSON: ${quoteBeginning(mask(line.toString('utf8')))}`;
}

const silence = 'it wrote nothing to its standard output';
const mostDepth = 512;
/** The limit on lines: each one takes time to read, however short it is. */
export const mostLines = 100_000;

/**
 * The limit on the answer: a path can find a value and also the values within it, so the text may be longer than the
 * output.
 */
const longestText = 16 * 1024 ** 2;
export const answerTooLong = `its answer is longer than ${formatSize(longestText)}`;

function describeMissingAnswer({ answer }: OutputFormat): string {
  return answer === undefined ? 'there is no answer in' : `${answer.path} finds no answer in`;
}

/** The text of a value; empty for null, {} and []. */
function formatAnswerValue(value: Value): string {
  if (typeof value === 'string') return value;
  const text = JSON.stringify(value);
  return text === 'null' || text === '{}' || text === '[]' ? '' : text;
}

function splitOutputLines(output: Buffer): readonly Buffer[] {
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
