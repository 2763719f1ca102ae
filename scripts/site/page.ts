import { html } from './escape.ts';
import type { MenuItem, MenuSection } from './menu.ts';
import type { Rendered } from './render.ts';
import { relativeHref } from './source.ts';

// The page loads nothing from elsewhere and sends nothing.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export function pageHtml(page: Rendered, menu: readonly MenuSection[]): string {
  const { source, title, body } = page;
  const to = (path: string): string => html(relativeHref(source.path, path));
  const pageTitle = source.path === 'index' ? 'oatf' : `${title} · oatf`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${html(pageTitle)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${to('site.css')}">
<script src="${to('site.js')}" defer></script>
</head>
<body data-root="${to('')}">
<a class="skip" href="#content">Skip to the page</a>
<header class="top">
<a class="name" href="${to('index.html')}">oatf</a>
<div class="search" role="search">
<input id="search" type="search" placeholder="Search  ( / )" aria-label="Search" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="found">
<div class="found" id="found" role="listbox" aria-label="Found" hidden></div>
</div>
<a class="elsewhere" href="https://oatf.io" rel="noreferrer">Specification</a>
</header>
<div class="columns">
<nav class="menu" aria-label="Pages"><details><summary>Menu</summary>${menuHtml(menu, source.path, to)}</details></nav>
<main id="content">
${body}${neighbours(menu, source.path, to)}</main>
${contents(page)}</div>
</body>
</html>
`;
}

type To = (path: string) => string;

function menuHtml(menu: readonly MenuSection[], current: string, to: To): string {
  const link = ({ path, title }: MenuItem): string =>
    `<a href="${to(`${path}.html`)}"${path === current ? ' aria-current="page"' : ''}>${html(title)}</a>`;
  const item = (each: MenuItem): string => {
    const isOpen = each.path === current || each.below.some(({ path }) => path === current);
    const below = isOpen && each.below.length > 0 ? list(each.below) : '';
    return `<li>${link(each)}${below}</li>`;
  };
  const list = (items: readonly MenuItem[]): string => `<ul>${items.map(item).join('\n')}</ul>`;
  return menu.map(({ title, items }) => `<h2>${html(title)}</h2>${list(items)}`).join('\n');
}

/** The pages before and after this one, in the order of the menu. */
function neighbours(menu: readonly MenuSection[], current: string, to: To): string {
  const pages = menu.flatMap(({ items }) => items);
  const at = pages.findIndex(({ path }) => path === current);
  if (at < 0) return '';
  const link = (item: MenuItem | undefined, kind: string): string =>
    item === undefined
      ? ''
      : `<a class="is-${kind}" href="${to(`${item.path}.html`)}"><span>${kind}</span> ${html(item.title)}</a>`;
  return `<nav class="neighbours" aria-label="Next and previous">${link(pages[at - 1], 'previous')}${link(pages[at + 1], 'next')}</nav>\n`;
}

function contents({ headings }: Rendered): string {
  const shown = headings.filter(({ depth }) => depth === 2 || depth === 3);
  if (shown.length < 2) return '';
  const links = shown.map(
    ({ id, text, depth }) => `<li class="depth-${depth}"><a href="#${id}">${html(text)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${links.join('\n')}</ul></nav>\n`;
}
