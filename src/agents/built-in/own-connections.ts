// The platform's `fetch` keeps a pool of connections for every address that it ever used, and each run has its own
// addresses: a process that plays suites would grow with every run. So code that connects to such addresses uses its
// own connections.

/** The symbol under which the platform keeps the dispatcher of its requests, from the first request on. */
const platformsOwn = Symbol.for('undici.globalDispatcher.1');

interface Dispatcher {
  destroy(): Promise<void>;
}

export interface OwnConnections {
  /** `fetch` that follows redirects only within the origin. */
  fetch(url: string | URL, init?: RequestInit): Promise<Response>;
  /** Closes all connections and forgets their addresses. */
  close(): Promise<void>;
}

export function createOwnConnections(): OwnConnections {
  let carrier: Promise<Dispatcher | undefined> | undefined;
  return {
    async fetch(url, init) {
      carrier ??= createDispatcher();
      const dispatcher = await carrier;
      return fetchWithinOrigin(url, { ...init, ...(dispatcher && { dispatcher }) } as RequestInit);
    },
    async close() {
      await (await carrier)?.destroy();
    },
  };
}

/**
 * Makes a dispatcher of the platform's own class. Undefined if the dispatcher was replaced by one that cannot be made
 * like this.
 */
async function createDispatcher(): Promise<Dispatcher | undefined> {
  await fetch('data:,');
  const { [platformsOwn]: own } = globalThis as { readonly [platformsOwn]?: object };
  if (own === undefined) return undefined;
  try {
    return new (own.constructor as new () => Dispatcher)();
  } catch {
    return undefined;
  }
}

const mostRedirections = 3;

/** `fetch` that follows redirects only within the server's own origin: the operator did not allow any other host. */
export async function fetchWithinOrigin(url: string | URL, init: RequestInit = {}): Promise<Response> {
  let at = new URL(url);
  for (let hops = 0; ; hops++) {
    const response = await fetch(at, { ...init, redirect: 'manual' });
    const location = response.headers.get('location');
    const isFollowed = (response.status === 307 || response.status === 308) && hops < mostRedirections;
    if (!isFollowed || location === null || !URL.canParse(location, at.href)) return response;
    const next = new URL(location, at);
    if (next.origin !== at.origin) return response;
    await response.body?.cancel();
    at = next;
  }
}
