const ipv4 = /^127(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/;

/** Tells whether a host means this machine, written as in a URL, in a `Host` header or alone: `localhost`, `127.0.0.1`, `[::1]`. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  if (name.startsWith('[')) return name.endsWith(']') && isLoopbackV6(name.slice(1, -1));
  return name === 'localhost' || ipv4.test(name) || isLoopbackV6(name);
}

/** The address 1 of IPv6, with or without `::` for zeros. */
function isLoopbackV6(name: string): boolean {
  const halves = name.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const groups = halves.flat();
  const isWhole = halves.length === 1 ? groups.length === 8 : halves.length === 2 && groups.length < 8;
  const [last = '', ...others] = (halves.at(-1)?.length === 0 ? [] : groups).toReversed();
  return isWhole && /^0{0,3}1$/.test(last) && others.every((group) => /^0{1,4}$/.test(group));
}
