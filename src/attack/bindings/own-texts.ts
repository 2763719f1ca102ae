import type { Echo } from '../../format/model/binding-views.ts';
import { stringifyJson } from '../../format/model/json-text-values.ts';
import type { Path } from '../../format/model/path.ts';
import { isCollection, type Value } from '../../format/model/value.ts';
import { createRecentTexts } from './recent-texts.ts';

// Tells our words from the agent's in the places where a protocol repeats ours. Equal words are ours. Of a longer text ours
// are told apart from the rest, which is the agent's.

/** A text that holds words of ours. */
export interface SplitText {
  /** What is left without our words; empty if nothing is. */
  readonly rest: string;
  /** Our words as they stand there, each on a line. */
  readonly ours: string;
}

type ReadText = (text: string) => SplitText | undefined;

interface SplitOptions {
  /** The fewest characters of ours that must be there. */
  readonly shortest?: number;
  /** Whether a text of ours may stand here, once more. */
  take?(own: string): boolean;
}

export interface OwnTexts {
  /** Remembers the keys and leaves of a value that we sent. */
  add(value: Value): void;
  has(text: string): boolean;
  some(test: (own: string) => boolean): boolean;
  /** Undefined if none of ours is in the text. */
  split(text: string, options?: SplitOptions): SplitText | undefined;
  /** The places of a value at which our words stand. `read` replaces `split`. */
  findIn(value: Value, at: Path, read?: ReadText): readonly Echo[];
}

/** Shorter texts occur within others by chance. */
const telling = 8;
const deepest = 64;
const mostVisited = 10_000;

/** A text of ours in one of the forms in which it may stand within another. */
interface OwnForm {
  readonly own: string;
  readonly form: string;
}

export function createOwnTexts(): OwnTexts {
  const keys = createRecentTexts();
  const texts = createRecentTexts();
  /** Leaves that are no texts, as JSON. */
  const others = createRecentTexts();
  /** Texts long enough to be found in others, the longest first, as they are and as they stand within JSON. */
  let found: readonly OwnForm[] | undefined;

  function listForms(): readonly OwnForm[] {
    found ??= [...texts.values()]
      .filter((own) => own.trim().length >= telling)
      .flatMap((own) => {
        const text = own.trim();
        return [...new Set([text, stringifyJson(text).slice(1, -1)])].map((form) => ({ own, form }));
      })
      .sort((one, other) => other.form.length - one.form.length);
    return found;
  }

  function split(text: string, { shortest = telling, take = () => true }: SplitOptions = {}): SplitText | undefined {
    if (texts.has(text)) return take(text) ? { rest: '', ours: text } : undefined;
    const spans: TextSpan[] = [];
    for (const { own, form } of listForms()) {
      if (form.length < shortest) break;
      for (const span of findSpans(text, form, spans)) if (take(own)) spans.push(span);
    }
    return spans.length === 0 ? undefined : cutSpans(text, spans);
  }

  return {
    add(value) {
      let visits = 0;
      const pending: Value[] = [value];
      for (let next = pending.pop(); next !== undefined && visits < mostVisited; next = pending.pop()) {
        visits += 1;
        if (isCollection(next)) {
          if (!Array.isArray(next)) for (const key of Object.keys(next)) keys.add(key);
          for (const item of Object.values(next).reverse()) pending.push(item as Value);
        } else if (typeof next !== 'string') others.add(stringifyJson(next));
        else texts.add(next);
      }
      found = undefined;
    },
    has: texts.has,
    some(test) {
      for (const own of texts.values()) if (test(own)) return true;
      return false;
    },
    split,
    findIn(root, at, read = split) {
      let visits = 0;
      /** The echoes in a value. `isWhole`: nothing in it is the agent's. */
      const visit = (value: Value, path: Path): { readonly echoes: readonly Echo[]; readonly isWhole: boolean } => {
        visits += 1;
        if (visits > mostVisited || path.length - at.length > deepest) return { echoes: [], isWhole: false };
        if (typeof value === 'string') {
          const part = read(value);
          return { echoes: part === undefined ? [] : [createEcho(path, part)], isWhole: part?.rest === '' };
        }
        if (!isCollection(value)) {
          const isOurs = others.has(stringifyJson(value));
          return { echoes: isOurs ? [{ path }] : [], isWhole: isOurs };
        }
        const items = Object.entries(value).map(([key, item]) => {
          const isNamed = Array.isArray(value) || keys.has(key);
          const inner = visit(item as Value, [...path, Array.isArray(value) ? Number(key) : key]);
          // The name of a field that we did not send is the agent's, whatever the field contains.
          return isNamed ? inner : { echoes: inner.echoes.map((echo) => ({ rest: '', ...echo })), isWhole: false };
        });
        const isWhole = items.length > 0 && items.every((item) => item.isWhole);
        return { echoes: isWhole ? [{ path }] : items.flatMap(({ echoes }) => echoes), isWhole };
      };
      return visit(root, at).echoes;
    },
  };
}

/** Where nothing is left, our text is a whole value. */
export function createEcho(path: Path, { rest, ours }: SplitText): Echo {
  return rest === '' ? { path } : { path, rest, ours };
}

interface TextSpan {
  readonly from: number;
  readonly to: number;
}

/** Finds our words in a text, but not within a longer word, key or address, and not where others of ours stand already. */
function* findSpans(text: string, own: string, taken: readonly TextSpan[]): Generator<TextSpan> {
  for (let from = text.indexOf(own); from >= 0; from = text.indexOf(own, from + own.length)) {
    const to = from + own.length;
    const isTaken = taken.some((span) => from < span.to && span.from < to);
    if (!isTaken && !isWithinWord(text, from, to)) yield { from, to };
  }
}

function cutSpans(text: string, spans: readonly TextSpan[]): SplitText {
  let rest = '';
  let end = 0;
  const ordered = spans.toSorted((one, other) => one.from - other.from);
  for (const { from, to } of ordered) {
    rest += text.slice(end, from);
    end = to;
  }
  rest += text.slice(end);
  const ours = ordered.map(({ from, to }) => text.slice(from, to)).join('\n');
  return { rest: rest.trim() === '' ? '' : rest, ours };
}

const ofWord = /[\p{L}\p{N}_]/u;
/** Signs that join two words to one key or address. */
const joint = /[\p{Pd}.@/+~]/u;

function isWithinWord(text: string, from: number, to: number): boolean {
  return isJoined(text[from], text[from - 1], text[from - 2]) || isJoined(text[to - 1], text[to], text[to + 1]);
}

/** Whether a word goes on beyond its last letter, as seen from there. */
function isJoined(last: string | undefined, next: string | undefined, second: string | undefined): boolean {
  if (!isOfWord(last)) return false;
  return isOfWord(next) || (next !== undefined && joint.test(next) && isOfWord(second));
}

function isOfWord(sign: string | undefined): boolean {
  return sign !== undefined && ofWord.test(sign);
}
