import { mask, maskSpan, type Span } from '../../secrets/shapes.ts';

/** How secrets are starred out of what is shown. */
export interface Masking {
  readonly showSecrets: boolean;
  text(text: string): string;
  /** The same for a text of which a span is marked; the span stays on what it was on. */
  span(text: string, from: number, to: number): Span;
}

export function maskingFor(showSecrets: boolean): Masking {
  return showSecrets
    ? { showSecrets, text: (text) => text, span: (text, from, to) => ({ text, from, to }) }
    : { showSecrets, text: mask, span: maskSpan };
}

const stars = '****';
/** Keys, names and other short texts come again and again; looking for secrets takes longer than remembering. */
const remembered = { texts: 20_000, characters: 80 };

export interface MaskedString {
  readonly text: string;
  readonly spans: readonly (readonly [from: number, to: number])[];
}

/** Masks strings beside their keys, because `password` says what stands behind it. */
export function createStringMasker(masking: Masking) {
  const isTelling = remembering((key) => {
    const probe = `${JSON.stringify(key)}:abcdefgh`;
    return masking.text(probe) !== probe;
  });
  const masked = remembering(masking.text);
  return {
    text: masked,
    value(key: string, text: string, spans: MaskedString['spans']): MaskedString {
      if (isTelling(key)) {
        const named = `${JSON.stringify(key)}:`;
        // With the key in front more is masked: then it is the key that tells, and nothing of the value may stay.
        if (masking.text(`${named}${text}`) !== `${masking.text(named)}${masking.text(text)}`)
          return { text: stars, spans: spans.map(() => [0, stars.length]) };
      }
      if (spans.length === 0) return { text: masked(text), spans };
      const marked = spans.map(([from, to]) => masking.span(text, from, to));
      return { text: marked[0]?.text ?? '', spans: marked.map(({ from, to }) => [from, to]) };
    },
  };
}

function remembering<T>(find: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    if (text.length > remembered.characters) return find(text);
    let found = known.get(text);
    if (found === undefined) {
      found = find(text);
      if (known.size < remembered.texts) known.set(text, found);
    }
    return found;
  };
}

export type StringMasker = ReturnType<typeof createStringMasker>;

const privateKey = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^-]{0,16384}/g;

/** A text with as many lines as before. */
export function maskLines(text: string, masking: Masking): readonly string[] {
  if (masking.showSecrets) return text.split('\n');
  return text
    .replace(privateKey, (key) =>
      key
        .split('\n')
        .map((line, index) => (index === 0 || line.trim() === '' ? line : stars))
        .join('\n'),
    )
    .split('\n')
    .map((line) => masking.text(line));
}
