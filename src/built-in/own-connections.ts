import { fetchWithinOrigin } from './fetch-within-origin.ts';

// The platform's `fetch` keeps a pool of connections for every place that it was ever used for, and each run has places of its
// own: a process that plays suites would grow with every run. So whoever connects to such places has connections of their own.

/** Where the platform keeps what carries its requests; it is there from the first request on. */
const platformsOwn = Symbol.for('undici.globalDispatcher.1');

interface Carrier {
  destroy(): Promise<void>;
}

export interface OwnConnections {
  /** `fetch` that stays within an origin. */
  fetch(url: string | URL, init?: RequestInit): Promise<Response>;
  /** Ends what is open, and forgets the places. */
  close(): Promise<void>;
}

export function ownConnections(): OwnConnections {
  let carrier: Promise<Carrier | undefined> | undefined;
  return {
    async fetch(url, init) {
      carrier ??= newCarrier();
      const dispatcher = await carrier;
      return fetchWithinOrigin(url, { ...init, ...(dispatcher && { dispatcher }) } as RequestInit);
    },
    async close() {
      await (await carrier)?.destroy();
    },
  };
}

/** Of the platform's own kind; nothing where somebody has put another in its place that is not made like this. */
async function newCarrier(): Promise<Carrier | undefined> {
  await fetch('data:,');
  const { [platformsOwn]: own } = globalThis as { readonly [platformsOwn]?: object };
  if (own === undefined) return undefined;
  try {
    return new (own.constructor as new () => Carrier)();
  } catch {
    return undefined;
  }
}
