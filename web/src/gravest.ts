import type { DocumentPart, RunIndicator } from '../../src/report/html/page-data.ts';
import { tiers } from './results.ts';

const results = ['matched', 'set_aside', 'error', 'not_matched', 'skipped'];

/** Sorts indicators: those that matched first, and among these the gravest first. */
export function gravestFirst(
  indicators: readonly RunIndicator[],
  source: DocumentPart | undefined,
): readonly RunIndicator[] {
  const tierOf = new Map(source?.indicators.map(({ id, tier }) => [id, tier]));
  const rank = ({ id, result }: RunIndicator): number => {
    const tier = (tiers as readonly string[]).indexOf(tierOf.get(id) ?? '');
    return 10 * results.indexOf(result) + (tier < 0 ? tiers.length : tier);
  };
  return [...indicators].sort((a, b) => rank(a) - rank(b));
}
