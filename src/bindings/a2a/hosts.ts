/** The host and port of an address, with a scheme or (as gRPC writes it) without one. */
export function hostOf(url: string): string {
  return url
    .replace(/^[a-z][a-z+.-]*:\/\//i, '')
    .replace(/[/?#\\].*$/s, '')
    .replace(/^.*@/, '')
    .toLowerCase();
}

/** The path of an address. A gRPC address has none. */
export function pathOf(url: string): string {
  const [, path = '/'] = /^[a-z][a-z+.-]*:\/\/[^/?#\\]*([^?#]*)/i.exec(url) ?? [];
  return path;
}

export function splitHost(host: string): readonly [name: string, port: string] {
  const [, name = host, port = ''] = /^(.*):(\d+)$/.exec(host) ?? [];
  return [name, port];
}

export function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(name);
}
