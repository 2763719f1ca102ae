import assert from 'node:assert/strict';
import { createCommandAgent } from '../../src/agents/adapters/command-agent.ts';
import type { CommandTarget } from '../../src/agents/adapters/targets.ts';
import type { ServedEra } from '../../src/attack/bindings/served-era.ts';
import { systemClock } from '../../src/attack/transport/clock.ts';
import type { NormalizedDocument } from '../../src/format/model/normalized.ts';
import { isMessageRecord } from '../../src/format/model/trace-record.ts';
import type { MessageRecord, TraceRecord } from '../../src/index.ts';
import { type PlayOptions, type PlayResult, playDocument } from '../../src/suite/play/play-run.ts';
import { createServerModes } from '../../src/suite/play/playable-modes.ts';

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
    modes: createServerModes({ address: () => undefined, era: served }),
    clock: systemClock,
    ...options,
    record: (record) => records.push(record),
  });
  return { ...result, messages: records.filter(isMessageRecord) };
}

/** A peer that is a program and takes a prompt. */
export const programOf = (command: readonly string[]) =>
  createCommandAgent('peer', { command } as CommandTarget, {
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
  assert.equal(played.outcome, behaviours[behaviour], played.reason);
  assertEra(played.messages, behaviour, era);
}

/**
 * Checks the era of the messages. A card is fetched before an era is chosen, and an agent that leaves may have sent
 * nothing else.
 */
export function assertEra(messages: readonly MessageRecord[], behaviour: Behaviour, era: string | undefined): void {
  const spoken = messages.filter(({ actor, method }) => actor === 'default' && method !== 'agent_card/get');
  if (behaviour === 'leaves' && spoken.length === 0) return;
  assert.deepEqual([...new Set(spoken.map((message) => message.era))], [era], 'the era in the trace');
}
