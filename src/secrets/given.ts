import { disjoint, type Finder, givenStars, type Range } from './cover.ts';
import { encodedForms } from './encoded-forms.ts';
import { toBase64, URL } from './platform.ts';

// Secrets that were given: to us, for the agent or its peers. They may look like anything, and come back in anything.

const secretNames = /auth|token|key|secret|cookie|password|credential/i;

/** Whether what goes by this name is nobody else's business. */
export function isSecretName(name: string): boolean {
  return secretNames.test(name);
}

/**
 * Whether a variable holds a secret: by its name, or because its value looks like nothing else, a long word of letters
 * and digits that is no path and no address.
 */
export function isSecretVariable(name: string, value: string): boolean {
  if (value.includes('/')) return false;
  return isSecretName(name) || (/^\S{16,}$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value));
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
  return [...secrets, ...named, ...(URL.canParse(url) ? secretsOfUrl(url) : [])];
}

function secretsOfUrl(url: string): readonly string[] {
  const { username, password, searchParams } = new URL(url);
  const asked = [...searchParams].flatMap(([name, value]) => (isSecretName(name) ? [value] : []));
  if (password === '') return asked;
  const plain = [username, password].map(decoded);
  return [...asked, password, plain[1] ?? '', toBase64(plain.join(':'))];
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

/** Shorter secrets would be found in anything. */
const shortest = givenStars.length;

/** As they may be repeated: without the word before them, and in JSON, where a quotation mark is two characters. */
export function secretForms(values: readonly string[]): readonly string[] {
  const words = values.flatMap((value) => [value, value.split(/\s+/).at(-1) ?? '']);
  return [...new Set(words.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]))]
    .filter((value) => value.length >= shortest)
    .sort((one, other) => other.length - one.length);
}

/** Finds values, also parts of them and behind the usual encodings. */
export function findSecrets(text: string, forms: Iterable<string>): readonly Range[] {
  const pieces: Range[] = [];
  for (const form of forms) addPieces(pieces, text, form);
  return pieces.length === 0 ? pieces : disjoint(pieces);
}

/**
 * What must not be kept: what opens the doors of a run, or was given to the agent. The agent is told of it, so it can
 * come back in anything the agent says, or be said to it: in a card, say.
 */
export class GivenValues implements Finder {
  readonly stars = givenStars;
  readonly #forms = new Set<string>();

  add(secret: string): void {
    if (secret.length < shortest) return;
    this.#forms.add(secret);
    for (const form of encodedForms(secret)) this.#forms.add(form);
  }

  get isEmpty(): boolean {
    return this.#forms.size === 0;
  }

  find(text: string): readonly Range[] {
    return findSecrets(text, this.#forms);
  }
}

// Agents cut texts off and send them in pieces. Any piece of this length holds one of the blocks that the secret can be
// cut into, so that only those have to be looked for.
const blockLength = shortest;
const shortestPiece = 2 * blockLength - 1;

function addPieces(pieces: Range[], text: string, secret: string): void {
  for (let block = 0; block + blockLength <= secret.length; block += blockLength) {
    const sought = secret.slice(block, block + blockLength);
    for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + blockLength)) {
      let before = 0;
      while (before < Math.min(at, block) && text[at - before - 1] === secret[block - before - 1])
        before += 1;
      let length = blockLength;
      while (block + length < secret.length && text[at + length] === secret[block + length]) length += 1;
      if (before + length < Math.min(shortestPiece, secret.length)) continue;
      // The space between a scheme and its token is no part of what was cut off.
      while (/\s/.test(text[at - before] ?? '')) before -= 1;
      pieces.push({ from: at - before, to: at + length });
    }
  }
}
