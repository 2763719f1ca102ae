import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import { expandRecipe } from '../../format/generate/kinds.ts';
import { GeneratedValue, type Recipe, readRecipe, recipeMark } from '../../format/model/generated-value.ts';
import { stringifyJson } from '../../format/model/json-text-values.ts';
import { isCollection, type Value } from '../../format/model/value.ts';
import { readJson } from './json-text.ts';

// JSON texts may contain recipes of generated values. They are expanded piece by piece as they are written.

/** Tells whether a text contains values that are generated only while it is written. */
export function holdsGenerated(text: string): boolean {
  return text.includes(recipeMark);
}

/** The facts that are recorded about a generated value instead of the value itself. */
export interface GeneratedFacts {
  readonly bytes: number;
  readonly sha256: string;
  readonly head: string;
}

/** A recipe always makes the same value, so the facts found while writing it are kept for its record. */
const known = new Map<string, GeneratedFacts>();
const mostKnown = 1_000;
const headLength = 80;
/** A value that is made only to be described is made in one go, so it must not be long. */
const mostDescribed = 64 * 1024 ** 2;

/** The facts about a value; undefined when it is too large to be made for this alone and was never written in full. */
export function computeGeneratedFacts(generated: GeneratedValue): GeneratedFacts | undefined {
  const token = readToken(generated);
  if (!known.has(token)) {
    let bytes = 0;
    for (const piece of makeBuffers(token)) {
      bytes += piece.length;
      if (bytes > mostDescribed) return undefined;
    }
  }
  return known.get(token);
}

function readToken(generated: GeneratedValue): string {
  return String(generated).slice(1);
}

function* makeBuffers(token: string): Generator<Buffer> {
  const hash = createHash('sha256');
  let bytes = 0;
  let head = '';
  for (const piece of expandRecipe(readRecipe(token))) {
    const buffer = Buffer.from(piece);
    hash.update(buffer);
    bytes += buffer.length;
    if (head.length < headLength) head = (head + piece).slice(0, headLength);
    yield buffer;
  }
  const [oldest] = known.keys();
  if (known.size >= mostKnown && oldest !== undefined) known.delete(oldest);
  known.set(token, { bytes, sha256: hash.digest('hex'), head });
}

/** Yields a whole text with its generated values. */
function* makeTextChunks(text: string): Generator<Buffer> {
  for (const [index, part] of text.split(recipeMark).entries())
    if (index % 2 === 1) yield* makeBuffers(part);
    else if (part !== '') yield Buffer.from(part);
}

/** Called when a text has been sent; `cut` says how much was sent if the peer did not take the rest. */
export type TextSentCallback = (cut?: string) => void;

/** Writes a text as fast as the peer reads it. Nothing else may be written meanwhile. */
export function writeExpanded(output: Writable, text: string, written: TextSentCallback): void {
  const pieces = makeTextChunks(text);
  let sent = 0;
  const stop = (cut?: string): void => {
    output.off('drain', go);
    output.off('close', gone);
    output.off('error', gone);
    written(cut);
  };
  const gone = (): void => stop(`the peer was gone after ${sent} bytes of it`);
  const go = (): void => {
    while (!output.writableNeedDrain) {
      if (output.destroyed || output.errored !== null) break;
      const { value, done } = pieces.next();
      if (done) {
        end();
        return;
      }
      sent += value.length;
      output.write(value);
    }
    if (output.destroyed || output.errored !== null) gone();
  };
  /** The text has left once an empty write after it completes. */
  const end = (): void => {
    output.off('drain', go);
    output.write('', (error) => (error ? gone() : stop()));
  };
  output.on('drain', go);
  output.once('close', gone);
  output.once('error', gone);
  go();
}

/** The most bytes of generated values that are held at once, for transports that cannot send in pieces. */
export const mostHeld = 16 * 1024 ** 2;
const deepestHeld = 512;

/** The whole text; undefined when it is too long to hold. */
export function expandText(text: string): string | undefined {
  if (!holdsGenerated(text)) return text;
  const pieces: Buffer[] = [];
  let bytes = 0;
  for (const piece of makeTextChunks(text)) {
    bytes += piece.length;
    if (bytes > mostHeld) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/** The reason why a value is sent without its generated content. */
export const tooLargeToHold = `what is generated in it is larger than the ${mostHeld} bytes, or deeper than the ${deepestHeld} levels, that can be handed over here; it went out as the document has it`;

/** A value with its generated content; or, if that is too large, as the document writes it, with the reason. */
export function expandValue(value: Value): { readonly value: Value; readonly cut?: string } {
  if (!hasGenerated(value)) return { value };
  const text = expandText(stringifyJson(value));
  const read = text === undefined ? undefined : readJson(Buffer.from(text), deepestHeld);
  return read?.ok ? { value: read.value } : { value: restoreWritten(value), cut: tooLargeToHold };
}

export function hasGenerated(value: Value): boolean {
  const pending: unknown[] = [value];
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    if (item instanceof GeneratedValue) return true;
    if (isCollection(item)) pending.push(...Object.values(item));
  }
  return false;
}

/** Copies a value with every generated value replaced. */
export function replaceGenerated(value: Value, replace: (generated: GeneratedValue) => Value): Value {
  if ((value as unknown) instanceof GeneratedValue) return replace(value as unknown as GeneratedValue);
  if (!isCollection(value)) return value;
  if (Array.isArray(value)) return value.map((item: Value) => replaceGenerated(item, replace));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceGenerated(item, replace)]));
}

export function restoreWritten(value: Value): Value {
  return replaceGenerated(value, ({ written }) => written);
}

/** A generated value as a trace shows it: how it was made, and enough facts to recognize it. */
export function describeGeneratedValue(generated: GeneratedValue): Value {
  const { kind, seed, as, before, after, parameters }: Recipe = generated.recipe;
  return {
    'x-generated': {
      kind,
      ...parameters,
      ...(as !== undefined && { as }),
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
      seed,
      ...computeGeneratedFacts(generated),
    },
  };
}
