import { wireKey } from '../model/extension-keys.ts';
import type { NormalizedActor, NormalizedExecution } from '../model/normalized.ts';
import { isValueMap, type Value, type ValueMap } from '../model/value.ts';
import { parseDuration } from '../primitives/parse-duration.ts';
import { readPhaseExtension } from './read-phase-extension.ts';

/** A rule of `x-wire`: which messages of a phase are sent in an unusual way, and how. */
export interface WireRule {
  /** JSON Pointer into the normalized actor. */
  readonly pointer: string;
  readonly on: string;
  readonly when: ValueMap | undefined;
  readonly nth: number | undefined;
  readonly times: number | undefined;
  readonly actions: ValueMap;
}

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

/** The rules in force in a phase. What is not in the form of a rule is left out. */
export function readWireRules(
  execution: NormalizedExecution,
  actor: NormalizedActor,
  index: number,
): readonly WireRule[] {
  const from = findWireStart(execution, actor, index);
  const written = from < 0 ? undefined : readWrittenWire(execution, actor, from);
  if (!Array.isArray(written)) return [];
  return (written as readonly Value[]).flatMap((rule, position): readonly WireRule[] => {
    if (!isValueMap(rule) || typeof rule.on !== 'string') return [];
    const { on, when, nth, times, ...actions } = rule;
    return [
      {
        pointer: `/phases/${from}/${wireKey}/${position}`,
        on,
        when: isValueMap(when) ? when : undefined,
        nth: typeof nth === 'number' ? nth : undefined,
        times: typeof times === 'number' ? times : undefined,
        actions,
      },
    ];
  });
}

/** The milliseconds of `250ms`, or of any duration of the format. */
export function parseWireMs(text: Value | undefined): number | undefined {
  if (typeof text !== 'string') return undefined;
  const [, ms] = /^(\d{1,9})ms$/.exec(text) ?? [];
  if (ms !== undefined) return Number(ms);
  const seconds = parseDuration(text);
  return typeof seconds === 'number' ? seconds * 1_000 : undefined;
}
