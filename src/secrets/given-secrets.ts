import { type Finder, givenStars, mergeRanges, type Range } from './cover.ts';
import { toBase64, toBytes, URL } from './platform-encoding.ts';

// Secrets that were given to us for the agent or its peers. They may have any form, and may come back in any message.

const secretNames = [
  /auth|token|key|secret|cookie|passw|passphrase|credential|jwt|signature|session/i,
  // Short words count only as words: `db_pass`, `X-Pin`, `adminPin`.
  /(?:pass|pwd)(?![a-z])/i,
  /(?:^|[^A-Za-z])(?:pat|pin|pw|salt|sig|sid|otp|dsn)(?![A-Za-z])/i,
  /[a-z](?:Pass|Pwd|Pat|Pin|Sig|Otp)(?![a-z])/,
  // Addresses of databases often have a password in them.
  /(?:database|db|mongo|postgres|pg|sql|maria|redis|amqp|rabbit|broker|connection).{0,40}(?:url|uri|string)/i,
];

/** Variables of every shell and desktop, whose values are not secret and occur in ordinary text. */
const plainVariables = /^(?:PWD|OLDPWD|SSH_AUTH_SOCK|SESSION_MANAGER|DESKTOP_SESSION|(?:XDG|DBUS|GNOME|KDE)_.*)$/;

/** Whether a name suggests a secret value. */
export function isSecretName(name: string): boolean {
  return !plainVariables.test(name) && secretNames.some((shape) => shape.test(name));
}

/** Headers that say what a message is, with values that stand in many other messages. */
const plainHeaders = /^(?:accept|accept-(?:charset|encoding)|content-(?:type|encoding|length))$/i;
const versionHeader = /-version$/i;
const plainVersion = /^v?[\d.-]{1,20}$/;

/** The headers that may hold secrets: all that the operator gives, because people name them as they like. */
export function isGivenHeader(name: string, value: string): boolean {
  return !plainHeaders.test(name) && !(versionHeader.test(name) && plainVersion.test(value));
}

/** The literal parts of values that may have placeholders; and the passwords in addresses among them. */
export function listLiteralSecrets(values: readonly string[]): readonly string[] {
  const literal = keepSecretParts(values.flatMap((value) => value.split(placeholder)));
  return [...literal, ...literal.flatMap((part) => (URL.canParse(part) ? listUrlSecrets(part) : []))];
}

const placeholder = /\{\{[^{}]{0,200}\}\}/;

/** The secret parts of values: without the blanks around them, and without the scheme before a token. */
export function keepSecretParts(parts: readonly string[]): readonly string[] {
  return parts.map((part) => part.trim()).filter((part) => part !== '' && !scheme.test(part));
}

const scheme = /^(?:bearer|basic|token|digest|apikey)$/i;

/** The secrets among inherited variables: those whose names suggest one, and the passwords in addresses. */
export function listInheritedSecrets(variables: { readonly [name: string]: string | undefined }): readonly string[] {
  return Object.entries(variables).flatMap(([name, value = '']) => {
    if (isSecretName(name)) return listLiteralSecrets([value]);
    return URL.canParse(value) ? listUrlSecrets(value) : [];
  });
}

/** The parts of an address and its headers that must not be stored. */
export function listSecrets({
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
  const named = Object.entries(headers).flatMap(([name, value]) => (isGivenHeader(name, value) ? [value] : []));
  return [...secrets, ...named, ...(URL.canParse(url) ? listUrlSecrets(url) : [])];
}

function listUrlSecrets(url: string): readonly string[] {
  const { username, password, searchParams } = new URL(url);
  const asked = [...searchParams].flatMap(([name, value]) => (isSecretName(name) ? [value] : []));
  if (password === '') return asked;
  const plain = [username, password].map(decodePercent);
  return [...asked, password, plain[1] ?? '', toBase64(plain.join(':'))];
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** An address in a form that may be stored: the user part, the query and the fragment may be secret. */
export function redactUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

/** Shorter secrets would match ordinary text. */
const shortest = givenStars.length;

/** The forms in which a peer may repeat secrets: without the word before them, and in JSON, which escapes quotes. */
export function listSecretForms(values: readonly string[]): readonly string[] {
  const words = values.flatMap((value) => [value, value.split(/\s+/).at(-1) ?? '']);
  return [...new Set(words.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]))]
    .filter((value) => value.length >= shortest)
    .sort((one, other) => other.length - one.length);
}

/** Finds given values, also in parts and in the usual encodings. */
export function findSecrets(text: string, forms: Iterable<string>): readonly Range[] {
  const pieces: Range[] = [];
  const decoded = decodePercentEscapes(text);
  for (const form of forms) {
    addPieces(pieces, text, form);
    if (decoded === undefined) continue;
    const found: Range[] = [];
    addPieces(found, decoded.text, form);
    for (const { from, to } of found) pieces.push({ from: decoded.starts[from] ?? 0, to: decoded.starts[to] ?? 0 });
  }
  return pieces.length === 0 ? pieces : mergeRanges(pieces);
}

/** A text without its percent escapes, and where each of its characters began. Undefined if it has none. */
function decodePercentEscapes(text: string): { readonly text: string; readonly starts: readonly number[] } | undefined {
  if (!/%[2-7][\dA-Fa-f]/.test(text)) return undefined;
  const starts: number[] = [];
  let decoded = '';
  for (let at = 0; at < text.length; ) {
    // Other characters than those of ASCII are several escapes; the forms of a secret have them.
    const digits = text[at] === '%' ? /^[2-7][\dA-Fa-f]$/.exec(text.slice(at + 1, at + 3))?.[0] : undefined;
    starts.push(at);
    decoded += digits === undefined ? text[at] : String.fromCharCode(Number.parseInt(digits, 16));
    at += digits === undefined ? 1 : 3;
  }
  return { text: decoded, starts: [...starts, text.length] };
}

/**
 * Values that must not be stored: the run's own credentials, and what was given to the agent. The agent knows them, so
 * they may come back in any message from it or to it, such as a card.
 */
export class KnownSecrets implements Finder {
  readonly stars = givenStars;
  readonly #forms = new Set<string>();

  add(secret: string): void {
    if (secret.length < shortest) return;
    const inJson = JSON.stringify(secret).slice(1, -1);
    for (const plain of [secret, inJson, JSON.stringify(inJson).slice(1, -1)]) this.#forms.add(plain);
    for (const form of listEncodedForms(secret)) this.#forms.add(form);
  }

  get isEmpty(): boolean {
    return this.#forms.size === 0;
  }

  find(text: string): readonly Range[] {
    return findSecrets(text, this.#forms);
  }
}

// Agents shorten texts and send them in pieces. Every piece of at least `shortestPiece` characters contains one whole block
// of the secret, so only blocks are searched for.
const blockLength = shortest;
const shortestPiece = 2 * blockLength - 1;

function addPieces(pieces: Range[], text: string, secret: string): void {
  for (let block = 0; block + blockLength <= secret.length; block += blockLength) {
    const sought = secret.slice(block, block + blockLength);
    for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + blockLength)) {
      let before = 0;
      while (before < Math.min(at, block) && text[at - before - 1] === secret[block - before - 1]) before += 1;
      let length = blockLength;
      while (block + length < secret.length && text[at + length] === secret[block + length]) length += 1;
      if (before + length < Math.min(shortestPiece, secret.length)) continue;
      // The space between a scheme and its token is not part of the secret.
      while (/\s/.test(text[at - before] ?? '')) before -= 1;
      pieces.push({ from: at - before, to: at + length });
    }
  }
}

/** Encoded forms of shorter values would match ordinary text. */
const shortestEncoded = 8;

/**
 * A value in the usual encodings, alone or inside a longer text: base64, base64url, hexadecimal, percent encoding of what
 * needs it and of everything.
 */
export function listEncodedForms(value: string): readonly string[] {
  if (value.length < shortestEncoded) return [];
  const base64 = [0, 1, 2].map((shift) => encodeWithinBase64(value, shift));
  const hex = [...toBytes(value)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const forms = [
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
    hex,
    hex.toUpperCase(),
    percentEncode(value),
    percentEncode(value).replace(/%../g, (byte) => byte.toLowerCase()),
    percentEncode(value).replaceAll('%20', '+'),
    hex.replace(/../g, '%$&'),
    hex.toUpperCase().replace(/../g, '%$&'),
  ];
  return [...new Set(forms)].filter((form) => form.length >= shortestEncoded && form !== value);
}

/**
 * The base64 of a value after `shift` other bytes. Three bytes become four characters, so the form depends on the shift.
 * Characters at the edges that also encode neighbouring bytes are cut off.
 */
function encodeWithinBase64(value: string, shift: number): string {
  const written = toBase64(`${'\0'.repeat(shift)}${value}`);
  const isShared = written.endsWith('=');
  const whole = written.replace(/=+$/, '');
  return whole.slice(Math.ceil((shift * 8) / 6), isShared ? -1 : undefined);
}

/** Percent-encodes a value. An unpaired surrogate has no such form. */
function percentEncode(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value;
  }
}
