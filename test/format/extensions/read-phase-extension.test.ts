import { expect, test } from 'vitest';
import { readPhaseExtension } from '../../../src/format/extensions/read-phase-extension.ts';
import type { NormalizedActor, NormalizedExecution } from '../../../src/format/model/normalized.ts';

function actor(name: string, ...phases: readonly object[]): NormalizedActor {
  return { name, phases } as unknown as NormalizedActor;
}

const of = (actors: readonly NormalizedActor[], index = 0, at = 0) =>
  readPhaseExtension(
    { actors, extensions: { 'x-k': 'both' } } as NormalizedExecution,
    actors[at] as NormalizedActor,
    index,
    'x-k',
  );

test.each([
  ['returns the key of the phase itself', of([actor('a', { extensions: { 'x-k': 'own' } })]), 'own'],
  ['returns the key of the execution in the single-phase form', of([actor('a', {})]), 'both'],
  [
    'returns the key of the execution also if a run has added the user as an actor',
    of([actor('a', {}), actor('@user', {})]),
    'both',
  ],
  ['returns nothing for the user whom a run has added', of([actor('a', {}), actor('@user', {})], 0, 1), undefined],
  ['returns nothing of the execution if the actor has two phases', of([actor('a', {}, {})]), undefined],
  ['returns nothing of the execution if there are two actors', of([actor('a', {}), actor('b', {})]), undefined],
])('readPhaseExtension %s', (_, found, expected) => {
  expect(found).toBe(expected);
});
