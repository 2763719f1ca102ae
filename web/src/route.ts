/** The views of the whole suite: the grid of attacks and agents, all runs, the rates. */
export const tabs = ['grid', 'runs', 'figures'] as const;
export type Tab = (typeof tabs)[number];

/** The view that the address names, so that links and the Back button work. */
export type Route =
  | { readonly view: 'home'; readonly tab: Tab; readonly filters: URLSearchParams }
  | { readonly view: 'run'; readonly run: number; readonly seq: number | undefined }
  | { readonly view: 'source'; readonly run: number; readonly line: number | undefined };

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [first, second, third, fourth] = path.split('/');
  const run = Number(second);
  if (first !== 'run' || second === undefined || !Number.isInteger(run))
    return {
      view: 'home',
      tab: tabs.find((tab) => tab === first) ?? 'grid',
      filters: new URLSearchParams(query),
    };
  if (third === 'source') return { view: 'source', run, line: numberOf(fourth) };
  return { view: 'run', run, seq: numberOf(third) };
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined || text === '' || Number.isNaN(Number(text)) ? undefined : Number(text);
}

export const runLink = (run: number, seq?: number): string =>
  seq === undefined ? `#/run/${run}` : `#/run/${run}/${seq}`;

export const sourceLink = (run: number, line?: number): string =>
  line === undefined ? `#/run/${run}/source` : `#/run/${run}/source/${line}`;

/** The address of a view of the runs that pass these filters. */
export function homeLink(tab: Tab, filters: URLSearchParams = new URLSearchParams()): string {
  const query = filters.toString();
  return `#/${tab === 'grid' ? '' : tab}${query === '' ? '' : `?${query}`}`;
}
