import { wireKey } from '../model/applied-wire-rule.ts';
import type { NormalizedActor, NormalizedExecution } from '../model/normalized.ts';
import type { Value } from '../model/value.ts';
import { parseDuration } from './parse-duration.ts';
import { readPhaseExtension } from './read-phase-extension.ts';

/** The `x-wire` rules that a phase itself writes. */
export function readWrittenWire(
  execution: NormalizedExecution,
  actor: NormalizedActor,
  index: number,
): Value | undefined {
  return readPhaseExtension(execution, actor, index, wireKey);
}

/**
 * The index of the phase whose rules are in force; -1 if there is none. Rules are inherited like state, and an empty list
 * ends them.
 */
export function findWireStart(execution: NormalizedExecution, actor: NormalizedActor, index: number): number {
  for (let at = index; at >= 0; at -= 1) if (readWrittenWire(execution, actor, at) !== undefined) return at;
  return -1;
}

/** The milliseconds of `250ms`, or of any duration of the format. */
export function parseWireMs(text: Value | undefined): number | undefined {
  if (typeof text !== 'string') return undefined;
  const [, ms] = /^(\d{1,9})ms$/.exec(text) ?? [];
  if (ms !== undefined) return Number(ms);
  const seconds = parseDuration(text);
  return typeof seconds === 'number' ? seconds * 1_000 : undefined;
}
