import { coverText, type Finder, mergeRanges, stars } from './cover.ts';

// The shapes of secrets. The first group is shown, and the rest of the match is masked. The text is hostile, so every
// expression is linear: nothing that could fail follows an open repetition.
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

export const shapeFinder: Finder = {
  stars,
  find(text) {
    // Most texts have none. `matchAll` copies its expression, which takes longer than the test.
    const found = shapes.flatMap((shape) =>
      text.search(shape) < 0
        ? []
        : [...text.matchAll(shape)].map(({ 0: whole, 1: shown = '', index }) => ({
            from: index + shown.length,
            to: index + whole.length,
          })),
    );
    return mergeRanges(found);
  },
};

/** Values that complete each shape which may begin with a key. */
const probes = ['abcdefgh', 'Basic abcdefgh', 'abcdefgh@'];

/** Whether a key may mark its value as a secret, as `password` does. */
export function isTellingKey(key: string): boolean {
  return probes.some((probe) => shapeFinder.find(`${JSON.stringify(key)}:${probe}`).length > 0);
}

/** Whether the key alone makes the text a secret. Then all of the text must be masked. */
export function isNamedSecret(key: string, text: string): boolean {
  const name = `${JSON.stringify(key)}:`;
  const hide = (shown: string): string => coverText(shown, shapeFinder);
  return hide(`${name}${text}`) !== `${hide(name)}${hide(text)}`;
}

const privateKey = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^-]{0,16384}/g;

/** Masks private keys line by line. They are the only shape with several lines. */
export function coverKeyLines(text: string): string {
  return text.replace(privateKey, (key) =>
    key
      .split('\n')
      .map((line, index) => (index === 0 || line.trim() === '' ? line : stars))
      .join('\n'),
  );
}

// People put secrets of any form in variables and headers, so all of their values are masked.

const blockStart = /^(\s*(?:- +)*)["']?(?:env|headers|environment|keyEnv|redact)["']?\s*:/;
const inlineStart = /[{,]\s*["']?(?:env|headers|keyEnv|redact)["']?\s*:/;

/** The lines of a configuration, with the values of variables, headers and similar keys masked. */
export function coverConfigLines(text: string): readonly string[] {
  let within: { readonly indent: number; depth: number } | undefined;
  return text.split('\n').map((line) => {
    const indent = /^\s*/.exec(line)?.[0].length ?? 0;
    if (within !== undefined && line.trim() !== '' && indent <= within.indent && within.depth <= 0) within = undefined;
    if (within !== undefined) {
      within.depth += countOpenBrackets(line);
      return coverConfigEntry(line);
    }
    const start = blockStart.exec(line) ?? inlineStart.exec(line);
    if (start === null) return line;
    const end = start.index + start[0].length;
    const [, before = ''] = start;
    within = { indent: before.length, depth: countOpenBrackets(line.slice(end)) };
    return `${line.slice(0, end)}${coverConfigValue(line.slice(end))}`;
  });
}

/** The number of brackets that a text opens, minus those that it closes. */
function countOpenBrackets(text: string): number {
  return (text.match(/[{[]/g) ?? []).length - (text.match(/[}\]]/g) ?? []).length;
}

/** Masks the value of an entry. Its name is not a secret. */
function coverConfigEntry(line: string): string {
  const [, name = ''] = /^(\s*(?:- +)*["']?[\w.-]+["']?\s*:)(?:\s|$)/.exec(line) ?? [];
  return `${name}${coverConfigValue(line.slice(name.length))}`;
}

function coverConfigValue(text: string): string {
  return /^[\s{}[\],]*$/.test(text) ? text : ` ${stars}`;
}
