import type { PlayResult } from './play.ts';

/**
 * Tells whether a run failed for reasons unrelated to the attack, so that another try may succeed: the agent did not
 * start, did not come, or broke off. It is never true of a verdict, of a run that could not be evaluated, or of an
 * agent that an actor of the document cannot speak to, because another try would not change them.
 */
export function isInfrastructureFault({ outcome, end }: PlayResult): boolean {
  if (end.reason === 'stopped') return false;
  switch (outcome.outcome) {
    case 'exploited':
    case 'partial':
    case 'resisted':
    case 'not_applicable':
      return false;
    case 'inconclusive':
      return end.skipped.length === 0 && outcome.causes.some(({ cause }) => cause === 'trouble');
    case 'error':
      return true;
  }
}
