import { Marked, type Token, type Tokens } from 'marked';
import { html } from './escape.ts';
import { highlight } from './highlight.ts';
import { slugger } from './slug.ts';
import type { Source } from './source.ts';

export interface Heading {
  readonly id: string;
  readonly text: string;
  readonly depth: number;
}

/** The part of a page that one search result shows. */
export interface Passage {
  readonly heading: Heading;
  readonly text: string;
}

export interface Rendered {
  readonly source: Source;
  readonly title: string;
  readonly body: string;
  readonly headings: readonly Heading[];
  readonly passages: readonly Passage[];
}

export interface Surroundings {
  /** Resolves a link of this page, or says why it is dead. */
  resolve(href: string): { readonly href: string } | { readonly problem: string };
  /** The page about something that a text mentions, such as a diagnostic or a command. */
  pageAbout(name: string): string | undefined;
  problem(message: string): void;
}

const named = /\b[VWON]-\d{3}\b/g;

/**
 * Labels for the word after the language of a fence. It says what the block is, and a test checks that
 * (test/development/docs/fences.ts).
 */
const labels: { readonly [kind: string]: string } = {
  matched: 'matched',
  not_matched: 'not matched',
  holds: 'holds',
  fails: 'does not hold',
  normalized: 'what it means',
  extracted: 'extracted',
  filled: 'filled in',
  test: 'its test',
  config: 'oatf.config.yaml',
};

export function render(source: Source, { resolve, pageAbout, problem }: Surroundings): Rendered {
  const slug = slugger();
  const headings: Heading[] = [];
  const passages: { heading: Heading; text: string }[] = [];
  // Within a link or a heading, names do not become links.
  let isFixed = false;
  const fixed = (make: () => string): string => {
    const before = isFixed;
    isFixed = true;
    const text = make();
    isFixed = before;
    return text;
  };
  const linked = (name: string, shown: string): string => {
    const to = isFixed ? undefined : pageAbout(name);
    return to === undefined ? shown : `<a class="is-about" href="${html(to)}">${shown}</a>`;
  };
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const text = plain(tokens);
        const id = slug(text);
        const inner = fixed(() => this.parser.parseInline(tokens));
        const heading = { id, text, depth };
        headings.push(heading);
        passages.push({ heading, text: '' });
        if (depth === 1) return `<h1 id="${id}">${inner}</h1>\n`;
        return `<h${depth} id="${id}">${inner} <a class="anchor" href="#${id}" aria-label="Link to ${html(text)}">#</a></h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const inner = fixed(() => this.parser.parseInline(tokens));
        const found = resolve(href);
        if ('problem' in found) {
          problem(found.problem);
          return inner;
        }
        const isElsewhere = /^[a-z]+:/.test(found.href);
        return `<a href="${html(found.href)}"${isElsewhere ? ' rel="noreferrer"' : ''}>${inner}</a>`;
      },
      image({ href }: Tokens.Image) {
        problem(`an image, ${href}: the site has none`);
        return '';
      },
      html({ text }: Tokens.HTML | Tokens.Tag) {
        if (!/^\s*<!--[\s\S]*-->\s*$/.test(text)) problem(`HTML in Markdown: ${text.slice(0, 60)}`);
        return '';
      },
      codespan({ text }: Tokens.Codespan) {
        return linked(text, `<code>${html(text)}</code>`);
      },
      text(token: Tokens.Text | Tokens.Escape) {
        if ('tokens' in token && token.tokens !== undefined) return this.parser.parseInline(token.tokens);
        return html(unescaped(token.text)).replaceAll(named, (code) => linked(code, code));
      },
      code({ text, lang = '' }: Tokens.Code) {
        const [language = '', kind = '', ...rest] = lang.split(' ');
        const label = labels[kind];
        const caption = label === undefined ? '' : `<figcaption class="is-${kind}">${label}</figcaption>`;
        const lines = highlight(text, language).split('\n');
        const changed = kind === 'changed' ? new Set(rest.map(Number)) : undefined;
        const shown = lines.map((line, at) => (changed?.has(at + 1) ? `<mark>${line}</mark>` : line));
        return `<figure class="code is-${html(language)}">${caption}<pre tabindex="0"><code>${shown.join('\n')}</code></pre></figure>\n`;
      },
      table({ header, rows }: Tokens.Table) {
        const cells = (tag: string, row: readonly Tokens.TableCell[]): string =>
          `<tr>${row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>\n`;
        return `<div class="table" tabindex="0"><table><thead>${cells('th', header)}</thead><tbody>${rows.map((row) => cells('td', row)).join('')}</tbody></table></div>\n`;
      },
    },
  });
  const tokens = marked.lexer(source.markdown);
  let body = '';
  for (const token of tokens) {
    body += marked.parser([token]);
    const last = passages.at(-1);
    if (last !== undefined && token.type !== 'heading') last.text += `${plain([token])} `;
  }
  const title = headings.find(({ depth }) => depth === 1)?.text;
  if (title === undefined) problem('the page has no title');
  return { source, title: title ?? source.path, body, headings, passages };
}

/** The text of tokens without markup. */
function plain(tokens: readonly Token[]): string {
  return tokens
    .map((token): string => {
      switch (token.type) {
        case 'table':
          return [token.header, ...token.rows]
            .map((row: readonly Tokens.TableCell[]) => row.map((cell) => plain(cell.tokens)).join(' '))
            .join(' ');
        case 'list':
          return token.items.map((item: Tokens.ListItem) => plain(item.tokens)).join(' ');
        case 'html':
          return '';
        case 'br':
        case 'space':
          return ' ';
        default:
          return 'tokens' in token && token.tokens !== undefined
            ? plain(token.tokens)
            : 'text' in token
              ? unescaped(token.text)
              : '';
      }
    })
    .join('');
}

const entities: { readonly [entity: string]: string } = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

/** Undoes the escaping of marked, which escapes some of its texts and not others. All texts are escaped later. */
function unescaped(text: string): string {
  return text.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? entity);
}
