/** The host and port of an address, with a scheme or (as gRPC writes it) without one. */
export function readHost(url: string): string {
  return url
    .replace(/^[a-z][a-z+.-]*:\/\//i, '')
    .replace(/[/?#\\].*$/s, '')
    .replace(/^.*@/, '')
    .toLowerCase();
}

/** The path of an address. A gRPC address has none. */
export function readUrlPath(url: string): string {
  const [, path = '/'] = /^[a-z][a-z+.-]*:\/\/[^/?#\\]*([^?#]*)/i.exec(url) ?? [];
  return path;
}

export function splitHost(host: string): readonly [name: string, port: string] {
  const [, name = host, port = ''] = /^(.*):(\d+)$/.exec(host) ?? [];
  return [name, port];
}
