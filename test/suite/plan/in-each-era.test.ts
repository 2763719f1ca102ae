import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { builtInAgent } from '../../../src/agents/built-in/built-in-agents.ts';
import { load } from '../../../src/index.ts';
import { openLibrary } from '../../../src/suite/library/library.ts';
import {
  createConversationName,
  dropEra,
  type PlannedRun,
  planSuite,
  splitByEra,
} from '../../../src/suite/plan/plan.ts';
import { playSuite } from '../../../src/suite/play-suite.ts';

test('splitByEra plays every run in each era under an agent name that says which', async () => {
  const library = openLibrary();
  const path = library.ok ? library.documents.find(({ id }) => id === 'OATS-001')?.path : undefined;
  const text = readFileSync(path ?? '', 'utf8');
  const loaded = load(text);
  if (!loaded.ok) throw new Error('the library is not valid');
  const agents = splitByEra([builtInAgent('guarded')]);
  const documents = [{ ...loaded, file: 'OATS-001.yaml', text }];
  const { results } = await playSuite({ plan: planSuite({ documents, agents }), documents, agents });
  expect(
    results?.runs.map(({ agent, outcome, delivery }) => [
      agent,
      outcome,
      Object.values(delivery).flatMap(({ eras = [] }) => eras),
    ]),
  ).toEqual([
    ['guarded (legacy)', 'resisted', ['2024-11-05']],
    ['guarded (modern)', 'resisted', ['2026-07-28']],
  ]);
  expect(agents.map(({ name }) => dropEra(name))).toEqual(['guarded', 'guarded']);
});

test('splitByEra closes an agent once that was started for both eras', async () => {
  let closed = 0;
  const close = async (): Promise<void> => {
    closed += 1;
  };
  for (const agent of splitByEra([{ ...builtInAgent('guarded'), close }])) await agent.close?.();
  expect(closed).toBe(1);
});

test.each([
  [1, 1, undefined, undefined],
  [2, 1, undefined, '2'],
  [1, 2, undefined, '1-2'],
  [1, 1, 'modern', 'modern'],
  [2, 3, 'legacy', '2-3-legacy'],
] as const)('createConversationName repeat %s, attempt %s, era %s is %s', (repeat, attempt, era, expected) => {
  expect(createConversationName({ attack: { document: {} }, repeat } as PlannedRun, attempt, era)).toBe(expected);
});
