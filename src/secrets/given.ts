const secretNames = /auth|token|key|secret|cookie|password|credential/i;

/** Whether what goes by this name is nobody else's business. */
export function isSecretName(name: string): boolean {
  return secretNames.test(name);
}

/** What of an address and its headers must not be written down. */
export function secretsIn({
  url,
  headers = {},
  secrets = [],
  secretsStay = false,
}: {
  readonly url: string;
  readonly headers?: { readonly [name: string]: string } | undefined;
  readonly secrets?: readonly string[] | undefined;
  readonly secretsStay?: boolean | undefined;
}): readonly string[] {
  if (secretsStay) return [];
  const named = Object.entries(headers).flatMap(([name, value]) => (isSecretName(name) ? [value] : []));
  return [...secrets, ...named, ...(URL.canParse(url) ? secretsOfUrl(new URL(url)) : [])];
}

function secretsOfUrl({ username, password, searchParams }: URL): readonly string[] {
  const asked = [...searchParams].flatMap(([name, value]) => (isSecretName(name) ? [value] : []));
  if (password === '') return asked;
  const plain = [username, password].map(decoded);
  return [...asked, password, plain[1] ?? '', Buffer.from(plain.join(':')).toString('base64')];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** An address as it may be written down: what stands before its host, or behind its path, can be secret. */
export function shownUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

/** Shorter ones would be found in anything. */
const shortest = 6;
const cover = Buffer.from('*'.repeat(shortest));

/** Takes what must not be written down out of what a peer sends: some servers repeat what they were given. */
export function withoutSecrets(values: readonly string[]): (bytes: Buffer) => Buffer {
  const secrets = secretForms(values).map((value) => Buffer.from(value));
  return (bytes) => secrets.reduce(covered, bytes);
}

/** As they may be repeated: without the word before them, and in JSON, where a quotation mark is two characters. */
export function secretForms(values: readonly string[]): readonly string[] {
  const words = values.flatMap((value) => [value, value.split(/\s+/).at(-1) ?? '']);
  return [...new Set(words.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]))]
    .filter((value) => value.length >= shortest)
    .sort((one, other) => other.length - one.length);
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
