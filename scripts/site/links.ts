import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { relativeHref, type Source, sitePathOf } from './source.ts';

const repository = 'https://github.com/oatf/oatf/blob/main/';

/** A link from one page to another. Its anchor is checked when all pages are rendered. */
export interface Reference {
  readonly from: Source;
  readonly written: string;
  readonly path: string;
  readonly anchor: string;
}

export type Resolved = { readonly href: string; readonly reference?: Reference } | { readonly problem: string };

/**
 * Resolves a link. In files it is relative to the file, as on GitHub, or an address in the repository; in generated pages
 * it begins with a slash. A file that is in the repository but not on the site is linked to the repository.
 */
export function resolveLink(from: Source, written: string, root: string, isPage: (path: string) => boolean): Resolved {
  const isInRepository = from.file !== undefined && written.startsWith(repository);
  if (!isInRepository && /^(?:https?|mailto):/.test(written)) return { href: written };
  const [target = '', anchor = ''] = written.split('#');
  const path = target === '' ? from.path : pathOf(from, target);
  if (path !== undefined && isPage(path)) {
    const page = target === '' ? '' : relativeHref(from.path, `${path}.html`);
    const href = anchor === '' ? page : `${page}#${anchor}`;
    return { href, reference: { from, written, path, anchor } };
  }
  const file = from.file === undefined ? undefined : fileOf(from.file, target);
  if (file !== undefined && !file.startsWith('..') && existsSync(join(root, file)))
    return { href: `${repository}${file}` };
  return { problem: `the link ${written} leads nowhere` };
}

export function nameOf({ file, path }: Source): string {
  return file ?? `${path} (made)`;
}

function pathOf(from: Source, target: string): string | undefined {
  if (target.startsWith('/')) return target.slice(1);
  return from.file === undefined ? undefined : sitePathOf(fileOf(from.file, target));
}

function fileOf(file: string, target: string): string {
  if (target.startsWith(repository)) return target.slice(repository.length);
  return posix.join(posix.dirname(file), target).replace(/\/$/, '');
}
