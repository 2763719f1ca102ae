import type { AgentUnderTest, ProgramFacts } from '../../agents/adapters/agent-under-test.ts';
import type { RunEnd } from '../../attack/engine/run-end.ts';
import { generateKey, wireKey } from '../../format/model/extension-keys.ts';
import type { NormalizedDocument } from '../../format/model/normalized.ts';
import type { DeliveryDemand, EndRecord } from '../../format/model/trace-record.ts';

interface EndRecordFacts {
  readonly execution: string;
  readonly seed: number | undefined;
  readonly end: RunEnd;
  readonly trouble: string | undefined;
  readonly missed: string | undefined;
  readonly absent: string | undefined;
  readonly left: string | undefined;
  readonly fault: string | undefined;
  readonly stopped: string | undefined;
  readonly demand: DeliveryDemand | undefined;
  readonly agent: AgentUnderTest | undefined;
  /** Where the servers of the document listened, by actor. */
  readonly addresses: { readonly [actor: string]: string };
}

/** The last record: every fact in addition to the messages that a judgement of the stored trace needs. */
export function createEndRecord(known: EndRecordFacts, seq: number, timestamp: string): EndRecord {
  const { end, missed, absent, left, stopped, demand = 'payload', agent } = known;
  const error = end.error ?? known.fault;
  const trouble = end.trouble ?? known.trouble;
  return {
    seq,
    timestamp,
    kind: 'end',
    reason: end.reason,
    demand,
    execution: known.execution,
    ...(known.seed !== undefined && { seed: known.seed }),
    skipped: end.skipped,
    ...(error !== undefined && { error }),
    ...(trouble !== undefined && { trouble }),
    ...(stopped !== undefined && { stopped }),
    ...(missed !== undefined && { missed }),
    ...(absent !== undefined && { absent }),
    ...(left !== undefined && { left }),
    ...(agent !== undefined && { doors: agent.speaks }),
    // A launched agent is given the addresses, so that their random ports say nothing.
    ...(agent?.isTold !== true && Object.keys(known.addresses).length > 0 && { addresses: known.addresses }),
    ...(agent?.lacks !== undefined && { lacks: agent.lacks }),
    ...(agent?.without !== undefined && { without: agent.without }),
    ...(Object.keys(end.waiting).length > 0 && { waiting: end.waiting }),
  };
}

/** Reports a program that was ended by a signal or exited with an error code, whatever it answered before. */
export function describeProgramTrouble(program: ProgramFacts | undefined): string | undefined {
  if (program?.signal !== undefined) return `its program was ended by ${program.signal}`;
  const { exitCode = 0 } = program ?? {};
  return exitCode === 0 ? undefined : `its program ended with code ${exitCode}`;
}

/** The caller's reason to stop; the platform's default reason says nothing. */
export function readAbortReason({ reason }: AbortSignal): string | undefined {
  const isUnsaid = reason instanceof Error && reason.name === 'AbortError';
  return isUnsaid ? undefined : reason instanceof Error ? reason.message : String(reason);
}

/** Extensions of a phase that may use the seed. */
const chanceKeys = [wireKey, generateKey];

export function usesChance({ attack }: NormalizedDocument): boolean {
  const { actors, extensions: own } = attack.execution;
  const holders = [own, ...actors.flatMap(({ phases }) => phases.map(({ extensions }) => extensions))];
  return holders.some((extensions = {}) => chanceKeys.some((key) => Object.hasOwn(extensions, key)));
}
