import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentWith } from '../../support/records.ts';
import { expectSameAgain } from '../../support/same-again.ts';
import { randomAttack } from './attacks.ts';
import { objections } from './oracle.ts';
import { randomPeer } from './peers.ts';
import { playRandomly } from './play.ts';

// Random documents against random peers, on a virtual clock. The seed is fixed; environment variables set another seed
// and the number of runs.

const { OATF_PROPERTY_RUNS = 600, OATF_PROPERTY_SEED = 14 } = process.env;
const runs = { numRuns: Number(OATF_PROPERTY_RUNS), seed: Number(OATF_PROPERTY_SEED) };

test('random attacks: are resisted if and only if nothing in the trace speaks against it', {
  timeout: 120_000,
}, async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(randomAttack, randomPeer, async (attack, peer) => {
      const document = documentWith(attack.written);
      const { result, trace } = await playRandomly(document, peer);
      const { outcome } = result;
      const against = objections(attack, trace);
      const earned = against.length === 0 ? 'resisted' : expect.not.stringMatching(/^resisted$/);
      expect({ outcome, against }).toEqual({ outcome: earned, against });
      expectSameAgain(document, trace, result);
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
    }),
    runs,
  );
  for (const outcome of ['resisted', 'exploited', 'inconclusive', 'not_applicable'])
    expect(seen.get(outcome) ?? 0, outcome).toBeGreaterThan(5);
});
