import type { PlayResult } from './play-run.ts';

/**
 * Whether a run failed for reasons unrelated to the attack, so that another try may succeed: the agent did not start,
 * did not connect, or disconnected. It is never true of a verdict, of a run that could not be evaluated, or of an agent
 * that an actor of the document cannot speak to, because another try would not change them.
 */
export function isInfrastructureFault({ outcome, causes = [], end }: PlayResult): boolean {
  if (end.reason === 'stopped') return false;
  switch (outcome) {
    case 'exploited':
    case 'partial':
    case 'resisted':
    case 'not_applicable':
      return false;
    case 'inconclusive':
      return end.skipped.length === 0 && causes.some(({ cause }) => cause === 'trouble');
    case 'error':
      return true;
  }
}
