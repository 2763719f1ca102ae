import type { AgentEntry, RunEntry } from '../format/model/results-file.ts';

/**
 * Says which surfaces an agent lacks according to the configuration, and whether its runs confirm it. Returns nothing
 * if the configuration names none.
 */
export function describeClaim(
  { name, without = [] }: Pick<AgentEntry, 'name' | 'without'>,
  runs: readonly Pick<RunEntry, 'agent' | 'voided'>[],
): string | undefined {
  if (without.length === 0) return undefined;
  const used = new Set(runs.flatMap((run) => (run.agent === name ? (run.voided ?? []) : [])));
  const voided = without.filter((surface) => used.has(surface));
  const but =
    voided.length === 0
      ? ''
      : `, but it used ${voided.join(', ')} all the same: for those runs the claim does not count`;
  return `configured to be without ${without.join(', ')}${but}`;
}
