import { html } from './escape.ts';

// Colours code in the site. A rule is a class and the text that it colours; the first rule that fits at a position
// wins.

type Rules = readonly (readonly [kind: string, pattern: RegExp])[];

const string = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.|'')*'/;

const yaml: Rules = [
  ['comment', /(?<=^|\s)#.*/],
  ['key', /(?<=^[\s-]*|[{,]\s*)(?:"[^"\n]*"|[\w$@*.x/-]+)(?=:(?:\s|$))/],
  ['string', string],
  ['template', /\{\{[^}\n]*\}\}/],
];

const code: Rules = [
  ['comment', /\/\/.*|\/\*[\s\S]*?\*\//],
  ['string', /`(?:[^`\\]|\\.)*`/],
  ['string', string],
  [
    'key',
    /\b(?:import|export|from|const|let|async|await|function|return|if|else|for|of|new|throw|type|interface|def|with|as|class)\b/,
  ],
];

const languages: { readonly [name: string]: Rules } = {
  yaml,
  json: [
    ['key', /"(?:[^"\\\n]|\\.)*"(?=\s*:)/],
    ['string', string],
  ],
  sh: [
    ['comment', /(?<=^|\s)#.*/],
    ['string', string],
    ['key', /(?<=^|\|\s|&&\s)(?:npx oatf|oatf|npm|npx|node|docker|git)(?=\s)/],
  ],
  ts: code,
  js: code,
  python: [['comment', /#.*/], ['string', string], ...code.slice(3)],
  diff: [
    ['removed', /^-.*/],
    ['added', /^\+.*/],
  ],
};

/** Code as HTML, coloured if its language is known. */
export function highlight(text: string, language: string): string {
  const rules = languages[language];
  if (rules === undefined) return html(text);
  const every = new RegExp(rules.map(([, { source }]) => `(${source})`).join('|'), 'gm');
  let done = 0;
  let marked = '';
  for (const match of text.matchAll(every)) {
    const kind = rules[match.slice(1).findIndex((group) => group !== undefined)]?.[0];
    marked += `${html(text.slice(done, match.index))}<span class="is-${kind}">${html(match[0])}</span>`;
    done = match.index + match[0].length;
  }
  return marked + html(text.slice(done));
}
