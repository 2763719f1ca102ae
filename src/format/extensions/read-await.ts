import { awaitKey } from '../model/extension-keys.ts';
import type { NormalizedExecution, NormalizedPhase } from '../model/normalized.ts';
import { isValueMap, type Value } from '../model/value.ts';
import { parseDuration } from '../primitives/parse-duration.ts';

/** Values that a phase waits for, as `actor.name`. */
export interface PhaseAwait {
  readonly names: readonly string[];
  readonly withinMs: number;
}

const defaultWithin = '30s';

/** What a phase waits for. A value that is not in the form of our `x-await` belongs to another tool, and waits for nothing. */
export function readAwaits(actor: string, { extensions }: NormalizedPhase): readonly PhaseAwait[] {
  const written = extensions?.[awaitKey];
  if (!Array.isArray(written)) return [];
  return (written as readonly Value[]).flatMap((entry): readonly PhaseAwait[] => {
    if (!isValueMap(entry) || !Array.isArray(entry.extractors)) return [];
    const { actor: of = actor, within = defaultWithin } = entry;
    const seconds = typeof within === 'string' ? parseDuration(within) : undefined;
    if (typeof seconds !== 'number') return [];
    const names = (entry.extractors as readonly Value[]).map((name) => `${String(of)}.${String(name)}`);
    return [{ names, withinMs: seconds * 1_000 }];
  });
}

/** Whether any phase says that it waits. */
export function hasAwaits({ actors }: NormalizedExecution): boolean {
  return actors.some(({ phases }) => phases.some(({ extensions }) => extensions?.[awaitKey] !== undefined));
}
