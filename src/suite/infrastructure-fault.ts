import type { PlayResult } from './play.ts';

/**
 * Whether a run failed for reasons that have nothing to do with the attack, so that another try may go better: the
 * agent did not start, did not come, or broke off. A verdict is never one, nor is what could not be evaluated, nor is an
 * agent that an actor of the document cannot speak to: it never will.
 */
export function isInfrastructureFault({ outcome, verdict, delivery, end }: PlayResult): boolean {
  if (end.reason === 'stopped') return false;
  const facts = Object.values(delivery);
  switch (outcome.outcome) {
    case 'exploited':
    case 'partial':
    case 'resisted':
      return false;
    case 'inconclusive':
      return end.skipped.length === 0 && facts.some(({ trouble }) => trouble !== undefined);
    case 'error':
      return end.error !== undefined || (facts.length > 0 && verdict.evaluationSummary.error === 0);
  }
}
