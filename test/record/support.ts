import { Recording } from '../../src/cli/record/exchange.ts';
import { type AskedPeer, openPeer, type Reply } from '../../src/cli/record/peer.ts';
import { surveyA2a, surveyMcp, type Wanted } from '../../src/cli/record/survey.ts';
import { type WrittenRecording, writeRecording } from '../../src/cli/record/write-recording.ts';
import type { Transport } from '../../src/engine/ports.ts';
import type { Value } from '../../src/model/value.ts';

export const nothing: Wanted = { calls: [], reads: false, says: [] };

export interface Recorded {
  readonly failure: string | undefined;
  readonly leftOut: readonly string[];
  readonly written: WrittenRecording;
}

export async function recordPeer(peer: AskedPeer, protocol: string, wanted: Wanted): Promise<Recorded> {
  const recording = new Recording();
  const failure = await (protocol === 'a2a' ? surveyA2a : surveyMcp)(peer, recording, wanted);
  const written = writeRecording(recording, protocol, { id: 'REC-001', showSecrets: false });
  return { failure, leftOut: [...recording.leftOut], written };
}

export async function recordTransport(
  transport: Transport,
  protocol: string,
  wanted: Wanted,
): Promise<Recorded> {
  const peer = await openPeer({ transport, answerMs: 20_000 });
  try {
    return await recordPeer(peer, protocol, wanted);
  } finally {
    await peer.close();
  }
}

/** A server that is a function. */
export function scripted(answer: (method: string, params: Value | undefined) => Value | Reply): AskedPeer {
  const ask = async (method: string, params?: Value): Promise<Reply> => {
    const given = answer(method, params);
    const isReply = typeof given === 'object' && given !== null && 'kind' in given && given.kind === 'silent';
    return isReply ? (given as Reply) : { kind: 'result', result: given as Value };
  };
  return { ask, follow: ask, notify() {}, answer() {}, async close() {} };
}

export function textOf({ written }: Recorded): string {
  if (!written.ok) throw new Error(written.reason);
  return written.text;
}
