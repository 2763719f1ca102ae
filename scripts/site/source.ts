// A page before it is rendered.

export interface Source {
  /** Where it is on the site, without `.html`. */
  readonly path: string;
  /** Its file in the repository; links in it are relative to that. Pages that are made while the site is built have none. */
  readonly file?: string;
  readonly markdown: string;
}

/** Where a file of the repository is on the site, if it is a page there. */
export function sitePathOf(file: string): string | undefined {
  const scenario = /^scenarios\/(OATS-[0-9-]+)_[^/]*\.yaml$/.exec(file);
  if (scenario !== null) return `library/${scenario[1]}`;
  if (file === 'scenarios/README.md') return 'library/index';
  if (file === 'docs/decisions') return 'decisions/index';
  if (!file.endsWith('.md')) return undefined;
  if (!file.startsWith('docs/')) return file.includes('/') ? undefined : file.slice(0, -3).toLowerCase();
  return file.slice('docs/'.length, -3).replace(/(^|\/)README$/, '$1index');
}

/** From one page of the site to another file of it. */
export function relativeHref(from: string, to: string): string {
  const up = '../'.repeat(from.split('/').length - 1);
  return `${up}${to}`;
}
