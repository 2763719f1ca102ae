// Every platform has it, and the types of the language alone lack it.

interface Platform {
  readonly TextDecoder: new (label: 'utf-8') => { decode(bytes: Uint8Array): string };
}

const decoder = new (globalThis as unknown as Platform).TextDecoder('utf-8');

/** The text that bytes are; what is no UTF-8 among them becomes U+FFFD. */
export function fromUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
