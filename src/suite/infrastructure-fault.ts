import type { PlayResult } from './play.ts';

/**
 * Whether a run failed for reasons that have nothing to do with the attack, so that another try may go better: the
 * agent did not start, did not come, or broke off. A verdict is never one, nor is what could not be evaluated, nor is an
 * agent that an actor of the document cannot speak to: it never will.
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
