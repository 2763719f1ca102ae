import type { MessageRecord } from '../../format/model/trace-record.ts';

/** The longest text that is joined into one. A longer text is judged in overlapping parts of this length. */
export const longestWhole = 1024 * 1024;
const overlap = 4 * 1024;
/** The most that all open streams may hold together. */
const mostHeld = 8 * longestWhole;
const mostOpen = 1_000;

/** A text that came in parts. */
export interface WholeStream<Info> {
  readonly info: Info;
  readonly text: string;
  /** The last part. */
  readonly last: MessageRecord;
  readonly parts: number;
  /** It is a part of a longer text. */
  readonly isCut: boolean;
}

interface OpenStream<Info> {
  info: Info;
  text: string;
  parts: number;
  last: MessageRecord | undefined;
  isCut: boolean;
  /** A part came since the text was last returned. */
  isNew: boolean;
}

/** Texts that are being streamed, by key. */
export interface Streams<Info> {
  /** The text that has come under a key; undefined if none has begun. */
  peek(key: string): string | undefined;
  /** Begins a text. A text that has already begun is left as it is. */
  open(key: string, info: Info): readonly WholeStream<Info>[];
  append(key: string, delta: string, record: MessageRecord): readonly WholeStream<Info>[];
  /** Returns the text so far. Later parts under the same key continue it, unless `forget` is given. */
  end(key: string, then?: 'forget'): readonly WholeStream<Info>[];
  /** Returns every open text and forgets them all. */
  endAll(): readonly WholeStream<Info>[];
}

export function createStreams<Info>(): Streams<Info> {
  const texts = new Map<string, OpenStream<Info>>();
  let held = 0;

  function give(open: OpenStream<Info>): readonly WholeStream<Info>[] {
    const { info, text, parts, last, isCut, isNew } = open;
    if (!isNew || last === undefined || text === '') return [];
    open.isNew = false;
    return [{ info, text, parts, last, isCut }];
  }

  function makeRoom(): readonly WholeStream<Info>[] {
    const given: WholeStream<Info>[] = [];
    for (const [key, open] of texts) {
      if (texts.size <= mostOpen && held <= mostHeld) break;
      given.push(...give(open));
      drop(key, open);
    }
    return given;
  }

  function drop(key: string, open: OpenStream<Info>): void {
    held -= open.text.length;
    texts.delete(key);
  }

  return {
    peek: (key) => texts.get(key)?.text,
    open(key, info) {
      if (texts.has(key)) return [];
      texts.set(key, { info, text: '', parts: 0, last: undefined, isCut: false, isNew: false });
      return makeRoom();
    },
    append(key, delta, record) {
      const open = texts.get(key);
      if (open === undefined) return [];
      open.text += delta;
      open.parts += 1;
      open.last = record;
      open.isNew = true;
      held += delta.length;
      if (open.text.length < longestWhole) return held > mostHeld ? makeRoom() : [];
      open.isCut = true;
      const given = give(open);
      held += overlap - open.text.length;
      open.text = open.text.slice(-overlap);
      return given;
    },
    end(key, then) {
      const open = texts.get(key);
      if (open === undefined) return [];
      if (then === 'forget') drop(key, open);
      return give(open);
    },
    endAll() {
      const given = [...texts.values()].flatMap(give);
      texts.clear();
      held = 0;
      return given;
    },
  };
}
