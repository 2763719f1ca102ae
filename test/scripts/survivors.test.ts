import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Mutant, mutantsOf } from '../../scripts/mutants/mutants-of.ts';
import { changeNothing, knownSurvivor, untested } from '../../scripts/mutants/survivors.ts';

// A row whose line has changed since would excuse nothing, and nobody would notice.

const rows = [
  ...Object.entries(changeNothing).map(([file, known]) => ({ file, known, isEquivalent: true })),
  ...Object.entries(untested).map(([file, known]) => ({ file, known, isEquivalent: false })),
];

test.each(rows)('$file has the mutants that may survive', ({ file, known, isEquivalent }) => {
  const mutants = mutantsOf(file, readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));
  const found = (within: string, before: string, after: string): Mutant | undefined =>
    mutants.find((each) => each.within === within && each.before === before && each.after === after);
  for (const { within, changes, reason } of known)
    for (const [before, after] of changes) {
      const mutant = found(within, before, after);
      expect(mutant && knownSurvivor(mutant), `${within}  ${before}  →  ${after}`).toEqual({
        reason,
        isEquivalent,
      });
    }
});

test('no other mutant may', () => {
  const [mutant] = mutantsOf('src/a.ts', 'const x = a === b;');
  expect(mutant && knownSurvivor(mutant)).toBeUndefined();
});
