import { knownModes } from '../../src/format/registry/known-modes.ts';
import { nameOf, type Reference, resolveLink } from './links.ts';
import { menuOf } from './menu.ts';
import { pageHtml } from './page.ts';
import { type Rendered, render } from './render.ts';
import { searchIndex } from './search-index.ts';
import { relativeHref, type Source } from './source.ts';
import { sourcesOf } from './sources.ts';

export interface Site {
  /** The contents of the files, by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly pages: readonly Rendered[];
  /** Reasons not to publish the site: dead links and anchors, and pages that the menu does not reach. */
  readonly problems: readonly string[];
}

/** Builds the pages and the search index; the style and the script are bundled separately. */
export function buildSite(root: string, sources: readonly Source[] = sourcesOf(root)): Site {
  const paths = new Set(sources.map(({ path }) => path));
  const problems: string[] = [];
  const references: Reference[] = [];
  const pages = sources.map((source) =>
    render(source, {
      resolve(written) {
        const found = resolveLink(source, written, root, (path) => paths.has(path));
        if ('reference' in found && found.reference !== undefined) references.push(found.reference);
        return found;
      },
      pageAbout(name) {
        const path = pathAbout(name, paths);
        return path === undefined || path === source.path ? undefined : relativeHref(source.path, `${path}.html`);
      },
      problem: (message) => problems.push(`${nameOf(source)}: ${message}`),
    }),
  );
  const anchors = new Map(pages.map(({ source, headings }) => [source.path, new Set(headings.map(({ id }) => id))]));
  for (const { from, written, path, anchor } of references)
    if (anchor !== '' && !anchors.get(path)?.has(anchor))
      problems.push(`${nameOf(from)}: the link ${written} leads to no heading of its page`);
  const menu = menuOf(new Map(pages.map(({ source, title }) => [source.path, title])));
  const files = new Map<string, string>(
    pages.map((page) => [`${page.source.path}.html`, pageHtml(page, menu.sections)] as const),
  );
  files.set('search-index.js', searchIndex(pages));
  return { files, pages, problems: [...problems, ...menu.problems] };
}

/** The page about a diagnostic, a command or a mode that a text names. */
function pathAbout(name: string, paths: ReadonlySet<string>): string | undefined {
  const command = /^oatf ([a-z]+)/.exec(name)?.[1];
  const candidates = [
    `reference/diagnostics/${name}`,
    ...(command === undefined ? [] : [`reference/commands/${command}`]),
    ...(knownModes().includes(name) ? [`reference/format/modes/${name}`] : []),
  ];
  return candidates.find((path) => paths.has(path));
}
