import { coverEchoes } from '../secrets/echoes.ts';

/** Removes values that must not be recorded from a peer's messages: some servers repeat what they were given. */
export interface WithoutEchoes {
  text(text: string): string;
  bytes(bytes: Buffer): Buffer;
  json<T>(value: T): T;
}

export function withoutEchoes(secrets: readonly string[]): WithoutEchoes {
  const { text, bytes, json } = coverEchoes(secrets);
  return {
    text,
    json,
    bytes(sent) {
      const covered = bytes(sent);
      return covered === sent ? sent : Buffer.from(covered.buffer, covered.byteOffset, covered.byteLength);
    },
  };
}
