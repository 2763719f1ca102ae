// Well-known shapes of secrets. The first group is shown, the rest of the match is not. The text is hostile,
// so every expression is linear: no open repetition has anything behind it that could fail.
const shapes: readonly RegExp[] = [
  /(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)(?:(?!-----END)[\s\S]){0,16384}(?:-----END [A-Z0-9 ]{0,60}-----)?/g,
  /\b(AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{12,}/g,
  /\b([srp]k_(?:live|test)_)[0-9A-Za-z]{6,}/g,
  /\b(sk-(?:ant-|proj-)?)[\w-]{16,}/g,
  /\b(gh[opsur]_|github_pat_|glpat-|npm_|hf_|xox[abeoprs]-)[\w-]{8,}/g,
  /\b(AIza)[\w-]{20,}/g,
  /\b(eyJ)[\w-]{16,}(?:\.[\w-]{1,8192}){0,4}/g,
  /\b(bearer\s{1,8})[\w.~+/=-]{8,}/gi,
  /(authorization\W{1,8}basic\s{1,8})[\w+/=-]{8,}/gi,
  /((?:passw(?:or)?d|passphrase|\bpwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential)(?:\\{0,3}["'])?\s{0,4}[:=]\s{0,4}(?:\\{0,3}["'])?)[^\s"'\\&,;)}\]]{4,}/gi,
  /(:\/\/[^\s/:@]{1,64}:)[^\s/@]{1,256}(?=@)/g,
];

const stars = '****';

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The text with secrets starred out. */
export function mask(text: string): string {
  return maskSpan(text, 0, 0).text;
}

export interface Span extends Range {
  readonly text: string;
}

/** The same for a text of which a span is marked; the span stays on what it was on. */
export function maskSpan(text: string, from: number, to: number): Span {
  let masked = '';
  let end = 0;
  let [newFrom, newTo] = [from, to];
  for (const secret of secretsIn(text)) {
    masked += text.slice(end, secret.from);
    const place = masked.length;
    const moved = (offset: number, within: number, was: number): number => {
      if (offset >= secret.to) return was + stars.length - (secret.to - secret.from);
      return offset > secret.from ? within : was;
    };
    newFrom = moved(from, place, newFrom);
    newTo = moved(to, place + stars.length, newTo);
    masked += stars;
    end = secret.to;
  }
  return { text: masked + text.slice(end), from: newFrom, to: newTo };
}

function secretsIn(text: string): readonly Range[] {
  const found = shapes.flatMap((shape) =>
    [...text.matchAll(shape)].map(
      ({ 0: whole, 1: shown = '', index }): Range => ({
        from: index + shown.length,
        to: index + whole.length,
      }),
    ),
  );
  const merged: Range[] = [];
  for (const range of found.sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last !== undefined && range.from < last.to)
      merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    else if (range.from < range.to) merged.push(range);
  }
  return merged;
}
