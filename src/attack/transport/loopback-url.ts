import { isLoopback } from '../../format/model/loopback.ts';

/** Tells whether an HTTP URL is on this machine. */
export function isLoopbackUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return /^https?:$/.test(protocol) && isLoopback(hostname);
}
