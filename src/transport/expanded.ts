import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import { expand } from '../generate/expand.ts';
import { GeneratedValue, type Recipe, readRecipe, recipeMark } from '../model/generated-value.ts';
import { stringifyJson } from '../model/json.ts';
import { isCollection, type Value } from '../model/value.ts';
import { readJson } from './json-text.ts';

// Texts of JSON may hold recipes of values. They become what they stand for on their way out, piece by piece.

/** Whether something in a text is made only while it is written. */
export function holdsGenerated(text: string): boolean {
  return text.includes(recipeMark);
}

/** What is told of a generated value in place of all of it. */
export interface GeneratedFacts {
  readonly bytes: number;
  readonly sha256: string;
  readonly head: string;
}

/** What a recipe makes never changes, so what was found out while it was written is kept for its record. */
const known = new Map<string, GeneratedFacts>();
const mostKnown = 1_000;
const headLength = 80;
/** What is made only to be described is made at once, so it must not be long. */
const mostDescribed = 64 * 1024 ** 2;

/** Nothing of what is too large to be made for this alone, and was never written to its end. */
export function factsOf(generated: GeneratedValue): GeneratedFacts | undefined {
  const token = tokenOf(generated);
  if (!known.has(token)) {
    let bytes = 0;
    for (const piece of made(token)) {
      bytes += piece.length;
      if (bytes > mostDescribed) return undefined;
    }
  }
  return known.get(token);
}

function tokenOf(generated: GeneratedValue): string {
  return String(generated).slice(1);
}

function* made(token: string): Generator<Buffer> {
  const hash = createHash('sha256');
  let bytes = 0;
  let head = '';
  for (const piece of expand(readRecipe(token))) {
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

/** All of a text, with what is made in it. */
function* piecesOf(text: string): Generator<Buffer> {
  for (const [index, part] of text.split(recipeMark).entries())
    if (index % 2 === 1) yield* made(part);
    else if (part !== '') yield Buffer.from(part);
}

/** Told when a text has left us, or what of it did when nobody took the rest. */
export type Written = (cut?: string) => void;

/** Writes a text as fast as its reader takes it. Nothing else may be written meanwhile. */
export function writeExpanded(output: Writable, text: string, written: Written): void {
  const pieces = piecesOf(text);
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
  /** The last of it has left when an empty piece behind it has. */
  const end = (): void => {
    output.off('drain', go);
    output.write('', (error) => (error ? gone() : stop()));
  };
  output.on('drain', go);
  output.once('close', gone);
  output.once('error', gone);
  go();
}

/** How much of what is generated is held at once for those who cannot take it in pieces. */
export const mostHeld = 16 * 1024 ** 2;
const deepestHeld = 512;

/** The whole text; nothing where that is too long to be held. */
export function heldText(text: string): string | undefined {
  if (!holdsGenerated(text)) return text;
  const pieces: Buffer[] = [];
  let bytes = 0;
  for (const piece of piecesOf(text)) {
    bytes += piece.length;
    if (bytes > mostHeld) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/** Why a value is not handed over as it would have been made. */
export const tooLargeToHold = `what is generated in it is larger than the ${mostHeld} bytes, or deeper than the ${deepestHeld} levels, that can be handed over here; it went out as the document has it`;

/** A value with all that is made in it; or with what the document has in its place, and why. */
export function heldValue(value: Value): { readonly value: Value; readonly cut?: string } {
  if (!hasGenerated(value)) return { value };
  const text = heldText(stringifyJson(value));
  const read = text === undefined ? undefined : readJson(Buffer.from(text), deepestHeld);
  return read?.ok ? { value: read.value } : { value: asWritten(value), cut: tooLargeToHold };
}

export function hasGenerated(value: Value): boolean {
  const pending: unknown[] = [value];
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    if (item instanceof GeneratedValue) return true;
    if (isCollection(item)) pending.push(...Object.values(item));
  }
  return false;
}

/** A copy in which every generated value is something else. */
export function replacingGenerated(value: Value, replace: (generated: GeneratedValue) => Value): Value {
  if ((value as unknown) instanceof GeneratedValue) return replace(value as unknown as GeneratedValue);
  if (!isCollection(value)) return value;
  if (Array.isArray(value)) return value.map((item: Value) => replacingGenerated(item, replace));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, replacingGenerated(item, replace)]),
  );
}

export function asWritten(value: Value): Value {
  return replacingGenerated(value, ({ written }) => written);
}

/** A generated value as a trace has it: how it was made, and enough to know the same one by. */
export function described(generated: GeneratedValue): Value {
  const { kind, seed, as, before, after, parameters }: Recipe = generated.recipe;
  return {
    'x-generated': {
      kind,
      ...parameters,
      ...(as !== undefined && { as }),
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
      seed,
      ...factsOf(generated),
    },
  };
}
