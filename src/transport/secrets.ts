/** Shorter ones would be found in anything. */
const shortest = 6;
const cover = Buffer.from('*'.repeat(shortest));

/** Takes what must not be written down out of what a peer sends: some servers repeat what they were given. */
export function withoutSecrets(values: readonly string[]): (bytes: Buffer) => Buffer {
  const secrets = [...new Set(values.flatMap((value) => [value, value.split(/\s+/).at(-1) ?? '']))]
    .filter((value) => value.length >= shortest)
    .sort((one, other) => other.length - one.length)
    .map((value) => Buffer.from(value));
  return (bytes) => secrets.reduce(covered, bytes);
}

function covered(bytes: Buffer, secret: Buffer): Buffer {
  let at = bytes.indexOf(secret);
  if (at === -1) return bytes;
  const parts: Buffer[] = [];
  let from = 0;
  for (; at !== -1; at = bytes.indexOf(secret, from)) {
    parts.push(bytes.subarray(from, at), cover);
    from = at + secret.length;
  }
  return Buffer.concat([...parts, bytes.subarray(from)]);
}
