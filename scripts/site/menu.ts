import { type Entry, sections } from './navigation.ts';
import { sitePathOf } from './source.ts';

export interface MenuItem {
  readonly path: string;
  readonly title: string;
  /** Pages below this one, shown only while one of them is open. */
  readonly below: readonly MenuItem[];
}

export interface MenuSection {
  readonly title: string;
  readonly items: readonly MenuItem[];
}

export interface Menu {
  readonly sections: readonly MenuSection[];
  readonly problems: readonly string[];
}

/** Makes the menu. A menu entry without a page and a page without a menu entry are problems. */
export function menuOf(titles: ReadonlyMap<string, string>): Menu {
  const problems: string[] = [];
  const reached = new Set<string>();
  const item = ({ of, title, below }: Entry): MenuItem => {
    const path = pathOf(of, titles);
    if (!titles.has(path)) problems.push(`the menu names ${of}, which is no page`);
    reached.add(path);
    const inner = [...titles].filter(([each]) => below !== undefined && each !== path && each.startsWith(below));
    for (const [each] of inner) reached.add(each);
    return {
      path,
      title: title ?? titles.get(path) ?? of,
      below: inner.map(([each, title]) => ({ path: each, title, below: [] })),
    };
  };
  const menu = sections.map(({ title, entries }) => ({ title, items: entries.map(item) }));
  for (const path of titles.keys()) if (!reached.has(path)) problems.push(`${path} is not in the menu`);
  return { sections: menu, problems };
}

function pathOf(of: string, titles: ReadonlyMap<string, string>): string {
  const path = sitePathOf(of) ?? of;
  return titles.has(path) ? path : `${path}/index`;
}
