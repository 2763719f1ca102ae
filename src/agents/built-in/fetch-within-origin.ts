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
