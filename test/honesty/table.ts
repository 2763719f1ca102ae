import type { Row } from './row.ts';

// How titles of tests and the site's page name the rows.

export function titleOf({ does, attack, peer, outcome }: Row): string {
  return `${peer.over}: ${does} (the attack is ${attack.where}): ${outcome}`;
}

/** Whether the row must have a definite outcome, so that calling everything inconclusive cannot pass. */
export function isControl({ outcome }: Row): boolean {
  return outcome === 'exploited' || outcome === 'resisted';
}
