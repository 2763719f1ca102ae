import type { Transport } from '../../../src/attack/engine/ports.ts';
import { type AskedPeer, openPeer, type PeerReply } from '../../../src/cli/record/asked-peer.ts';
import { type SurveyRequest, surveyA2aAgent, surveyMcpServer } from '../../../src/cli/record/record-survey.ts';
import { Recording } from '../../../src/cli/record/recorded-exchange.ts';
import { type WrittenRecording, writeRecording } from '../../../src/cli/record/write-recording.ts';
import type { Value } from '../../../src/format/model/value.ts';

export const nothing: SurveyRequest = { calls: [], reads: false, says: [] };

export interface Recorded {
  readonly failure: string | undefined;
  readonly leftOut: readonly string[];
  readonly written: WrittenRecording;
}

export async function recordPeer(peer: AskedPeer, protocol: string, wanted: SurveyRequest): Promise<Recorded> {
  const recording = new Recording();
  const failure = await (protocol === 'a2a' ? surveyA2aAgent : surveyMcpServer)(peer, recording, wanted);
  const written = writeRecording(recording, protocol, { id: 'REC-001', showSecrets: false });
  return { failure, leftOut: [...recording.leftOut], written };
}

export async function recordTransport(
  transport: Transport,
  protocol: string,
  wanted: SurveyRequest,
): Promise<Recorded> {
  const peer = await openPeer({ transport, answerMs: 20_000 });
  try {
    return await recordPeer(peer, protocol, wanted);
  } finally {
    await peer.close();
  }
}

/** A server that is a function. */
export function scripted(answer: (method: string, params: Value | undefined) => Value | PeerReply): AskedPeer {
  const ask = async (method: string, params?: Value): Promise<PeerReply> => {
    const given = answer(method, params);
    const isReply = typeof given === 'object' && given !== null && 'kind' in given && given.kind === 'silent';
    return isReply ? (given as PeerReply) : { kind: 'result', result: given as Value };
  };
  return { ask, follow: ask, notify() {}, answer() {}, async close() {} };
}

export function textOf({ written }: Recorded): string {
  if (!written.ok) throw new Error(written.reason);
  return written.text;
}
