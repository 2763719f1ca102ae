// Every platform has `TextDecoder`, but the types of the language alone do not.

interface Platform {
  readonly TextDecoder: new (label: 'utf-8') => { decode(bytes: Uint8Array): string };
}

const decoder = new (globalThis as unknown as Platform).TextDecoder('utf-8');

/** Decodes UTF-8. Invalid bytes become U+FFFD. */
export function fromUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
