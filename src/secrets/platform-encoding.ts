// Every platform has these, but the types of the language alone do not.

interface Platform {
  readonly TextEncoder: new () => { encode(text: string): Uint8Array };
  readonly TextDecoder: new (
    label: 'utf-8',
    options: { readonly fatal: true; readonly ignoreBOM: true },
  ) => { decode(bytes: Uint8Array): string };
  readonly URL: (new (
    url: string,
  ) => {
    readonly protocol: string;
    readonly host: string;
    readonly pathname: string;
    readonly username: string;
    readonly password: string;
    readonly searchParams: Iterable<readonly [name: string, value: string]>;
  }) & { canParse(url: string): boolean };
  atob(base64: string): string;
  btoa(binary: string): string;
}

const platform = globalThis as unknown as Platform;

export const { URL } = platform;

const encoder = new platform.TextEncoder();

export function toBytes(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Decodes UTF-8; undefined if the bytes are not valid UTF-8. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new platform.TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export function toBase64(text: string): string {
  return platform.btoa(toBinary(toBytes(text)));
}

/** Changes a text encoded in base64. It is read as UTF-8, or with one character per byte if it is not valid UTF-8. */
export function changeWithinBase64(base64: string, change: (text: string) => string): string {
  let binary: string;
  try {
    binary = platform.atob(base64);
  } catch {
    return change(base64);
  }
  const text = decodeUtf8(fromBinary(binary));
  const changed = change(text ?? binary);
  if (changed === (text ?? binary)) return base64;
  return text === undefined ? platform.btoa(changed) : toBase64(changed);
}

/** The number of arguments of one call, which the platform's stack limits. */
const sliceLength = 8 * 1024;

/** A string with one character per byte. */
export function toBinary(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += sliceLength)
    binary += String.fromCharCode(...bytes.subarray(at, at + sliceLength));
  return binary;
}

/** One byte per character of a string. */
export function fromBinary(binary: string): Uint8Array {
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
