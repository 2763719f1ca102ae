import { coverEchoes } from '../../secrets/echo-cover.ts';

/** Removes values that must not be recorded from a peer's messages: some servers repeat what they were given. */
export interface EchoRemover {
  text(text: string): string;
  bytes(bytes: Buffer): Buffer;
  json<T>(value: T): T;
}

export function createEchoRemover(secrets: readonly string[]): EchoRemover {
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
