import { expect, test } from 'vitest';
import type { NormalizedActor, NormalizedExecution } from '../../src/model/normalized.ts';
import { writtenOnPhase } from '../../src/primitives/written-on-phase.ts';

function actor(name: string, ...phases: readonly object[]): NormalizedActor {
  return { name, phases } as unknown as NormalizedActor;
}

const of = (actors: readonly NormalizedActor[], index = 0, at = 0) =>
  writtenOnPhase(
    { actors, extensions: { 'x-k': 'both' } } as NormalizedExecution,
    actors[at] as NormalizedActor,
    index,
    'x-k',
  );

test.each([
  ['of its own', of([actor('a', { extensions: { 'x-k': 'own' } })]), 'own'],
  ['of the execution in the single-phase form', of([actor('a', {})]), 'both'],
  ['… also where a run has added the user', of([actor('a', {}), actor('@user', {})]), 'both'],
  ['… which is not for the user', of([actor('a', {}), actor('@user', {})], 0, 1), undefined],
  ['none with two phases', of([actor('a', {}, {})]), undefined],
  ['none with two actors', of([actor('a', {}), actor('b', {})]), undefined],
])('%s', (_, found, expected) => {
  expect(found).toBe(expected);
});
