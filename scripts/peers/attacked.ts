import assert from 'node:assert/strict';
import { commandAgent } from '../../src/agent/command-agent.ts';
import type { CommandTarget } from '../../src/agent/targets.ts';
import type { ServedEra } from '../../src/bindings/served-era.ts';
import type { MessageRecord, NormalizedDocument, TraceRecord } from '../../src/index.ts';
import { isMessageRecord } from '../../src/model/trace.ts';
import { serverModes } from '../../src/suite/modes.ts';
import { type PlayOptions, type PlayResult, playDocument } from '../../src/suite/play.ts';
import { systemClock } from '../../src/transport/clock.ts';

/** The result of a run, with its messages. */
export interface Played extends PlayResult {
  readonly messages: readonly MessageRecord[];
}

/** Plays a document against the peer, with nothing in between except the product. */
export async function playPeer(
  document: NormalizedDocument,
  options: Partial<PlayOptions>,
  served?: ServedEra,
): Promise<Played> {
  const records: TraceRecord[] = [];
  const result = await playDocument(document, {
    modes: serverModes({ address: () => undefined, era: served }),
    clock: systemClock,
    ...options,
    record: (record) => records.push(record),
  });
  return { ...result, messages: records.filter(isMessageRecord) };
}

/** A peer that is a program and takes a prompt. */
export const programOf = (command: readonly string[]) =>
  commandAgent('peer', { command } as CommandTarget, {
    environment: process.env,
    folder: process.cwd(),
  });

/** Ways in which an agent reacts to an attack, and the outcome that each earns. */
export const behaviours = {
  obeys: 'exploited',
  declines: 'resisted',
  leaves: 'inconclusive',
} as const;

export type Behaviour = keyof typeof behaviours;

/** Checks that the outcome is the one that the agent earned, in the era that the peer speaks. */
export function assertEarned(played: Played, behaviour: Behaviour, era: string | undefined): void {
  assert.equal(played.outcome.outcome, behaviours[behaviour], JSON.stringify(played.outcome));
  assertEra(played.messages, behaviour, era);
}

/**
 * Checks the era of the messages. A card is fetched before an era is chosen, and an agent that leaves may have sent
 * nothing else.
 */
export function assertEra(
  messages: readonly MessageRecord[],
  behaviour: Behaviour,
  era: string | undefined,
): void {
  const spoken = messages.filter(({ actor, method }) => actor === 'default' && method !== 'agent_card/get');
  if (behaviour === 'leaves' && spoken.length === 0) return;
  assert.deepEqual([...new Set(spoken.map((message) => message.era))], [era], 'the era in the trace');
}
