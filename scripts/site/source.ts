// A page before it is rendered.

export interface Source {
  /** The path of the page on the site, without `.html`. */
  readonly path: string;
  /** The file in the repository; links in the page are relative to it. Generated pages have none. */
  readonly file?: string;
  readonly markdown: string;
}

/** The path on the site of a file of the repository; undefined if the file is not a page. */
export function sitePathOf(file: string): string | undefined {
  const scenario = /^scenarios\/(OATS-[0-9-]+)_[^/]*\.yaml$/.exec(file);
  if (scenario !== null) return `library/${scenario[1]}`;
  if (file === 'scenarios/README.md') return 'library/index';
  const folder = /^docs\/(.*\/[^./]+)$/.exec(file)?.[1];
  if (folder !== undefined) return `${folder}/index`;
  if (!file.endsWith('.md')) return undefined;
  if (file.startsWith('docs/codes/')) return `reference/diagnostics/${file.slice('docs/codes/'.length, -3)}`;
  if (!file.startsWith('docs/')) return file.includes('/') ? undefined : file.slice(0, -3).toLowerCase();
  return file.slice('docs/'.length, -3).replace(/(^|\/)README$/, '$1index');
}

/** The relative link from one page of the site to another file of it. */
export function relativeHref(from: string, to: string): string {
  const up = '../'.repeat(from.split('/').length - 1);
  return `${up}${to}`;
}
